// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/hardware.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include <starloom/topology/instance_glob.hpp>

namespace starloom::energy {
namespace {

using links::Declaration;

/// Places for flits in the buffers of an in-port; 0: there are none.
int places_at(const Declaration& declaration, const Sizes& sizes, NodeId node) {
  if (links::moves_worms(declaration.storage)) return 0;
  if (declaration.storage == StorageModel::store_and_forward) {
    const auto& residents = declaration.residents;
    const bool alike =
        std::all_of(residents.begin(), residents.end(), [&](std::int32_t most) { return most == residents.front(); });
    const std::int32_t bound = residents.empty() ? declaration.bound : alike ? residents.front() : 0;
    return bound > 0 ? bound : sizes.depth;
  }
  if (declaration.shared.is_shared()) return declaration.shared.places;
  const std::int64_t places = std::int64_t{declaration.channels_at(node)} * declaration.capacity_at(node);
  return static_cast<int>(std::min<std::int64_t>(places, std::numeric_limits<int>::max()));
}

int count_of(PortSet ports) {
  int count = 0;
  for ([[maybe_unused]] const Port port : ports) ++count;
  return count;
}

RouterSize router_size(const NetworkGraph& graph, const Declaration& declaration, const Sizes& sizes, NodeId node) {
  const bool has_channels = declaration.storage == StorageModel::virtual_channels;
  const int ports = std::max(count_of(graph.out_ports(node)), count_of(graph.in_ports(node)));
  const int local = graph.processor_of(node) >= 0 ? 1 : 0;
  return {sizes.bits, has_channels ? declaration.channels_at(node) : 1, places_at(declaration, sizes, node),
          std::max(ports + local, 2), has_channels};
}

/// The wires that return a credit: one, and those of the number of the channel.
int credit_wires(int channels) {
  int wires = 1;
  while ((1 << (wires - 1)) < channels) ++wires;
  return wires;
}

/// Numbers sizes in the order in which they are asked for, and evaluates each once.
template <class Kind>
class Kinds {
 public:
  template <class CostOf>
  std::int32_t number_of(const Kind& size, std::vector<Cost>& costs, const CostOf& cost_of) {
    const auto [at, added] = numbers_.emplace(size, static_cast<std::int32_t>(costs.size()));
    if (added) costs.push_back(cost_of(size));
    return at->second;
  }

 private:
  std::map<Kind, std::int32_t> numbers_;
};

/// Lengths of links by their names.
class Lengths {
 public:
  explicit Lengths(const Sizes& sizes) : sizes_(sizes), used_(sizes.link_mm.size(), false) {}

  double of(const NetworkGraph& graph, NodeId node, Port port, bool of_terminal) {
    if (!used_.empty()) {
      const std::string name = graph.link_name(node, port);
      bool found = false;
      double length = 0;
      for (std::size_t i = 0; i < used_.size(); ++i) {
        if (!glob_matches(sizes_.link_mm[i].first, name)) continue;
        used_[i] = true;
        if (!std::exchange(found, true)) length = sizes_.link_mm[i].second;
      }
      if (found) return length;
    }
    return of_terminal ? sizes_.terminal_mm : sizes_.other_link_mm;
  }
  /// The names that have matched no link so far, each with a sentence.
  std::vector<std::pair<std::string, std::string>> unknown(const NetworkGraph& graph) const {
    std::vector<std::pair<std::string, std::string>> unknown;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) continue;
      if (names.empty())
        for (NodeId node = 0; node < graph.nodes(); ++node)
          for (const Port port : graph.out_ports(node)) names.push_back(graph.link_name(node, port));
      const std::string& name = sizes_.link_mm[i].first;
      unknown.emplace_back(name, no_match_text(name, {names}, "names of links are such as " + names.front()));
    }
    return unknown;
  }

 private:
  const Sizes& sizes_;
  std::vector<bool> used_;
};

}  // namespace

Hardware hardware_of(const NetworkGraph& graph, const Declaration& declaration, const Sizes& sizes, Costs& costs) {
  Hardware hardware;
  hardware.assumed_toggles = costs.assumed_toggles(sizes.bits);
  hardware.routers.assign(static_cast<std::size_t>(graph.nodes()), -1);
  hardware.links.assign(graph.link_slots(), -1);
  Kinds<RouterSize> router_kinds;
  Kinds<LinkSize> link_kinds;
  Lengths lengths(sizes);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const bool terminal = !links::has_router(graph, declaration, node);
    if (!terminal)
      hardware.routers[static_cast<std::size_t>(node)] = router_kinds.number_of(
          router_size(graph, declaration, sizes, node), hardware.router_costs, [&](const RouterSize& size) {
            hardware.router_sizes.push_back(size);
            return costs.router(size);
          });
    for (const Port port : graph.out_ports(node)) {
      const NodeId to = graph.far_end(node, port).node;
      LinkSize size{sizes.bits};
      if (declaration.storage == StorageModel::virtual_channels)
        size.credit_wires = credit_wires(declaration.channels_at(to));
      size.millimetres = lengths.of(graph, node, port, terminal || !links::has_router(graph, declaration, to));
      size.registers = graph.wire_latency(node, port) - 1;
      hardware.links[graph.index(node, port)] =
          link_kinds.number_of(size, hardware.link_costs, [&](const LinkSize& of) { return costs.link(of); });
    }
  }
  hardware.unknown_links = lengths.unknown(graph);
  return hardware;
}

}  // namespace starloom::energy
