#include <starloom/controllers/links/probes/credits.hpp>

#include <starloom/core/error.hpp>

namespace starloom::links {
namespace {

/// Buffers stand at the in-ports. A flit may leave in the step in which it arrives. In every step each link sends the
/// flit of the lowest packet that can go: its packet has a channel of the link (a head takes the lowest free one), and
/// that channel has a credit. A word on the reverse wire names the channels whose buffers a flit has left.
class CreditsController final : public FlitController {
 public:
  CreditsController(std::int32_t ports, std::int32_t channels, std::int32_t capacity)
      : channels_(channels), outputs_(static_cast<std::size_t>(ports * channels), Output{capacity, no_packet}) {}

  void step(FlitView& view) override {
    take_credits(view);
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const Flit& flit = view.arrival(in);
      view.push(in * channels_ + flit.channel, flit, view.step());
    }
    // Buffers that a flit has left: each gives at most one flit in a step.
    used_ = 0;
    bool moved = eject(view);
    for (PortMask left = view.out_ports(); left != 0; left &= left - 1) moved = send(view, lowest_port(left)) || moved;
    return_credits(view);

    phase_ = view.waiting() > 0 ? waiting : idle;
    for (std::int32_t b = 0; b < view.buffers(); ++b)
      if (!view.empty(b)) phase_ = waiting;
    // If nothing moved, only an arrival or a credit can change that, and both wake this node.
    if (moved && phase_ == waiting) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override {
    std::uint32_t credits = 0, taken = 0;
    for (const Output& output : outputs_) {
      credits += static_cast<std::uint32_t>(output.credits);
      taken += output.owner != no_packet ? 1 : 0;
    }
    values[0] = credits;
    values[1] = taken;
    values[2] = phase_;
  }

 private:
  enum Phase : std::uint8_t { idle, waiting };
  /// One virtual channel of an out-link.
  struct Output {
    std::int32_t credits;
    PacketId owner;  ///< the packet that has it from head to tail
  };
  static constexpr std::int32_t nowhere = -1, memory = -2;

  void take_credits(const FlitView& view) {
    for (PortMask left = view.reverse_words(); left != 0; left &= left - 1) {
      const Port out = lowest_port(left);
      for (std::uint32_t word = view.reverse_word(out); word != 0; word &= word - 1)
        ++output(out, lowest_port(word)).credits;
    }
  }

  bool eject(FlitView& view) {
    std::int32_t from = nowhere;
    for (std::int32_t b = 0; b < view.buffers(); ++b)
      if (!view.empty(b) && view.front(b).destination == view.node() &&
          (from == nowhere || view.front(b).packet < view.front(from).packet))
        from = b;
    if (from == nowhere) return false;
    view.eject(view.pop(from));
    used_ |= std::uint64_t{1} << from;
    return true;
  }

  bool send(FlitView& view, Port out) {
    const Grid& grid = view.grid();
    std::int32_t from = nowhere;
    PacketId lowest = no_packet;
    const auto consider = [&](std::int32_t place, PacketId packet, NodeId destination) {
      if (grid.dimension_order_port(view.node(), destination) != out || channel_for(out, packet) < 0) return;
      if (from != nowhere && packet > lowest) return;
      from = place;
      lowest = packet;
    };
    for (std::int32_t b = 0; b < view.buffers(); ++b)
      if (!view.empty(b) && (used_ >> b & 1) == 0) consider(b, view.front(b).packet, view.front(b).destination);
    if (view.waiting() > 0 && !accepted(view)) {
      const PacketId packet = view.next_packet();
      consider(memory, packet, view.packet(packet).destination);
    }
    if (from == nowhere) return false;

    Flit flit = from == memory ? view.accept() : view.pop(from);
    if (from == memory) accepted_in_ = view.step();
    else used_ |= std::uint64_t{1} << from;
    const std::int32_t channel = channel_for(out, flit.packet);
    flit.channel = static_cast<std::uint8_t>(channel);
    Output& taken = output(out, channel);
    --taken.credits;
    taken.owner = is_tail(flit.kind) ? no_packet : flit.packet;
    view.send(out, flit);
    return true;
  }

  /// The processor gives at most one flit in a step.
  bool accepted(const FlitView& view) const { return accepted_in_ == view.step(); }

  /// The channel through which the next flit of a packet can leave, or -1.
  std::int32_t channel_for(Port out, PacketId packet) {
    for (std::int32_t c = 0; c < channels_; ++c)
      if (output(out, c).owner == packet) return output(out, c).credits > 0 ? c : -1;
    for (std::int32_t c = 0; c < channels_; ++c)
      if (output(out, c).owner == no_packet && output(out, c).credits > 0) return c;
    return -1;
  }

  void return_credits(FlitView& view) const {
    const std::uint64_t of_a_port = (std::uint64_t{1} << channels_) - 1;
    for (PortMask left = view.in_ports(); left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const std::uint64_t word = used_ >> (in * channels_) & of_a_port;
      if (word != 0) view.write_reverse(in, static_cast<std::uint32_t>(word));
    }
  }

  Output& output(Port out, std::int32_t channel) {
    return outputs_[static_cast<std::size_t>(out) * static_cast<std::size_t>(channels_) +
                    static_cast<std::size_t>(channel)];
  }

  std::int32_t channels_;
  std::vector<Output> outputs_;  ///< [out-port * channels + channel]
  std::uint64_t used_ = 0;       ///< [buffer]: a flit has left it in this step
  Step accepted_in_ = no_step;   ///< last step in which the processor gave a flit
  Phase phase_ = idle;
};

class Credits final : public Algorithm {
 public:
  Credits(const Grid& topology, std::int32_t channels, std::int32_t capacity)
      : Algorithm(declare(channels, capacity)), topology_(topology) {}

  std::unique_ptr<ControllerBank> make_controllers() const override {
    const Declaration& d = declaration();
    return controllers_like(CreditsController(topology_.ports(), d.channels, d.capacity), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  static Declaration declare(std::int32_t channels, std::int32_t capacity) {
    Declaration d;
    d.storage = StorageModel::virtual_channels;
    d.buffers = BufferSide::in_ports;
    d.channels = channels;
    d.capacity = capacity;
    d.reverse_wire = true;
    d.most_flits = 0;
    d.state = {{"credits", 24, {}}, {"taken", 8, {}}, {"phase", 1, {"idle", "waiting"}}};
    return d;
  }

  const Grid& topology_;
};

void refuse_probe_credits(const Grid& grid, const KeyValues& keys) {
  if (grid.ports() * keys.integer("channels") > 64)
    throw InputError("probe-credits serves at most 64 channels a node (ports times channels)");
}

}  // namespace

AlgorithmEntry probe_credits_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-credits";
  entry.meaning = "test of the contract: wormhole in dimension order, credits over the reverse side wire";
  entry.topologies = {"mesh", "torus"};
  entry.mixed_lengths = true;
  entry.storage = StorageModel::virtual_channels;
  entry.keys = {integer_key("channels", "virtual channels of a link").by_default(1).within(1, 32),
                integer_key("buffer", "capacity of the buffer of a channel")
                    .by_default(4)
                    .within(1, 1 << 16)
                    .measured_in("flits")};
  entry.refuse = refuse_grids(refuse_probe_credits);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    refuse_probe_credits(context.grid(), keys);
    return std::make_unique<Credits>(context.grid(), static_cast<std::int32_t>(keys.integer("channels")),
                                     static_cast<std::int32_t>(keys.integer("buffer")));
  };
  return entry;
}

}  // namespace starloom::links
