// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The engine of the store-and-forward model.
#include <starloom/engines/engine.hpp>

namespace starloom::links {

/// Flits cross links one by one; nodes keep them in buffers. Link registers, buffers and arrival masks are arenas
/// indexed by (phase, node, port), so the data that a node reads is adjacent.
/// \tparam Ports PortMask, or ManyPorts for nodes of more than `ports_per_word` ports.
template <class Ports>
class StoreAndForwardEngine final : public Engine {
 public:
  explicit StoreAndForwardEngine(EngineSetup& setup);

  std::vector<Waiting> waiting(const Algorithm& algorithm, std::size_t most) const override;
  std::optional<Flit> on_link(NodeId node, Port out) const override;
  std::int32_t occupancy(NodeId node, std::int32_t buffer) const override {
    const FlitPart& part = parts_[partition_.part_of(node)];
    return part.buffers.size(buffer_index(part, node, buffer));
  }

  Flit stored(NodeId node, std::int32_t buffer, std::int32_t i) const override;
  void observe(NodeId node, std::int32_t buffer, BufferObserver* observer) override {
    FlitPart& part = parts_[partition_.part_of(node)];
    part.buffers.observe(buffer_index(part, node, buffer), observer);
  }

 private:
  struct FlitPart : Part {
    BufferPool buffers;                           ///< of its nodes
    std::vector<DelaySlotOf<Ports>> delay_slots;  ///< [steps from the one that runs], valid for `distances_`
    FlitFrameOf<Ports> frame;
    std::vector<Flit> ejected, taken, accepted;
    std::int64_t ran_before = 0;     ///< nodes that ran in the step before
    bool checks_every_node = false;  ///< the decisions of every node are checked one by one
  };
  /// Data of a node that its step reads and writes.
  struct NodeState {
    FlitControllerOf<Ports>* controller = nullptr;
    Ports in_ports{};
    Ports out_ports{};
    std::int32_t stored = 0;  ///< flits in the node's buffers
  };
  std::size_t buffer_index(const FlitPart& part, NodeId node, std::int32_t buffer) const {
    return static_cast<std::size_t>(node - part.nodes.first) * static_cast<std::size_t>(buffers_per_node_) +
           static_cast<std::size_t>(buffer);
  }
  void run_nodes(Step step, WakeCalendar::Bitmap& awake) override;
  void act_on_faults(const std::vector<FaultEvent>& events) override;
  void flush() override;
  void reroute(const Algorithm& algorithm) override;
  void lose_heads() override;
  void count_queues();
  FlitFrameOf<Ports>& frame_at(NodeId node);
  const Flit* on_its_way(std::size_t link, std::int32_t distance) const;
  void lose(NodeId node, const Flit& flit, LossCause cause);
  void lose_on_link(std::size_t link, std::int32_t distance, LossCause cause);
  void lose_arrivals(NodeId node, LossCause cause);
  bool lose_stored(NodeId node, const Ports& ports, LossCause cause);
  void withhold_dead(FlitFrameOf<Ports>& frame) const {
    const Ports& dead = dead_[static_cast<std::size_t>(frame.node)];
    frame.withheld = has_intervals() ? frame.withheld | dead : dead;
    frame.out_ports = without(frame.out_ports, dead);
  }
  void run_part(FlitPart& part, WakeCalendar::Bitmap& awake);
  /// Runs the nodes of a part if few are awake; their data is far apart in memory.
  void run_scattered(FlitPart& part, WakeCalendar::Bitmap& awake);
  void run_node(FlitPart& part, NodeId node);
  void record_arrivals(FlitPart& part, NodeId node);
  bool carry_out(FlitPart& part, NodeId node, std::int32_t& stored);
  void refuse(FlitPart& part, NodeId node);
  void record_sends(FlitPart& part, NodeId node);
  void close_record(Step last) override;
  DelaySlotOf<Ports> delay_slot(Step step, const Part& part);
  void commit_ejections(FlitPart& part, NodeId node);
  void check_storage(Part& part, NodeId node, std::int32_t stored);
  std::vector<PacketId> holders(const Flit& flit, const Wiring::End& to) const;
  std::vector<PacketId> stored_packets(NodeId node) const;

  const bool extras_;  ///< side wires, links with intervals, or hardware that dies during the run
  const std::size_t node_ports_;
  std::int32_t buffers_per_node_;
  std::vector<NodeState> nodes_;
  std::vector<OutLink> links_;                      ///< [node * ports + out-port]
  std::vector<Flit> slots_;                         ///< [phase][node * ports + in-port]
  std::vector<ArrivalSummaryOf<Ports>> summaries_;  ///< [phase][lane]
  std::vector<std::int32_t> distances_;             ///< latencies of links, 0 and 1, in ascending order
  std::vector<Ports> dead_;  ///< [node] out-ports with a dead link, if hardware dies during the run
  std::vector<FlitPart> parts_;
};

}  // namespace starloom::links
