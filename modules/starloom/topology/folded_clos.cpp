// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/folded_clos.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

using Shape = FoldedClos::Shape;

/// The ports that a switch of a tier needs.
struct PortDemand {
  double leaf, spine, core;
};
PortDemand port_demand(const Shape& shape) {
  const auto cables = static_cast<double>(shape.cables), spines = static_cast<double>(shape.spines);
  return {static_cast<double>(shape.hosts) + spines * cables,
          static_cast<double>(shape.leaves) * cables + static_cast<double>(shape.cores) / spines,
          shape.cores == 0 ? 0 : static_cast<double>(shape.pods)};
}

/// Throws before anything is allocated.
const Shape& checked(const Shape& shape) {
  const auto least = [](const char* what, std::int64_t number) {
    if (number < 1)
      throw InputError("a folded Clos network has at least 1 of " + std::string(what) + ", not " +
                       std::to_string(number));
  };
  least("pods", shape.pods);
  least("leaves", shape.leaves);
  least("spines", shape.spines);
  least("hosts", shape.hosts);
  least("cables", shape.cables);
  if (shape.cores < 0 || (shape.cores == 0 && shape.pods > 1))
    throw InputError("pods need cores above them: a multiple of " + std::to_string(shape.spines) + ", not " +
                     std::to_string(shape.cores));
  if (shape.cores % shape.spines != 0)
    throw InputError(std::to_string(shape.cores) + " cores are not a multiple of the " + std::to_string(shape.spines) +
                     " spines of a pod: core c leads to spine c mod " + std::to_string(shape.spines) +
                     " of every pod; choose " + std::to_string(shape.spines * (shape.cores / shape.spines + 1)));
  const PortDemand ports = port_demand(shape);
  const auto fits = [](const std::string& what, double needed, const std::string& parts, const std::string& advice) {
    if (needed > max_ports)
      throw InputError(what + " needs " + std::to_string(static_cast<std::int64_t>(needed)) + " ports (" + parts +
                       "), more than " + std::to_string(max_ports) + "; choose fewer " + advice);
  };
  const std::string cables = counted(shape.cables, "cable");
  fits("a leaf", ports.leaf, counted(shape.hosts, "host") + ", " + counted(shape.spines, "spine") + " x " + cables,
       "hosts, spines or cables");
  fits("a spine", ports.spine,
       counted(shape.leaves, "leaf") + " x " + cables + ", " + counted(shape.cores / shape.spines, "core"),
       "leaves, cables or cores");
  fits("a core", ports.core, counted(shape.pods, "pod"), "pods");
  if (const NetworkSize size = folded_clos_size(shape);
      !NetworkGraph::has_room(size.nodes, std::max({ports.leaf, ports.spine, ports.core})))
    throw InputError("a network of " + std::to_string(static_cast<std::int64_t>(size.nodes)) +
                     " nodes is more than a graph can number; choose fewer pods");
  return shape;
}

std::vector<std::string> port_names(std::int64_t down, std::int64_t up) {
  std::vector<std::string> names;
  for (std::int64_t port = 0; port < down; ++port) names.push_back("down" + index_text(port, down));
  for (std::int64_t port = 0; port < up; ++port) names.push_back("up" + index_text(port, up));
  return names;
}

}  // namespace

FoldedClos::FoldedClos(const Shape& shape)
    : shape_(checked(shape)),
      first_leaf_(static_cast<NodeId>(shape.pods * shape.leaves * shape.hosts)),
      first_spine_(static_cast<NodeId>(first_leaf_ + shape.pods * shape.leaves)),
      first_core_(static_cast<NodeId>(first_spine_ + shape.pods * shape.spines)),
      nodes_(static_cast<NodeId>(first_core_ + shape.cores)) {}

NetworkSize FoldedClos::size() const { return folded_clos_size(shape_); }

std::int32_t FoldedClos::ports() const {
  const PortDemand ports = port_demand(shape_);
  return static_cast<std::int32_t>(std::max({ports.leaf, ports.spine, ports.core}));
}

std::vector<NodeId> FoldedClos::top() const {
  const NodeId first = shape_.cores > 0 ? first_core_ : first_spine_;
  std::vector<NodeId> top(static_cast<std::size_t>(nodes_ - first));
  std::iota(top.begin(), top.end(), first);
  return top;
}

double FoldedClos::oversubscription() const {
  return static_cast<double>(shape_.hosts) / static_cast<double>(shape_.spines * shape_.cables);
}

FoldedClos::Tier FoldedClos::tier(NodeId node) const {
  if (node < first_leaf_) return Tier::host;
  if (node < first_spine_) return Tier::leaf;
  return node < first_core_ ? Tier::spine : Tier::core;
}

std::int32_t FoldedClos::pod(NodeId node) const {
  switch (tier(node)) {
    case Tier::host: return pod(leaf_of(node));
    case Tier::leaf: return (node - first_leaf_) / static_cast<NodeId>(shape_.leaves);
    case Tier::spine: return (node - first_spine_) / static_cast<NodeId>(shape_.spines);
    case Tier::core: break;
  }
  return 0;
}

std::int32_t FoldedClos::number(NodeId node) const {
  switch (tier(node)) {
    case Tier::host: return number(leaf_of(node));
    case Tier::leaf: return (node - first_leaf_) % static_cast<NodeId>(shape_.leaves);
    case Tier::spine: return (node - first_spine_) % static_cast<NodeId>(shape_.spines);
    case Tier::core: break;
  }
  return (node - first_core_) % static_cast<NodeId>(shape_.spines);
}

/// A host has one link, to its leaf. Leaves and spines of a pod are all linked, and spines of one number have the same
/// cores, so a path has more links if the pod or the number of the spine changes.
std::int32_t FoldedClos::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  std::int32_t links = 0;
  for (NodeId* node : {&from, &to})
    if (tier(*node) == Tier::host) {
      *node = leaf_of(*node);
      ++links;
    }
  if (from == to) return links;
  if (tier(from) > tier(to)) std::swap(from, to);
  const Tier upper = tier(to);
  const bool same_pod = pod(from) == pod(to), same_number = number(from) == number(to);
  switch (tier(from)) {
    case Tier::leaf:
      if (upper == Tier::leaf) return links + (same_pod ? 2 : 4);
      return links + (upper == Tier::core ? 2 : same_pod ? 1 : 3);
    case Tier::spine:
      if (upper == Tier::core) return links + (same_number ? 1 : 3);
      return links + (same_pod || same_number ? 2 : 4);
    default: return links + (same_number ? 2 : 4);
  }
}

/// The last host differs from the first one in all that there are several of.
std::int32_t FoldedClos::diameter() const { return distance(0, hosts() - 1); }

NetworkSize folded_clos_size(const Shape& shape) {
  const auto leaves = static_cast<double>(shape.pods) * static_cast<double>(shape.leaves);
  const auto spines = static_cast<double>(shape.pods) * static_cast<double>(shape.spines);
  const auto hosts = leaves * static_cast<double>(shape.hosts), cores = static_cast<double>(shape.cores);
  const double up = leaves * static_cast<double>(shape.spines) * static_cast<double>(shape.cables);
  return {hosts + leaves + spines + cores, 2 * (hosts + up + static_cast<double>(shape.pods) * cores)};
}

NetworkGraph make_folded_clos(const FoldedClos& clos, std::int32_t link_latency) {
  const Shape& shape = clos.shape();
  const bool has_cores = shape.cores > 0;
  const std::int64_t of_spine = shape.cores / shape.spines;  // cores
  NetworkGraphBuilder builder;
  builder.expect(clos.nodes(), clos.ports());
  const PortNaming of_host = builder.name_ports({"up"});
  const PortNaming of_leaf = builder.name_ports(port_names(shape.hosts, shape.spines * shape.cables));
  const PortNaming of_spines = builder.name_ports(port_names(shape.leaves * shape.cables, of_spine));

  // Each tier has this width.
  const auto width =
      static_cast<double>(std::max({shape.pods * shape.leaves * shape.hosts, shape.pods * shape.spines, shape.cores}));
  const double rise =
      std::max(2.0, width / 8);  // a wide network is drawn higher, so that steep links remain distinguishable
  const auto middle = [width](std::int64_t number, std::int64_t count) {
    return (static_cast<double>(number) + 0.5) * width / static_cast<double>(count) - 0.5;
  };
  const double top = has_cores ? 3 : 2;
  const auto in_pod = [&](std::int64_t pod, const std::string& rest) {
    return (has_cores ? "p" + padded(pod, shape.pods) + "_" : "") + rest;
  };
  const auto label = [&](std::int64_t pod, const char* letter, std::int64_t number, std::int64_t count) {
    return in_pod(pod, (has_cores ? letter : "") + padded(number, count));
  };
  for (std::int64_t pod = 0; pod < shape.pods; ++pod)
    for (std::int64_t leaf = 0; leaf < shape.leaves; ++leaf)
      for (std::int64_t host = 0; host < shape.hosts; ++host)
        builder.add_node(
            NodeRole::processor,
            "host_" + in_pod(pod, "l" + padded(leaf, shape.leaves) + "_h" + padded(host, shape.hosts)),
            PaperPosition{middle((pod * shape.leaves + leaf) * shape.hosts + host, clos.hosts()), top * rise}, of_host);
  for (std::int64_t pod = 0; pod < shape.pods; ++pod)
    for (std::int64_t leaf = 0; leaf < shape.leaves; ++leaf)
      builder.add_node(NodeRole::switch_node, "leaf_" + label(pod, "l", leaf, shape.leaves),
                       PaperPosition{middle(pod * shape.leaves + leaf, shape.pods * shape.leaves), (top - 1) * rise},
                       of_leaf);
  for (std::int64_t pod = 0; pod < shape.pods; ++pod)
    for (std::int64_t spine = 0; spine < shape.spines; ++spine)
      builder.add_node(NodeRole::switch_node, "spine_" + label(pod, "s", spine, shape.spines),
                       PaperPosition{middle(pod * shape.spines + spine, shape.pods * shape.spines), (top - 2) * rise},
                       of_spines);
  if (has_cores) {
    const PortNaming of_core = builder.name_ports(port_names(shape.pods, 0));
    for (std::int64_t core = 0; core < shape.cores; ++core)
      builder.add_node(NodeRole::switch_node, "core_" + padded(core, shape.cores),
                       PaperPosition{middle(core, shape.cores), 0}, of_core);
  }

  const auto join = [&](std::int64_t lower, std::int64_t up, std::int64_t upper, std::int64_t down) {
    const LinkEnd below{static_cast<NodeId>(lower), static_cast<Port>(up)};
    const LinkEnd above{static_cast<NodeId>(upper), static_cast<Port>(down)};
    builder.add_link(below, above, {link_latency});
    builder.add_link(above, below, {link_latency});
  };
  const std::int64_t first_leaf = clos.hosts(), first_spine = first_leaf + shape.pods * shape.leaves;
  const std::int64_t first_core = first_spine + shape.pods * shape.spines;
  for (std::int64_t host = 0; host < clos.hosts(); ++host)
    join(host, 0, first_leaf + host / shape.hosts, host % shape.hosts);
  for (std::int64_t pod = 0; pod < shape.pods; ++pod)
    for (std::int64_t spine = 0; spine < shape.spines; ++spine) {
      const std::int64_t upper = first_spine + pod * shape.spines + spine;
      for (std::int64_t leaf = 0; leaf < shape.leaves; ++leaf)
        for (std::int64_t cable = 0; cable < shape.cables; ++cable)
          join(first_leaf + pod * shape.leaves + leaf, shape.hosts + spine * shape.cables + cable, upper,
               leaf * shape.cables + cable);
      for (std::int64_t core = 0; core < of_spine; ++core)
        join(upper, shape.leaves * shape.cables + core, first_core + core * shape.spines + spine, pod);
    }
  builder.set_distance([clos](NodeId from, NodeId to) { return clos.distance(from, to); }, clos.diameter());
  return builder.build();
}

}  // namespace starloom
