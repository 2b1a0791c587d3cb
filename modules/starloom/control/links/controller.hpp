// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface of controllers: the state and actions of a routing algorithm in one node and one step.
///
/// A controller is ordinary C++. The engine that runs it (the SystemC fabric, or the reference simulator of the tests)
/// fills a *frame* with what earlier steps wrote, calls `step`, and then carries out and checks the decisions of the
/// controller. Two views show a frame: FlitView if flits are stored one by one (store-and-forward, virtual-channels),
/// WormView if a whole worm moves as a unit (links-only, never-standing). In networks with nodes of more than
/// `ports_per_word` ports, store-and-forward has a WideFlitView: the same with ManyPorts as its sets of ports.
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/core/buffer_pool.hpp>
#include <starloom/core/flit.hpp>
#include <starloom/core/many_ports.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/random.hpp>
#include <starloom/core/source_memory.hpp>
#include <starloom/core/wake_flag.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The part of a frame that all storage models share. Engines write it, controllers see it through a view.
/// \tparam Ports a set of ports: PortMask or ManyPorts.
template <class Ports>
struct FrameOf {
  // State that the node can read.
  Step step = 0;
  NodeId node = no_node;
  const Grid* grid = nullptr;                    ///< if the network is one
  const std::vector<Packet>* packets = nullptr;  ///< [packet - first_packet]
  PacketId first_packet = 0;
  SourceMemory* memory = nullptr;
  std::uint64_t seed = 0;
  std::uint32_t first_word = 0;  ///< of the random words of the node
  Ports in_ports{};              ///< in-ports with a link
  Ports out_ports{};             ///< out-ports with a link that accepts a flit in this step
  Ports withheld{};  ///< out-ports with a link that accepts none in this step: its interval is not over, or it died

  // Arrivals: flits (worm heads and control objects in the worm models) by in-port, side words by the out-port of the
  // link that they accompany, forward words by in-port.
  Ports arrived{};
  Flit* arrivals = nullptr;  ///< [port], valid where `arrived` has the port
  Ports reverse_arrived{};
  const std::uint32_t* reverse_words = nullptr;
  Ports forward_arrived{};
  const std::uint32_t* forward_words = nullptr;

  // The decisions of the controller.
  Ports sent{};  ///< out-ports that send in this step
  /// True if it did more than send and store flits: took some from the memory, consumed some, broke a rule, wrote
  /// side words or sent a control object. Few nodes do in a step, so an engine need not check for each of these.
  bool unusual = false;
  Ports reverse_written{};
  std::array<std::uint32_t, most_ports_of<Ports>> reverse_out;
  Ports forward_written{};
  std::array<std::uint32_t, most_ports_of<Ports>> forward_out;
  Step wake = no_step;           ///< earliest step requested
  const char* breach = nullptr;  ///< first rule of the contract that the controller broke, or null

  /// Makes the frame ready for the next node.
  void clear_decisions() {
    sent = reverse_written = forward_written = Ports{};
    unusual = false;
    wake = no_step;
  }
};
using Frame = FrameOf<PortMask>;

/// The far end of an out-link.
struct OutLink {
  std::uint32_t slot = 0;       ///< its register among those of `DelaySlot`
  NodeId lane = no_node;        ///< index of the far node among the summaries and flags of `DelaySlot`
  std::int16_t port = no_port;  ///< the in-port there
  std::uint16_t latency = 1;    ///< steps
};

/// A summary, written by the senders, of what a node receives in a step besides the flits themselves.
template <class Ports>
struct ArrivalSummaryOf {
  std::uint64_t tokens = 0;  ///< sum of the tokens of the flits of packets (FlitFrame::token)
  Ports ports{};             ///< in-ports with an arrival
  std::int32_t packets = 0;  ///< number of flits of packets

  /// Takes over the content of another one, and empties it.
  void take(ArrivalSummaryOf& other) {
    tokens += other.tokens;
    ports |= other.ports;
    packets += other.packets;
    other = {};
  }
};

/// The registers that become readable in the same step.
template <class Ports>
struct DelaySlotOf {
  Flit* registers = nullptr;                     ///< [slot]
  ArrivalSummaryOf<Ports>* summaries = nullptr;  ///< [lane]
  WakeFlag* awake = nullptr;                     ///< [lane] the node runs in that step
  std::int32_t* any_awake = nullptr;
};

/// Frame of the store-and-forward and virtual-channels models.
template <class Ports>
struct FlitFrameOf : FrameOf<Ports> {
  // A flit is written directly into the register of its link, without a copy.
  const OutLink* links = nullptr;                   ///< [out-port]
  const DelaySlotOf<Ports>* delay_slots = nullptr;  ///< [latency]
  std::int64_t* load = nullptr;                     ///< [out-port] flit hops so far
  std::int32_t packets_sent = 0;                    ///< flits of packets sent in this step
  std::int32_t controls_sent = 0;                   ///< control objects sent in this step

  BufferPool* buffers = nullptr;
  std::size_t first_buffer = 0;  ///< the node's buffers have consecutive numbers in the pool
  std::int32_t buffer_count = 0;
  std::vector<Flit>* ejected = nullptr;   ///< flits consumed in this step, in order
  std::vector<Flit>* stored = nullptr;    ///< flits stored in the processor's memory
  std::vector<Flit>* accepted = nullptr;  ///< flits taken from the processor's memory

  /// Conservation: tokens of incoming flits minus tokens of outgoing ones; 0 at the end of a legal step.
  std::uint64_t balance = 0;

  /// Packet, destination and index in one word: a flit that is lost, doubled or altered leaves a remainder. (Several
  /// such errors in one node and step may cancel out; the referee sees each of them.) The constant counts the flits,
  /// and makes every token nonzero, even that of a flit without a packet.
  static std::uint64_t token(const Flit& flit) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(flit.destination)) << 32 |
            static_cast<std::uint32_t>(flit.packet)) +
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(flit.index)) << 16) + 0x9E3779B97F4A7C15ull;
  }
};
using FlitFrame = FlitFrameOf<PortMask>;

/// Frame of the links-only and never-standing models.
struct WormFrame : Frame {
  PortMask bound_out = 0;  ///< out-ports through which a worm that entered earlier still has flits to pass
  PortMask parked = 0;     ///< in-ports whose register has the head of a held worm; not a subset of `arrived`
  std::array<Flit, ports_per_word> heads;  ///< [in-port], valid for `arrived` and `parked`

  enum class Act : std::uint8_t { none, route, eject, hold };
  std::array<Act, ports_per_word> act{};
  std::array<std::int8_t, ports_per_word> route_to{};
  PortMask decided = 0;
  Port inject_to = no_port;
  Flit inject_head;                           ///< of the packet in the memory that leaves next
  PortMask controls_sent = 0;                 ///< out-ports of `sent` with a control object
  std::array<Flit, ports_per_word> outgoing;  ///< those objects
};

/// The state and actions that every controller has, in any storage model.
template <class Ports>
class ViewOf {
 public:
  explicit ViewOf(FrameOf<Ports>& frame) : frame_(frame) {}
  ViewOf(const ViewOf&) = delete;
  ViewOf& operator=(const ViewOf&) = delete;

  Step step() const { return frame_.step; }
  NodeId node() const { return frame_.node; }
  /// The mesh or torus, for algorithms that support only these.
  const Grid& grid() const { return *frame_.grid; }
  /// In-ports with a link.
  Ports in_ports() const { return frame_.in_ports; }
  /// Out-ports with a link that accepts a flit in this step. If links have interval 1 and none dies, these are all with
  /// a link; else a controller that waits for a link asks to be woken when the link is free.
  Ports out_ports() const { return frame_.out_ports; }
  /// The other out-ports with a link: its interval is not over, or it is dead.
  Ports withheld() const { return frame_.withheld; }
  /// Out-ports over which this node has sent in this step so far.
  Ports sent() const { return frame_.sent; }
  /// The immutable facts of a packet.
  const Packet& packet(PacketId packet) const {
    return (*frame_.packets)[static_cast<std::size_t>(packet - frame_.first_packet)];
  }
  /// Random word `index` of this node and step.
  std::uint32_t random_word(std::uint32_t index) const {
    return starloom::random_word(frame_.seed, Purpose::algorithm, frame_.node, frame_.step, frame_.first_word + index);
  }
  /// The random words of this node and step, in order.
  RandomStream random() const { return {frame_.seed, Purpose::algorithm, frame_.node, frame_.step, frame_.first_word}; }

  /// Words on the reverse side wires of the links that leave this node (written by the neighbours): a set of
  /// out-ports.
  Ports reverse_words() const { return frame_.reverse_arrived; }
  std::uint32_t reverse_word(Port out) const { return frame_.reverse_words[out]; }
  /// Words on the forward side wires of the links that enter this node: a set of in-ports.
  Ports forward_words() const { return frame_.forward_arrived; }
  std::uint32_t forward_word(Port in) const { return frame_.forward_words[in]; }
  /// Writes a word on the reverse side wire of the link of in-port `in`; the sender of the link reads it one latency
  /// later.
  void write_reverse(Port in, std::uint32_t word) {
    if (!check_in(in)) return;
    frame_.unusual = true;
    frame_.reverse_out[in] = word;
    add_port(frame_.reverse_written, in);
  }
  /// Writes a word on the forward side wire of the link of out-port `out`.
  void write_forward(Port out, std::uint32_t word) {
    if (!has(frame_.out_ports, out) && !has(frame_.withheld, out)) return breach(no_link);
    frame_.unusual = true;
    frame_.forward_out[out] = word;
    add_port(frame_.forward_written, out);
  }

  /// Packets in the processor's memory that have not left it entirely.
  std::int32_t waiting() const { return frame_.memory->packets(frame_.node); }
  /// The packet whose flits leave the memory next, or `no_packet`.
  PacketId next_packet() const { return frame_.memory->front(frame_.node); }
  /// The packet behind another one in the memory, or `no_packet`.
  PacketId packet_behind(PacketId packet) const { return frame_.memory->after(packet); }

  /// Ends the run, because a promise of the algorithm does not hold. `promise` begins with a verb.
  void give_up(const char* promise) { breach(promise); }

  /// Requests to run in a later step; the earliest of several requests counts. Arrivals and creations wake a node in
  /// any case.
  void wake_at(Step step) {
    if (step <= frame_.step) return breach("asked to be woken in the past");
    if (frame_.wake == no_step || step < frame_.wake) frame_.wake = step;
  }

 protected:
  void breach(const char* rule) {
    frame_.unusual = true;
    if (frame_.breach == nullptr) frame_.breach = rule;
  }
  bool check_in(Port in) {
    if (has(frame_.in_ports, in)) return true;
    breach(no_link);
    return false;
  }
  bool claim_out(Port out) {
    if (!has(frame_.out_ports, out)) {
      breach(has(frame_.withheld, out) ? "sent something over a link that is dead, or before its interval was over"
                                       : no_link);
      return false;
    }
    if (has_port(frame_.sent, out)) {
      breach("put two flits on one link in one step");
      return false;
    }
    add_port(frame_.sent, out);
    return true;
  }

 private:
  static constexpr const char* no_link = "used a port that has no link";
  static bool has(const Ports& ports, Port port) {
    return static_cast<unsigned>(port) < most_ports_of<Ports> && has_port(ports, port);
  }

  FrameOf<Ports>& frame_;
};
using View = ViewOf<PortMask>;

/// View of the store-and-forward and virtual-channels models. Every flit that arrives, or is taken from a buffer or
/// from the memory, gets exactly one of these in the same step: `send`, `push` or `eject`.
template <class Ports>
class FlitViewOf : public ViewOf<Ports> {
 public:
  explicit FlitViewOf(FlitFrameOf<Ports>& frame) : ViewOf<Ports>(frame), frame_(frame) {}

  /// In-ports at which a flit or control object has arrived in this step.
  Ports arrived() const { return frame_.arrived; }
  /// The flit that arrived; its tag and header may be rewritten before it is sent.
  Flit& arrival(Port in) const { return frame_.arrivals[in]; }

  /// Takes the next flit of the front packet out of the processor's memory; `waiting()` is not 0.
  Flit accept() {
    if (this->waiting() == 0) return nothing("accepted a flit although the memory is empty");
    Flit flit = frame_.memory->take_flit(frame_.node, this->packet(this->next_packet()));
    frame_.balance += token(flit);
    frame_.unusual = true;
    frame_.accepted->push_back(flit);
    return flit;
  }

  /// Sends a flit over an out-link: readable at the far end one latency later.
  [[gnu::always_inline]] void send(Port out, const Flit& flit) {
    if (!this->claim_out(out)) return;
    const OutLink& link = frame_.links[out];
    const DelaySlotOf<Ports>& delayed = frame_.delay_slots[link.latency];
    ArrivalSummaryOf<Ports>& summary = delayed.summaries[link.lane];
    Flit& there = delayed.registers[link.slot];
    there = flit;
    ++there.hops;
    delayed.awake[link.lane] = WakeFlag::yes;
    *delayed.any_awake = 1;
    add_port(summary.ports, link.port);
    if (is_control(flit.kind)) {
      frame_.unusual = true;
      ++frame_.controls_sent;
    } else {
      const std::uint64_t sent = token(flit);
      summary.tokens += sent;
      ++summary.packets;
      ++frame_.packets_sent;
      ++frame_.load[out];
      frame_.balance -= sent;
    }
  }
  /// The flit sent over an out-link in this step (`sent` has the port).
  const Flit& on_link(Port out) const {
    const OutLink& link = frame_.links[out];
    return frame_.delay_slots[link.latency].registers[link.slot];
  }
  /// Sends a flit instead of the one sent over an out-link in this step, and returns that one, to be sent or stored
  /// elsewhere. Both are flits of packets.
  Flit send_instead(Port out, const Flit& flit) {
    if (!has_port(frame_.sent, out) || is_control(on_link(out).kind) || is_control(flit.kind))
      return nothing("exchanged something that is not a packet's flit on a link");
    const OutLink& link = frame_.links[out];
    const DelaySlotOf<Ports>& delayed = frame_.delay_slots[link.latency];
    const std::uint64_t more = token(flit) - token(on_link(out));
    delayed.summaries[link.lane].tokens += more;
    frame_.balance -= more;
    Flit back = std::exchange(delayed.registers[link.slot], flit);
    ++delayed.registers[link.slot].hops;
    --back.hops;
    return back;
  }

  /// Consumes a flit: delivered at its destination, stored in the processor's memory elsewhere.
  void eject(const Flit& flit) {
    frame_.unusual = true;
    (flit.destination == frame_.node ? frame_.ejected : frame_.stored)->push_back(flit);
    frame_.balance -= token(flit);
  }

  /// Consumes the flits of packets that have arrived, as `eject` does, and calls `taken(flit)` for each; afterwards
  /// the view shows no arrival of a packet.
  template <class Taken>
  void eject_arrivals(Taken&& taken) {
    for_each_port(Ports(frame_.arrived), [&](Port port) {
      const Flit& flit = frame_.arrivals[port];
      if (is_control(flit.kind)) return;
      remove_port(frame_.arrived, port);
      eject(flit);
      taken(flit);
    });
  }
  /// Flits that this node has consumed in this step so far, in order.
  const std::vector<Flit>& consumed() const { return *frame_.ejected; }

  std::int32_t buffers() const { return frame_.buffer_count; }
  std::int32_t size(std::int32_t buffer) const { return frame_.buffers->size(frame_.first_buffer + buffer); }
  bool empty(std::int32_t buffer) const { return size(buffer) == 0; }
  const Flit& front(std::int32_t buffer) const { return frame_.buffers->front(frame_.first_buffer + buffer); }
  /// Stores a flit behind all flits of the buffer that precede it by (rank, packet, index).
  void push(std::int32_t buffer, const Flit& flit, std::int64_t rank) {
    frame_.buffers->push(frame_.first_buffer + buffer, flit, rank);
    frame_.balance -= token(flit);
  }
  /// Removes the front of a buffer that is not empty.
  Flit pop(std::int32_t buffer) {
    if (empty(buffer)) return nothing(empty_buffer);
    const Flit flit = frame_.buffers->pop(frame_.first_buffer + buffer);
    frame_.balance += token(flit);
    return flit;
  }

 private:
  static constexpr const char* empty_buffer = "took a flit from an empty buffer";
  static std::uint64_t token(const Flit& flit) { return FlitFrameOf<Ports>::token(flit); }
  Flit nothing(const char* rule) {
    this->breach(rule);
    return {};
  }

  FlitFrameOf<Ports>& frame_;
};
using FlitView = FlitViewOf<PortMask>;
using WideFlitView = FlitViewOf<ManyPorts>;

/// View of the links-only and never-standing models. The controller decides on the head of every arriving worm in the
/// same step: `route`, `eject` or (links-only) `hold`. Bodies follow by the bindings, which the engine owns.
class WormView : public View {
 public:
  explicit WormView(WormFrame& frame) : View(frame), frame_(frame) {}

  /// In-ports at which a moving head, or a control object, has arrived in this step.
  PortMask arrived() const { return frame_.arrived; }
  /// In-ports whose register has the head of a worm that is held.
  PortMask parked() const { return frame_.parked; }
  /// The head (or control object) at an in-port of `arrived()` or `parked()`.
  const Flit& arrival(Port in) const { return frame_.heads[in]; }
  /// Out-ports with a worm whose head has passed and that still sends flits (as of the end of the last step).
  PortMask bound() const { return frame_.bound_out; }

  /// Sends the worm with its head at `in` on through `out`; turning back (`out == in`) is legal. A parked worm is
  /// released: all of it moves in this step.
  void route(Port in, Port out) {
    if (!decide(in, WormFrame::Act::route) || !claim_out(out)) return;
    frame_.route_to[in] = static_cast<std::int8_t>(out);
  }
  void release(Port in, Port out) {
    if ((frame_.parked >> in & 1) == 0) return breach("released a worm that does not hold");
    route(in, out);
  }
  /// Rewrites the tag and header words of the head before it moves on.
  void relabel(Port in, std::uint16_t tag, const FlitHeader& header) {
    frame_.heads[in].tag = tag;
    frame_.heads[in].header = header;
  }
  /// Consumes the worm, one flit per step from this step on: delivered at its destination, stored elsewhere.
  void eject(Port in) { decide(in, WormFrame::Act::eject); }
  /// Parks the whole worm where it is until `release` (or `eject`).
  void hold(Port in) { decide(in, WormFrame::Act::hold); }

  /// Starts the front packet of the processor's memory through `out`: its head crosses the link in this step, flit j
  /// when the worm moves for the j-th time after that. At most one worm starts per step and node.
  void inject(Port out, std::uint16_t tag = 0, const FlitHeader& header = {}) {
    if (waiting() == 0) return breach("injected a worm although the memory is empty");
    inject_packet(next_packet(), out, tag, header);
  }
  /// The same with any packet that is completely in the memory.
  void inject_packet(PacketId packet, Port out, std::uint16_t tag, const FlitHeader& header) {
    if (!frame_.memory->holds(node(), packet)) return breach("injected a worm that is not in the memory");
    if (frame_.inject_to != no_port) return breach("injected two worms in one step");
    if (!claim_out(out)) return;
    frame_.inject_to = out;
    frame_.inject_head.packet = packet;
    frame_.inject_head.tag = tag;
    frame_.inject_head.header = header;
  }
  /// Puts a control object (key, token) on an out-link that no worm uses in this step.
  void send_control(Port out, const Flit& object) {
    if (!is_control(object.kind)) return breach("sent a flit of a worm as if it were a control object");
    if (!claim_out(out)) return;
    frame_.outgoing[out] = object;
    frame_.controls_sent |= PortMask{1} << out;
  }

 private:
  bool decide(Port in, WormFrame::Act act) {
    if (!check_in(in)) return false;
    const PortMask bit = PortMask{1} << in;
    if (((frame_.arrived | frame_.parked) & bit) == 0 || is_control(frame_.heads[in].kind)) {
      breach("decided upon a worm whose head is elsewhere");
      return false;
    }
    if ((frame_.decided & bit) != 0) {
      breach("decided twice upon one worm");
      return false;
    }
    frame_.decided |= bit;
    frame_.act[in] = act;
    return true;
  }

  WormFrame& frame_;
};

/// Names of the values 0, 1, ... of state fields.
struct ValueNames {
  std::string kind;  ///< what has these values: the name of the field, or of the fields that share them
  std::vector<std::string> names;
};

/// A small named piece of a controller's state, for waves and audits.
struct StateField {
  /// \param bits 1 to 32. \param names of the values 0, 1, ...; empty: a number
  StateField(std::string field, int bits, std::vector<std::string> names = {}) : name(std::move(field)), width(bits) {
    if (!names.empty()) values = std::make_shared<const ValueNames>(ValueNames{name, std::move(names)});
  }
  /// \param shared names of the values, or null. \param of_port see `port`.
  StateField(std::string field, int bits, std::shared_ptr<const ValueNames> shared, Port of_port)
      : name(std::move(field)), width(bits), values(std::move(shared)), port(of_port) {}

  std::string name;
  int width;
  std::shared_ptr<const ValueNames> values;  ///< null: a number
  /// The port that it describes, the number behind the last port being the local one: only routers that have the port
  /// show the field. no_port: all nodes do.
  Port port = no_port;
};

/// The routing algorithm in one node.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Writes the current values of the declared state fields, in their order.
  virtual void publish(std::uint32_t* /*values*/) const {}

 protected:
  [[noreturn]] static void refuse_dead_links() {
    throw std::logic_error(
        "a controller of an algorithm that takes dead links does not say what it does when one dies");
  }
};

template <class Ports>
class FlitControllerOf : public Controller {
 public:
  virtual void step(FlitViewOf<Ports>& view) = 0;

  // If hardware dies or is repaired during the run, before `step`; algorithms with `takes_dead_links` override these:
  /// The out-port that a flit which arrives in this step asks for; no_port: it has no path.
  virtual Port asked_port(const FlitViewOf<Ports>& /*view*/, Port /*in*/) const { refuse_dead_links(); }
  /// Routes as `other`, a controller of the same algorithm, does from now on. Flits that wait for the links of `dead`
  /// ask again; those that have no path leave their buffers, and are added to `lost`.
  virtual void reroute(FlitViewOf<Ports>& /*view*/, const FlitControllerOf& /*other*/, const Ports& /*dead*/,
                       std::vector<Flit>& /*lost*/) {
    refuse_dead_links();
  }
  /// Flits in buffers, or packets in the memory, have been lost.
  virtual void refresh(const FlitViewOf<Ports>& /*view*/) {}
};
using FlitController = FlitControllerOf<PortMask>;
using WideFlitController = FlitControllerOf<ManyPorts>;

class WormController : public Controller {
 public:
  virtual void step(WormView& view) = 0;

  // If hardware dies or is repaired during the run, before `step`; algorithms with `takes_dead_links` override these:
  /// The in-ports of the heads for which no link is left when links of the node have died.
  virtual PortMask overflow(const WormView& /*view*/) const { refuse_dead_links(); }
  /// Routes as `other`, a controller of the same algorithm, does from now on. \return the in-ports of heads that then
  /// have no path.
  virtual PortMask reroute(const WormView& /*view*/, const WormController& /*other*/) { refuse_dead_links(); }
};

}  // namespace starloom::links
