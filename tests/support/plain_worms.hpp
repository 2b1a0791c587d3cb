// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference engine of links-only and never-standing: whole worms move or wait.
#include <deque>

#include "support/plain_engine.hpp"

namespace starloom::links {

class PlainWorms final : public PlainEngine {
 public:
  using PlainEngine::PlainEngine;

 private:
  enum class State { moving, held, consuming };

  /// A packet in the network. Flits consumed .. emitted-1 are on `links`, one on each.
  struct Worm {
    State state = State::moving;
    Flit head;
    std::int32_t flits = 1;
    std::deque<Place> links;            ///< (node, out-port), from head to tail
    std::deque<std::uint32_t> payload;  ///< of the flits on them, if the algorithm asks for it
    std::int32_t emitted = 0;
    std::int32_t consumed = 0;
    Port next = no_port;  ///< the out-port of the head in this step
    NodeId consumer = no_node;
  };

  void execute_step() override;
  bool in_motion() const override;
  std::int64_t queued(NodeId) const override { return 0; }
  void act_on_faults(const std::vector<FaultEvent>& events) override;
  void flush() override;
  void reroute(ControllerArray& others) override;
  void lose_heads() override;
  std::map<Port, PacketId> arrivals(NodeId node) const;
  WormFrame frame_with(NodeId node, const std::map<Port, PacketId>& arrivals);
  void lose_worm(PacketId packet, NodeId node, LossCause cause);

  // First pass: heads decide.
  void look_around();
  void run_node(NodeId node);
  void carry_out(const WormFrame& frame);
  // Second pass: whole worms move.
  void move_worms();
  void advance(Worm& worm);
  void enter(Place link);

  std::map<PacketId, Worm> worms_;
  std::map<Place, Flit> controls_;       ///< control objects on links, readable in this step at (node, in-port)
  std::map<Place, Flit> sent_controls_;  ///< put on links in this step, by (node, out-port)
  std::map<Place, PacketId> heads_;   ///< heads of moving and held worms at the start of the step, by (node, in-port)
  std::map<NodeId, PortMask> bound_;  ///< out-ports that have flits to pass at the start of the step
  std::set<Place> taken_;             ///< registers that stay occupied or have been entered in this step
};

}  // namespace starloom::links
