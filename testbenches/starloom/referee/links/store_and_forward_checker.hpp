// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Replay of the store-and-forward model.
#include <optional>

#include <starloom/referee/links/occupancy.hpp>
#include <starloom/referee/links/storage_checker.hpp>

namespace starloom::links {

/// Single-flit packets that may wait anywhere; `bound` or `residents` limit those that stay.
class StoreAndForwardChecker final : public StorageChecker {
 public:
  explicit StoreAndForwardChecker(CheckContext& context);
  void begin_step(Step step) override;
  void inject(const TraceRow& row) override;
  void hop(const TraceRow& row, LinkId link) override;
  void consume(const TraceRow& row) override;
  void end_step(Step step) override;

 private:
  static constexpr std::int32_t in_buffers = 0;

  NodeId location_in_network(PacketId /*packet*/, const State& state) const override { return state.node; }
  /// Checks that the packet is readable at the row's node; it leaves it.
  State& leave(const TraceRow& row);
  void check_bound(NodeId node, std::int32_t stay, Step step) const;

  std::optional<Occupancy> staying_;  ///< by node, if there is a bound: readable and neither sent nor consumed
};

}  // namespace starloom::links
