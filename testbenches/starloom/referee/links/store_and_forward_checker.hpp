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
  void drop(const TraceRow& row) override;
  bool uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const override;
  void check_death(const FaultEvent& death) const override;
  void end_step(Step step) override;

 private:
  // The slot of a packet in the network: whether it came over a link, and over which.
  static constexpr std::int32_t from_memory = 0;
  static std::int32_t over(LinkId link) { return link + 1; }
  /// The link that it has not crossed before a step; -1: none.
  static LinkId on_link(const State& state, Step step) { return state.ready > step ? state.slot - 1 : -1; }

  NodeId location_in_network(PacketId /*packet*/, const State& state) const override { return state.node; }
  /// Checks that the packet is readable at the row's node; it leaves it.
  State& leave(const TraceRow& row);
  void check_bound(NodeId node, std::int32_t stay, Step step) const;

  std::optional<Occupancy> staying_;  ///< by node, if there is a bound: readable and neither sent nor consumed
};

}  // namespace starloom::links
