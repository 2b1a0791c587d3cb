// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The channels of one router: buffers that fill and empty, owners, credits.
#include <cstdint>
#include <limits>

#include <starloom/core/ids.hpp>
#include <starloom/core/links/buffer_use.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

/// An input channel: a ring of `capacity` slots for flits.
struct InputChannel {
  std::uint16_t flits = 0;
  std::uint16_t front = 0;       ///< slot of the first flit
  std::uint16_t output = 0;      ///< the output channel that it owns, if it is active
  std::uint16_t port_index = 0;  ///< index of its port
  std::uint16_t out_index = 0;   ///< index of the port of `output`
  // See links::BufferUse; sums as ChannelTable::add forms them.
  std::uint16_t most_flits = 0;
  std::int64_t flit_steps = 0;
  std::int64_t credit_stalls = 0;
};

/// An output channel. The ring at the far end of its link belongs to an input channel.
struct OutputChannel {
  std::uint16_t credits = 0;     ///< free slots in that ring, as far as known here; places may be fewer
  std::uint16_t back = 0;        ///< slot in that ring for the next flit
  std::uint16_t owner = 0;       ///< the input channel that owns it, if it is not free; no_owner: it is dead
  std::uint16_t port_index = 0;  ///< index of its port

  static constexpr std::uint16_t no_owner = std::numeric_limits<std::uint16_t>::max();
};

/// The state of all channels. Input channels are idle, or request an output channel (the controller knows which), or
/// own one and are active. Each change of a step is reported by exactly one call; these calls keep `ready` up to
/// date.
template <int words>
class ChannelTable {
 public:
  using Set = ChannelSet<words>;

  /// \param inputs, outputs one per channel of the shape; they outlive the table.
  void attach(InputChannel* inputs, OutputChannel* outputs, const RouterShape& shape) {
    inputs_ = inputs;
    outputs_ = outputs;
    free_ = Set::range(0, shape.size());
    for (int channel = 0; channel < shape.size(); ++channel)
      inputs[channel].port_index = outputs[channel].port_index = static_cast<std::uint16_t>(shape.port_index(channel));
  }

  const Set& occupied() const { return occupied_; }  ///< input channels with a flit
  const Set& active() const { return active_; }      ///< input channels that own an output channel
  const Set& ready() const { return ready_; }        ///< active, with a flit and with a credit
  const Set& credited() const { return credited_; }  ///< output channels with a credit, or with a shared place
  const Set& free() const { return free_; }          ///< output channels without an owner
  const InputChannel& input(int in) const { return inputs_[in]; }
  const OutputChannel& output(int out) const { return outputs_[out]; }
  /// The output channel of an active input channel.
  int output_of(int in) const { return inputs_[in].output; }

  /// Called when a flit becomes readable in an input channel.
  void arrive(int in, Step now) {
    InputChannel& input = inputs_[in];
    add(input.flit_steps, -now);
    if (++input.flits > input.most_flits) input.most_flits = input.flits;
    if (input.flits != 1) return;
    occupied_.add(in);
    if (!active_.has(in)) return;
    if (credited_.has(input.output)) ready_.add(in);
    else add(input.credit_stalls, -now);
  }
  /// Called when a credit is returned.
  void credit(int out, Step now) {
    OutputChannel& output = outputs_[out];
    if (output.credits++ != 0) return;
    credited_.add(out);
    if (free_.has(out) || output.owner == OutputChannel::no_owner || !(occupied_ & active_).has(output.owner)) return;
    ready_.add(output.owner);
    add(inputs_[output.owner].credit_stalls, now);
  }
  /// Allocates a free output channel to an input channel with a head at its front; it may send from the next step on.
  void allocate(int in, int out, Step now) {
    inputs_[in].output = static_cast<std::uint16_t>(out);
    inputs_[in].out_index = outputs_[out].port_index;
    outputs_[out].owner = static_cast<std::uint16_t>(in);
    active_.add(in);
    free_.remove(out);
    if (credited_.has(out)) ready_.add(in);
    else add(inputs_[in].credit_stalls, -(now + 1));
  }
  /// Called when an output channel whose buffer shares places may send from step `from` on, or may not: besides its own
  /// flits, those of other channels take places.
  void permit(int out, bool sends, Step from) {
    if (credited_.has(out) == sends) return;
    if (sends) credited_.add(out);
    else credited_.remove(out);
    const int owner = outputs_[out].owner;
    if (free_.has(out) || !occupied_.has(owner)) return;
    if (sends) ready_.add(owner);
    else ready_.remove(owner);
    add(inputs_[owner].credit_stalls, sends ? from : -from);
  }
  /// Removes the front of a ready input channel, which leaves over its output channel; `tail`: this frees both
  /// channels.
  /// \return true if it was the only flit in the buffer.
  [[gnu::always_inline]] bool send(int in, bool tail, int capacity, Step now) {
    InputChannel& input = inputs_[in];
    OutputChannel& output = outputs_[input.output];
    add(input.flit_steps, now + 1);
    input.front = behind(input.front, capacity);
    output.back = behind(output.back, capacity);
    const bool last = --input.flits == 0;
    const bool spent = --output.credits == 0;
    if (last) occupied_.remove(in);
    if (spent) credited_.remove(input.output);
    if (tail) {
      active_.remove(in);
      free_.add(input.output);
    } else if (spent && !last) {
      add(input.credit_stalls, -(now + 1));
    }
    if (tail || last || spent) ready_.remove(in);
    return last;
  }

  // -- Input channels whose packet leaves over several output channels; they are not active (Forks) --

  /// Allocates a free output channel to one of them.
  void allocate_branch(int in, int out) {
    outputs_[out].owner = static_cast<std::uint16_t>(in);
    free_.remove(out);
  }
  /// One of its output channels, over which it can send, requests the switch; -1: none can.
  void serve(int in, int out) {
    if (out < 0) return ready_.remove(in);
    inputs_[in].output = static_cast<std::uint16_t>(out);
    inputs_[in].out_index = outputs_[out].port_index;
    ready_.add(in);
  }
  /// A copy of a flit leaves over an output channel; `tail`: this frees that.
  void send_copy(int in, int out, bool tail, int capacity) {
    OutputChannel& output = outputs_[out];
    output.back = behind(output.back, capacity);
    if (--output.credits == 0) credited_.remove(out);
    if (tail) free_.add(out);
    ready_.remove(in);
  }
  /// Removes the front, of which all copies have left.
  /// \return true if it was the only flit in the buffer.
  bool remove_front(int in, int capacity, Step now) {
    InputChannel& input = inputs_[in];
    add(input.flit_steps, now + 1);
    input.front = behind(input.front, capacity);
    if (--input.flits != 0) return false;
    occupied_.remove(in);
    return true;
  }
  /// The channel has a flit for an output channel, but no credit, from step `from` on; or no longer.
  void stall(int in, bool stalls, Step from) { add(inputs_[in].credit_stalls, stalls ? -from : from); }

  // -- Hardware that dies and is repaired, before anything else happens in a step `now` --

  /// The packet that owns an output channel vanishes.
  void release(int in, Step now) {
    if (stalled(in)) add(inputs_[in].credit_stalls, now);
    active_.remove(in);
    ready_.remove(in);
    free_.add(inputs_[in].output);
  }
  /// Flits vanish from an input channel, whose packet in front stays if it is active.
  /// \param front, flits of those that are left.
  void keep(int in, int front, int flits, Step now) {
    InputChannel& input = inputs_[in];
    add(input.flit_steps, now, static_cast<std::uint64_t>(input.flits - flits));
    input.front = static_cast<std::uint16_t>(front);
    input.flits = static_cast<std::uint16_t>(flits);
    if (flits == 0) occupied_.remove(in);
  }
  /// A free output channel dies: no packet gets it.
  void kill(int out) {
    free_.remove(out);
    outputs_[out].owner = OutputChannel::no_owner;
  }
  void repair(int out) {
    free_.add(out);
    outputs_[out].owner = 0;
  }
  /// The credits of an output channel that is free, and the slot for its next flit.
  void restore(int out, int credits, int back) {
    outputs_[out].credits = static_cast<std::uint16_t>(credits);
    outputs_[out].back = static_cast<std::uint16_t>(back);
    if (credits > 0) credited_.add(out);
    else credited_.remove(out);
  }

  /// Restarts the measurement of use from step `from` on.
  void begin_use(int in, Step from) {
    InputChannel& input = inputs_[in];
    input.flit_steps = 0;
    input.credit_stalls = stalled(in) ? -from : 0;
    input.most_flits = input.flits;
    add(input.flit_steps, -from, input.flits);
  }
  /// The use before step `to`.
  links::BufferUse use(int in, Step to) const {
    const InputChannel& input = inputs_[in];
    links::BufferUse use{input.flit_steps, input.credit_stalls, input.most_flits};
    add(use.flit_steps, to, input.flits);
    if (stalled(in)) add(use.credit_stalls, to);
    return use;
  }

 private:
  /// Adds `times` steps to a sum. Intermediate sums may overflow late in a run, and wrap around.
  static void add(std::int64_t& sum, Step step, std::uint64_t times = 1) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + times * static_cast<std::uint64_t>(step));
  }
  /// True if an active channel has a flit and no credit.
  bool stalled(int in) const { return active_.has(in) && occupied_.has(in) && !ready_.has(in); }
  static std::uint16_t behind(std::uint16_t slot, int capacity) {
    return static_cast<std::uint16_t>(slot + 1 == capacity ? 0 : slot + 1);
  }

  Set occupied_{}, active_{}, ready_{}, credited_{}, free_{};
  InputChannel* inputs_ = nullptr;
  OutputChannel* outputs_ = nullptr;
};

}  // namespace starloom::router
