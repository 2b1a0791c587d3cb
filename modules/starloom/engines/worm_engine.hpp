// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The engine of the links-only and never-standing models, in which whole worms move or hold as units.
#include <array>

#include <starloom/engines/engine.hpp>

namespace starloom::links {

/// Nodes store nothing. A worm of L flits occupies the last links of its head's path, one flit per link register. A
/// step has two passes: controllers of awake nodes decide about heads; then every worm that is not held moves by one
/// link: its front flit crosses the link that was chosen for the head (or is consumed), each other flit follows into
/// the register before it, and one more flit leaves the source while some remain. A held worm takes no time until it
/// is released. All parts of a network finish the first pass before the second begins. All links have latency 1. If
/// the algorithm declares it, flits carry a payload from register to register.
///
/// Dead links have no out-ports. Where hardware dies during the run, worms of one flit may be lost before the step.
class WormEngine final : public Engine {
 public:
  explicit WormEngine(EngineSetup& setup);

  std::vector<Waiting> waiting(const Algorithm& algorithm, std::size_t most) const override;

  std::optional<Flit> on_link(NodeId node, Port out) const override;

 private:
  enum class State : std::uint8_t { moving, held, consuming };

  /// The registers that a worm occupies, front first. A ring, because a worm pushes at the front and pops at the back;
  /// that of a short worm needs no allocation.
  class Registers {
   public:
    void reset(std::size_t most) {
      std::uint32_t length = 4;
      while (length < most + 1) length *= 2;
      if (length > short_.size()) long_.resize(length);
      mask_ = length - 1;
      front_ = count_ = 0;
    }
    std::size_t size() const { return count_; }
    std::uint32_t operator[](std::size_t i) const { return ring()[(front_ + i) & mask_]; }
    std::uint32_t front() const { return (*this)[0]; }
    std::uint32_t back() const { return (*this)[count_ - 1]; }
    void push_front(std::uint32_t slot) {
      front_ = (front_ - 1) & mask_;
      (mask_ < short_.size() ? short_.data() : long_.data())[front_] = slot;
      ++count_;
    }
    void pop_back() { --count_; }

   private:
    const std::uint32_t* ring() const { return mask_ < short_.size() ? short_.data() : long_.data(); }

    std::uint32_t mask_ = 3, front_ = 0, count_ = 0;
    std::array<std::uint32_t, 4> short_{};
    std::vector<std::uint32_t> long_;
  };

  struct alignas(64) Worm {
    Flit head;  ///< as the algorithm has changed it
    std::int32_t flits = 1;
    std::int32_t emitted = 0;   ///< flits that have left the source's memory
    std::int32_t consumed = 0;  ///< flits taken by the processor at the head's node
    State state = State::moving;
    NodeId at = no_node;    ///< the node that its head has reached
    Port leaves = no_port;  ///< out-port of it through which its head goes in this step
    Wiring::End to;         ///< the far end of that out-port
    Registers slots;        ///< occupied registers; slots[i] holds flit consumed + i
  };
  /// Data of a node that is read in every step in which it runs, in one record.
  struct NodeState {
    PortMask in_ports = 0, out_ports = 0;  ///< ports that have a link
    PortMask heads = 0;                    ///< in-ports with a moving head
    PortMask parked = 0;                   ///< in-ports with a held head
    PortMask bound = 0;                    ///< out-ports that a worm still passes through
    PortMask controls = 0;                 ///< in-ports with a control object
  };
  using WormId = std::int32_t;
  static constexpr WormId no_worm = -1;
  /// Changes of a node that worms reach or leave, which take effect at the end of the step.
  struct Change {
    NodeId node = no_node;
    PortMask heads = 0;     ///< in-ports that a moving head has reached
    PortMask controls = 0;  ///< in-ports that a control object has reached
    PortMask unbound = 0;   ///< out-ports that no worm passes through any more
  };
  struct WormPart : Part {
    std::vector<WormId> free;
    std::size_t wanted = 0;         ///< worms that it may start in this step
    std::vector<WormId> moving;     ///< worms that move in this step
    std::vector<WormId> consuming;  ///< worms that a processor goes on consuming in the next step
    std::vector<std::pair<std::uint32_t, Flit>> controls_sent;  ///< in this step: in-slot and object
    WakeCalendar::StepFlags next;                               ///< of the step after the one that runs
    std::vector<Change> remote_changes;                         ///< in this step, of nodes of other parts
    WormFrame frame;
  };

  void run_nodes(Step step, WakeCalendar::Bitmap& awake) override;
  void act_on_faults(const std::vector<FaultEvent>& events) override;
  void flush() override;
  void reroute(const Algorithm& algorithm) override;
  void lose_heads() override;
  WormFrame& frame_at(NodeId node);
  void lose_worms(NodeId node, PortMask ins, LossCause cause);
  void provide_worms(const WakeCalendar::Bitmap& awake);
  void run_part(WormPart& part, WakeCalendar::Bitmap& awake);
  void run_node(WormPart& part, NodeId node);
  void decide_heads(WormPart& part, NodeId node);
  [[gnu::noinline]] void refuse_ejection(Part& part, NodeId node);
  void start_worm(WormPart& part, NodeId node);
  void send(Worm& worm, NodeId node, Port out);
  void set_moving(WormPart& part, WormId id);
  // Always inlined: compilers remove calls of a function that only prefetches.
  [[gnu::always_inline]] void prefetch_worm(WormId id) const;
  [[gnu::always_inline]] void prefetch_worms(const WormPart& part, std::size_t i) const;
  void move_worms(WormPart& part);
  void advance(WormPart& part, WormId id);
  void change(WormPart& part, const Change& change) {
    if (part.nodes.has(change.node)) apply(part, change);
    else part.remote_changes.push_back(change);  // until all parts have moved their worms
  }
  void apply(const WormPart& part, const Change& change) {
    NodeState& state = nodes_[static_cast<std::size_t>(change.node)];
    state.heads |= change.heads;
    state.controls |= change.controls;
    state.bound &= ~change.unbound;
    if ((change.heads | change.controls) != 0) part.next.wake(part.lane(change.node));
  }
  void carry_payload(Part& part, const Worm& worm, bool emits, std::uint32_t last_before);
  void enter_controls(WormPart& part);

  NodeId node_of(std::uint32_t slot) const {
    return static_cast<NodeId>(slot / static_cast<std::uint32_t>(wiring_.ports));
  }
  Port port_of(std::uint32_t slot) const { return static_cast<Port>(slot % static_cast<std::uint32_t>(wiring_.ports)); }
  std::uint32_t in_slot(NodeId node, Port out) const {
    const Wiring::End to = wiring_.out[wiring_.index(node, out)];
    return static_cast<std::uint32_t>(wiring_.index(to.node, to.port));
  }

  std::vector<WormController*> worm_controllers_;
  std::vector<Worm> worms_;
  std::vector<WormId> register_;     ///< [in-slot] the worm whose flit it holds
  std::vector<std::int32_t> shown_;  ///< [in-slot] index of that flit; kept while observed
  std::array<std::vector<std::uint32_t>, 2>
      payload_;                   ///< [parity of the step][in-slot] payload of its flit; empty: flits have none
  std::vector<NodeState> nodes_;  ///< [node]
  std::vector<Flit> control_;     ///< [in-slot] the control object in it
  std::vector<WormPart> parts_;
};

}  // namespace starloom::links
