// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/butterfly.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

bool too_many_for_a_fly(std::int64_t arity, std::int64_t stages) {
  return !NetworkGraph::has_room(butterfly_size(arity, stages).nodes, static_cast<double>(arity));
}

/// Throws before anything is allocated.
std::int32_t checked_fly_arity(std::int64_t arity, std::int64_t stages) {
  if (arity < Butterfly::least_arity || arity > Butterfly::most_arity)
    throw InputError("a butterfly has an arity of 2 to 32, not " + std::to_string(arity) +
                     ": its switches have as many ports on a side");
  if (stages < 1) throw InputError("a butterfly has at least one stage of switches, not " + std::to_string(stages));
  if (too_many_for_a_fly(arity, stages)) {
    std::int64_t most = 1;
    while (!too_many_for_a_fly(arity, most + 1)) ++most;
    throw InputError("a butterfly of arity " + std::to_string(arity) + " has at most " + std::to_string(most) +
                     " stages, not " + std::to_string(stages) + ", because it has arity^stages processors");
  }
  return static_cast<std::int32_t>(arity);
}

}  // namespace

Butterfly::Butterfly(std::int64_t arity, std::int64_t stages)
    : arity_(checked_fly_arity(arity, stages)), stages_(static_cast<int>(stages)), switches_(power(stages_ - 1)) {}

NetworkSize Butterfly::size() const { return butterfly_size(arity_, stages_); }

NodeId Butterfly::power(int exponent) const {
  NodeId power = 1;
  for (int i = 0; i < exponent; ++i) power *= arity_;
  return power;
}

NodeId Butterfly::exchanged(NodeId line, int stage) const {
  const NodeId weight = power(stages_ - 1 - stage);
  const std::int32_t high = line / weight % arity_, low = line % arity_;
  return line + (low - high) * weight + (high - low);
}

bool Butterfly::agree(NodeId a, NodeId b, int first, int end) const {
  for (int position = first; position < end; ++position)
    if (digit(a, position) != digit(b, position)) return false;
  return true;
}

/// A path on from a switch of stage s can set the digits n-1-s and lower; a switch of stage t is reached from lines
/// whose digits 1 to n-1-t are its own. Switches farther away are reached through one processor, or through two.
std::int32_t Butterfly::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  const int n = stages_, s = stage(from), t = stage(to);
  const NodeId here = s < 0 ? from : number(from) * arity_, there = t < 0 ? to : number(to) * arity_;
  if (s < 0) {  // a processor
    if (t < 0) return n + 1;
    return agree(here, there, 1, n - t) ? t + 1 : n + 1 + t + 1;
  }
  const std::int32_t to_processors = n - s;
  if (t < 0) return agree(here, there, n - s, n) ? to_processors : to_processors + n + 1;
  if (t > s && agree(here, there, 1, n - t) && agree(here, there, n - s, n)) return t - s;
  return to_processors + t + 1 + (agree(here, there, std::max(1, n - s), n - t) ? 0 : n + 1);
}

NetworkSize butterfly_size(std::int64_t arity, std::int64_t stages) {
  const auto k = static_cast<double>(arity), n = static_cast<double>(stages);
  const double processors = std::pow(k, n);
  return {processors + n * processors / k, (n + 1) * processors};
}

NetworkGraph make_butterfly(const Butterfly& butterfly, std::int32_t link_latency) {
  const std::int32_t k = butterfly.arity();
  const int stages = butterfly.stages();
  NetworkGraphBuilder builder;
  builder.expect(butterfly.nodes(), k);
  std::vector<std::string> out, in;
  for (Port port = 0; port < k; ++port) {
    out.push_back("out" + index_text(port, k));
    in.push_back("in" + index_text(port, k));
  }
  const PortNaming of_processors = builder.name_ports({"out"}, {"in"});
  const PortNaming of_switches = builder.name_ports(std::move(out), std::move(in));

  // A wide butterfly is drawn higher, so that steep links remain distinguishable.
  const double rise = std::max(2.0, std::floor(static_cast<double>(butterfly.processors()) / (4.0 * stages)));
  for (NodeId p = 0; p < butterfly.processors(); ++p)
    builder.add_node(NodeRole::processor, "proc_p" + padded(p, butterfly.processors()),
                     PaperPosition{static_cast<double>(p), 0}, of_processors);
  for (int stage = 0; stage < stages; ++stage)
    for (NodeId w = 0; w < butterfly.switches_per_stage(); ++w)
      builder.add_node(NodeRole::switch_node,
                       "switch_s" + index_text(stage, stages) + "_" + padded(w, butterfly.switches_per_stage()),
                       PaperPosition{w * static_cast<double>(k) + (k - 1) / 2.0, (stage + 1) * rise}, of_switches);

  for (NodeId p = 0; p < butterfly.processors(); ++p)
    builder.add_link({p, 0}, {butterfly.switch_at(0, p / k), p % k}, {link_latency});
  for (int stage = 0; stage < stages; ++stage)
    for (NodeId line = 0; line < butterfly.processors(); ++line) {
      const LinkEnd from{butterfly.switch_at(stage, line / k), line % k};
      const NodeId next = stage + 1 < stages ? butterfly.exchanged(line, stage) : line;
      const LinkEnd to =
          stage + 1 < stages ? LinkEnd{butterfly.switch_at(stage + 1, next / k), next % k} : LinkEnd{line, 0};
      builder.add_link(from, to, {link_latency});
    }
  builder.set_distance([butterfly](NodeId from, NodeId to) { return butterfly.distance(from, to); },
                       butterfly.diameter());
  return builder.build();
}

}  // namespace starloom
