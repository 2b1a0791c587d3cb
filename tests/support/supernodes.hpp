// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Supernode-hot-potato as tests make and run it.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_hot_potato.hpp>
#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/schema/key_check.hpp>
#include "support/list_source.hpp"
#include "support/networks.hpp"
#include "support/stepper.hpp"

namespace starloom::links {

/// The settings of a run.
struct SupernodeCase {
  std::int32_t f = 12, k = 4;
  std::int32_t side = 2;  ///< N
  std::string router = "row-first";
  std::string consumption = "round";
  bool preloaded = false;
  SupernodeDouble changed{};

  SupernodeSize size() const { return SupernodeSize::of(f, k); }
  std::int32_t n() const { return side * size().side(); }
  Grid mesh() const { return Grid::mesh({n(), n()}); }
  /// A node by its supernode (row * N + column) and its cell.
  NodeId node(std::int32_t supernode, Cell cell) const {
    const std::int32_t s = size().side();
    return (supernode / side * s + cell / s) * n() + supernode % side * s + cell % s;
  }
  /// The algorithm for these packets. \throws InputError
  std::unique_ptr<Algorithm> make(const std::vector<Packet>& packets) const {
    const LinkNetwork& network = network_of(mesh());
    AlgorithmContext context{&network, 1, &packets};
    context.preloaded = preloaded;
    const AlgorithmEntry& entry = *find_algorithm("supernode-hot-potato");
    const KeyValues keys = checked_values(
        entry.keys, {{"f", std::int64_t{f}}, {"k", std::int64_t{k}}, {"router", router}, {"consumption", consumption}},
        entry.name);
    return make_supernode_hot_potato(context, keys, changed);
  }
};

/// The algorithm in the reference simulator.
inline StepperResult step_supernodes(const SupernodeCase& c, const std::vector<Packet>& packets) {
  const auto algorithm = c.make(packets);
  ListSource source(packets);
  StepperOptions options;
  options.max_steps = algorithm->declaration().program_end;
  return run_stepper(c.mesh(), *algorithm, source, options);
}

/// A worm from every node, all of one length.
inline std::vector<Packet> worms_to(const std::vector<NodeId>& destinations, std::int32_t flits) {
  std::vector<Packet> packets;
  for (std::size_t node = 0; node < destinations.size(); ++node)
    if (destinations[node] != no_node) packets.push_back({static_cast<NodeId>(node), destinations[node], flits, 0});
  return packets;
}

}  // namespace starloom::links
