// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets of a run, made for either kind of network.
#include <memory>
#include <optional>
#include <starloom/experiment/experiment.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Traffic, and its packets if the algorithm needs all of them before the run.
struct TrafficSetup {
  std::unique_ptr<Traffic> traffic;  ///< null if it has errors
  std::optional<std::vector<Packet>> known{};
};

/// The algorithm plans before the run, or its nodes count steps together: all packets are created in step 0.
inline bool all_at_once(const AlgorithmEntry& entry) { return entry.off_line || entry.in_lockstep; }

/// `to_all`: packets may go to all nodes.
TrafficContext traffic_context(const Experiment& experiment, Processors processors, bool to_all);

/// Makes the traffic; errors are added to `diagnostics`.
TrafficSetup set_up_traffic(const Experiment& experiment, const TrafficContext& context, Diagnostics& diagnostics);

/// The flits of the longest packet that the traffic can create, with replies; empty: not known before the run.
std::optional<std::int64_t> longest_packet(const Experiment& experiment, const TrafficContext& context,
                                           const Traffic& traffic);

/// A sentence about packets longer than the algorithm supports, `most` flits, or empty.
std::optional<std::string> flits_error(const Experiment& experiment, const TrafficContext& context,
                                       const Traffic& traffic, std::int64_t most);

}  // namespace starloom
