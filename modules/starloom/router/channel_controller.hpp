// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface of controllers to routers with virtual channels, in one node and one step.
///
/// The hardware is an input-buffered router: at every in-port, including the local one from the processor, a ring of
/// flits for each virtual channel; at every out-port, including the local one to the processor, an owner and a credit
/// counter for each. The engine keeps these (`ChannelTable`) and moves flits and credits with the times of
/// starloom/control/links/pipeline.hpp. A controller decides, from what earlier steps wrote, which waiting heads get
/// which output channels, and which flits pass the switch.
#include <cstdint>

#include <starloom/control/links/controller.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/router/channel_table.hpp>
#include <starloom/router/credits.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/forks.hpp>
#include <starloom/router/port_places.hpp>
#include <starloom/router/ring_flit.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::links {

/// The random choices of packets, numbered from the first packet of a record on.
class RandomChoices {
 public:
  std::uint32_t of(std::size_t packet) const { return packet < list_.size() ? list_[packet] : 0; }
  void set(std::size_t packet, std::uint32_t choice) {
    if (packet >= list_.size()) list_.resize(packet + 1, 0);
    list_[packet] = choice;
  }
  /// Makes room for `count` packets, for threads that set their choices at the same time.
  void make_room(std::size_t count) { list_.resize(count, 0); }
  void remove_first(std::size_t count) {
    list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(std::min(count, list_.size())));
  }

 private:
  std::vector<std::uint32_t> list_;  ///< packets beyond the end chose 0
};

/// Frame of the virtual-channels model. The engine writes it and carries out the decisions of the controller.
template <int words>
struct ChannelFrame : Frame {
  const router::ChannelTable<words>* channels = nullptr;
  const router::RouterShape* shape = nullptr;
  const router::RingFlit* rings = nullptr;           ///< [input channel * capacity + slot], of the node
  const router::FlitRecord* flit_records = nullptr;  ///< as `rings`; null unless declared
  std::int32_t capacity = 0;                         ///< flits of a ring
  Step cycle = 0;                                    ///< of the clock of the node, numbered from 0
  router::PortIndices<words> stalled{};  ///< out-port indices whose link accepts no flit from the switch in this step
  router::PortIndices<words> full{};     ///< out-port indices whose FIFO takes no flit from the switch
  int round = 0;                         ///< of the step, with internal speed-up
  router::ChannelSet<words> source_credits;  ///< channels of the local in-port with room for a flit of the processor
  const router::SourceChannel* sources = nullptr;  ///< [node, channel of the local in-port]
  const router::PortPlaces* places = nullptr;      ///< [out-port index]; null: channels share none
  const std::int32_t* rooms = nullptr;  ///< [output channel] flits of the buffer behind it; null: `capacity` for all
  std::int32_t source_room = 0;         ///< of a buffer that the processor sends into; only with `rooms`
  const router::Forks<words>* forks = nullptr;  ///< of the node; null: packets have one destination

  struct Grant {
    std::uint16_t in;
    std::uint16_t out;
  };
  int owned = 0;  ///< entries of `owners`
  router::Entries<Grant, 64 * words> owners;
  int passed = 0;  ///< entries of `passing`
  router::Entries<std::uint16_t, 64 * words> passing;
  router::PortIndices<words> reserved{};  ///< out-port indices, see ChannelView::reserve
  int injected = -1;                      ///< channel of the local in-port
  int injected_queue = 0;                 ///< of the memory
  std::int64_t sequence = 0;              ///< of the packet injected from one of several queues (`router::FlitRecord`)
  std::uint32_t random_choice = 0;        ///< random choice of the packet whose head is injected in this step
  RandomChoices* random_choices = nullptr;
  bool again = false;

  void clear_decisions() {
    Frame::clear_decisions();
    owned = passed = 0;
    reserved = {};
    injected = -1;
    random_choice = 0;
    again = false;
  }
};

/// View of the virtual-channels model. Channels are numbered by their index (`RouterShape`).
template <int words>
class ChannelView : public View {
 public:
  using Table = router::ChannelTable<words>;
  using Set = router::ChannelSet<words>;
  explicit ChannelView(ChannelFrame<words>& frame) : View(frame), frame_(frame) {}

  /// Buffers, owners and credits at the beginning of the step: including the arrivals of this step, without its
  /// decisions.
  const Table& channels() const { return *frame_.channels; }
  const router::RouterShape& shape() const { return *frame_.shape; }
  /// The cycle of the clock of the node that this step begins. It runs once in each; without clocks, cycles are steps.
  Step cycle() const { return frame_.cycle; }
  /// The first flit of an occupied input channel.
  const router::RingFlit& front(int in) const {
    return frame_.rings[static_cast<std::int32_t>(in) * frame_.capacity + channels().input(in).front];
  }
  /// The flit at position `i` from the front of an input channel.
  const router::RingFlit& flit(int in, int i) const { return frame_.rings[slot(in, i)]; }
  /// More about it. Only if `Declaration::flit_records`.
  const router::FlitRecord& record(int in, int i) const { return frame_.flit_records[slot(in, i)]; }
  /// The most flits of the buffer behind an output channel, and behind the processor.
  std::int32_t room_behind(int out) const { return frame_.rooms == nullptr ? frame_.capacity : frame_.rooms[out]; }
  std::int32_t room_behind_source() const { return frame_.rooms == nullptr ? frame_.capacity : frame_.source_room; }
  /// True if the buffer behind an output channel contains no flit, as far as known here.
  bool is_empty_behind(int out) const { return channels().output(out).credits >= room_behind(out); }
  /// Out-port indices whose links accept no flit from the switch in this step: requests for them fail, and
  /// the end of this state does not wake the controller. If switch allocation takes several steps, this is about the
  /// flits that request the switch in this step.
  const router::PortIndices<words>& stalled() const { return frame_.stalled; }

  /// Out-port indices whose FIFO is full (`router::Speedup::fifo`): no flit may request the switch for them.
  const router::PortIndices<words>& full() const { return frame_.full; }
  /// The number of this call in the step, from 0 on: with internal speed-up, the controller runs several times, each
  /// time on what the time before decided. The processor may send only in the first.
  int round() const { return frame_.round; }

  /// The packet to several destinations at the front of an input channel. It needs an output channel of each port that
  /// it wants; `send` sends a copy of the flit of the branch that `Forks` has chosen.
  const router::Fork& fork(int in) const { return frame_.forks->at(in); }
  /// True if the packet of a fork has left for good with the flit that the channel sends in this step.
  bool ends_fork(int in) const {
    const router::Fork& fork = frame_.forks->at(in);
    if (fork.branch_count() > 1) return false;
    return is_tail(flit(in, fork.open != 0 ? 0 : fork.branches.front().next).kind);
  }

  /// The number of flits that an output channel can send in any case, whatever the other channels of its port take.
  int sure_credits(int out) const {
    const router::OutputChannel& output = channels().output(out);
    return frame_.places == nullptr ? output.credits : frame_.places[output.port_index].own_left(shape().number(out));
  }

  /// Allocates a free output channel to an input channel that owns none and has a head at its front, from the next
  /// step on; but its head may pass the switch in this step if there is a credit.
  void allocate(int in, int out) {
    if (frame_.owned == frame_.owners.size()) return breach("gave away more output channels than there are");
    frame_.owners[frame_.owned++] = {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out)};
  }
  /// Sends the front of an input channel through the switch to its output channel. At most one flit per step leaves
  /// an in-port, and at most one takes an out-port; with speed-ups, at most one takes a line (`router::SwitchLines`). A
  /// tail frees the output channel, from the next step on.
  void send(int in) {
    if (frame_.passed == frame_.passing.size()) return breach("sent more flits than there are channels");
    frame_.passing[frame_.passed++] = static_cast<std::uint16_t>(in);
  }

  /// A flit that requested the switch in this step will pass it to an out-port at the end of a switch allocation of
  /// several steps; `stalled` counts it from the next step on.
  void reserve(int out_index) { frame_.reserved.add(out_index); }

  /// Channels of the local in-port with room for a flit of the processor.
  const Set& source_credits() const { return frame_.source_credits; }
  /// Free slots of one of them, as far as the processor knows.
  int source_credits(int channel) const {
    return frame_
        .sources[static_cast<std::size_t>(node()) * static_cast<std::size_t>(shape().channels) +
                 static_cast<std::size_t>(channel)]
        .credits;
  }
  /// The packet whose flits leave a queue of the processor's memory next, or `no_packet`. There are several queues if
  /// the declaration has several classes.
  PacketId next_packet(int queue = 0) const { return frame_.memory->front(number_of(queue)); }
  /// No flit of that packet has left the queue.
  bool starts_packet(int queue = 0) const { return frame_.memory->flits_sent(number_of(queue)) == 0; }
  /// Sends the next flit of a queue of the processor's memory into a channel of the local in-port. The flits of a
  /// packet go into one channel, without flits of others between them. The engine runs the node in the next step if
  /// more flits are in the memory.
  void inject(int channel) { frame_.injected = channel; }
  /// The same with several queues. \param sequence that `router::FlitRecord` keeps of the packet.
  void inject(int channel, int queue, std::int64_t sequence) {
    frame_.injected = channel;
    frame_.injected_queue = queue;
    frame_.sequence = sequence;
  }
  /// The random choice of the packet whose head is injected in this step, as its routing function requires
  /// (`RoutingFunction::random_choices`).
  void set_random_choice(std::uint32_t number) { frame_.random_choice = number; }
  /// The random choice of a packet, or 0.
  std::uint32_t random_choice(PacketId packet) const { return frame_.random_choices->of(number_in_record(packet)); }
  /// Changes it, effective immediately. Only for packets whose heads are in this router, by
  /// `RoutingFunction::decision`.
  void decide(PacketId packet, std::uint32_t choice) { frame_.random_choices->set(number_in_record(packet), choice); }

  /// Requests to run in the next step if the node then contains a flit or a packet. Arrivals, credits and new packets
  /// wake a node in any case; all other changes are made by the controller itself.
  void run_again() { frame_.again = true; }

 private:
  std::size_t number_in_record(PacketId packet) const { return static_cast<std::size_t>(packet - frame_.first_packet); }
  NodeId number_of(int queue) const { return frame_.memory->queue_of(frame_.node, queue); }
  std::int32_t slot(int in, int i) const {
    return in * frame_.capacity + (channels().input(in).front + i) % frame_.capacity;
  }

  ChannelFrame<words>& frame_;
};

/// The state of the out-ports behind the switch, for waves.
struct OutPortState {
  /// [out-port index] the packet of which a flit passed the switch in the step before, the last one of several, or
  /// no_packet
  const PacketId* crossbar = nullptr;
  const std::uint32_t* fifos = nullptr;  ///< [out-port index] flits in the FIFO; null: out-ports have none
  bool shares_places = false;            ///< in-ports also show the places that are taken
};

/// The routing algorithm in one node with this number of words in its sets of channels (router::words_for).
template <int words>
class ChannelController : public Controller {
 public:
  virtual void step(ChannelView<words>& view) = 0;
  /// The same, called instead if events are counted. Adds the requests of the step, which a router may leave out.
  virtual void step_counted(ChannelView<words>& view, RequestCounts& /*requests*/) { step(view); }
  /// The output channels that the routing function offers to the head at the front of an input channel that is not
  /// active, also if they are dead or have owners. Called only if hardware dies during the run, as `forget` is.
  virtual router::ChannelSet<words> offered(const ChannelView<words>& /*view*/, int /*in*/) const { return {}; }
  /// The input channels whose heads began to be routed in an earlier step, and own no output channel.
  virtual router::ChannelSet<words> begun() const { return {}; }
  /// The packet at the front of an input channel, or the one that owns its output channel, has vanished.
  virtual void forget(int /*in*/) {}
  /// Heads that begin from now on ask the routing functions of another controller, which is made for the same router;
  /// those that have begun keep their choices. \param view before the decisions of a step.
  virtual void reroute(const ChannelView<words>& /*view*/, const ChannelController& /*other*/) {}
  /// Writes the current values of the declared state fields, in their order. \param view of the end of a step.
  virtual void show(const ChannelView<words>& /*view*/, const OutPortState& /*ports*/,
                    std::uint32_t* /*values*/) const {}
};

}  // namespace starloom::links
