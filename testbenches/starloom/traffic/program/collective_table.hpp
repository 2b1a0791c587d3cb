// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The algorithms of collectives (docs/collectives.md).
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <starloom/traffic/program/operation_plan.hpp>

namespace starloom {

/// A collective among the ranks of a list.
struct Collective {
  std::string op;
  std::string algorithm;
  std::int64_t flits = 0;  ///< all-reduce, broadcast, reduce: of the buffer of a rank; all-gather: of the whole output;
                           ///< reduce-scatter, all-to-all: of the whole input; barrier: 0
  std::int32_t chunk = 0;  ///< the most flits of a message; 0: not cut
  std::int32_t root = 0;   ///< index in the list
  std::int64_t rows = 0, columns = 0;  ///< of the grid of ranks, row by row; 0: there is none
  double reduce = 0;                   ///< steps a flit

  bool operator==(const Collective& other) const;
};

/// An algorithm of one collective, or of several.
struct CollectiveAlgorithm {
  std::string name;
  std::vector<std::string> ops;
  /// The reason why a list of ranks cannot run it; empty: it can.
  std::function<std::string(const Collective& collective, std::int32_t ranks)> refuse;
  std::function<void(OperationPlan& plan, const Collective& collective)> plan;
  /// An estimate of its steps, in a network in which messages never wait for each other. \param latency steps of a
  /// flit between neighbours. Null: there is none.
  std::function<double(const Collective& collective, std::int32_t ranks, Step latency)> model{};
};

/// All of them; the first one of a collective is its default.
const std::vector<CollectiveAlgorithm>& collective_table();
/// The names of collectives, in the order of the table.
std::vector<std::string> collective_ops();
/// The algorithms of a collective.
std::vector<std::string> algorithms_of(const std::string& op);
/// Null: the collective has no algorithm of this name.
const CollectiveAlgorithm* find_collective(const std::string& op, const std::string& algorithm);

/// The reason why ranks cannot run a collective, whose algorithm exists; empty: they can.
std::string refusal_of(const Collective& collective, std::int32_t ranks);

/// The flits that cross the busiest link of an ideal machine, by the flits of the collective: the bus bandwidth is the
/// algorithm bandwidth times that (NCCL tests, PERFORMANCE.md). Empty: a barrier.
std::optional<double> bus_factor(const std::string& op, std::int32_t ranks);

/// The plan of a collective that its algorithm does not refuse.
OperationPlan plan_of(const Collective& collective, std::int32_t ranks);

}  // namespace starloom
