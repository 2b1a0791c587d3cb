// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Replay of the virtual-channels model.
#include <limits>
#include <optional>
#include <vector>

#include <starloom/core/most_steps.hpp>
#include <starloom/referee/links/occupancy.hpp>
#include <starloom/referee/links/storage_checker.hpp>
#include <starloom/referee/links/tree_checker.hpp>

namespace starloom::links {

/// Packets that stretch over the path of their head; flits wait in the buffers of in-links.
class VirtualChannelChecker final : public StorageChecker {
 public:
  explicit VirtualChannelChecker(CheckContext& context);
  void begin_step(Step step) override;
  void inject(const TraceRow& row) override;
  void hop(const TraceRow& row, LinkId link) override;
  void repeat(const TraceRow& row) override { repeated(row).ready = most_steps; }
  void accept(const TraceRow& row, LinkId link) override { repeated(row).ready = row.step + context_.latency(link); }
  void consume(const TraceRow& row) override;
  void drop(const TraceRow& row) override;
  void end_drops() override;
  void end_step(Step step) override;

 private:
  struct FlitState {
    std::int32_t hops = 0;  ///< links crossed since the injection
    Step ready = 0;         ///< first step in which it may move on
  };
  /// A packet in the network. Reused, so that packets need no allocation once this number has been in flight.
  struct Train {
    NodeId source = no_node;       ///< where it was injected
    std::int32_t injected = 0;     ///< flits
    std::int32_t consumed = 0;     ///< flits
    std::int32_t dropped = 0;      ///< flits, in this step
    std::vector<LinkId> path;      ///< of the head
    std::vector<FlitState> flits;  ///< [index]
  };

  NodeId location_in_network(PacketId packet, const State& state) const override;
  bool is_copied(PacketId packet) const { return copies_ && is_group(context_.packet(packet).destination); }
  void hop_copy(const TraceRow& row, LinkId link);
  FlitState& repeated(const TraceRow& row) {
    return trains_[static_cast<std::size_t>(in_network(row).slot)].flits[static_cast<std::size_t>(row.flit)];
  }
  void consume_copy(const TraceRow& row);
  void check_consumed_in(const TraceRow& row);
  NodeId node_of(const Train& train, std::int32_t flit) const;
  /// Checks that the flit is readable at the row's node; it leaves it.
  FlitState& leave(const TraceRow& row, Train& train);
  void check_capacity(LinkId link, std::int32_t waiting, Step step) const;

  std::vector<Train> trains_;  ///< [slot]
  std::vector<std::int32_t> free_;
  std::optional<Occupancy> waiting_;   ///< by the link they came over, if buffers have a capacity and nodes no FIFOs
  std::optional<TreeChecker> copies_;  ///< of packets to several destinations
  std::vector<Step> consumed_in_;      ///< [node] last step in which it consumed a flit
  std::vector<TraceRow> drops_;        ///< of this step
};

}  // namespace starloom::links
