// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/deflection/deflection.hpp>

#include <algorithm>
#include <array>

namespace starloom::links {
namespace {

enum class Priority { rank, restricted };
const std::vector<std::string> priority_names = {"rank", "restricted"};

/// The out-ports on shortest paths. Half way round a torus both directions qualify.
PortMask good_ports(const View& view, NodeId destination) {
  const Grid& grid = view.grid();
  PortMask good = 0;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const std::int32_t offset = grid.offset(view.node(), destination, axis);
    if (offset == 0) continue;
    good |= PortMask{1} << grid.port_along(axis, offset);
    const bool half_way = grid.kind() == GridKind::torus && 2 * offset == grid.side(axis);
    if (half_way) good |= PortMask{1} << grid.port_along(axis, -offset);
  }
  return good;
}

/// A packet that leaves its node in this step.
struct Traveller {
  PacketId packet;
  PortMask good;  ///< out-ports that shorten its distance
  Port in;        ///< where it arrived; no_port: from the memory
  Port out;       ///< where it leaves; no_port: not assigned
};

/// The packets that meet in a node in one step, and the remaining links. There are never more packets than links.
class Meeting {
 public:
  explicit Meeting(const View& view) : free_(view.out_ports()) {}

  void add(const Traveller& traveller) { travellers_[static_cast<std::size_t>(count_++)] = traveller; }
  bool full() const { return count_ == __builtin_popcount(free_); }
  Traveller* begin() { return travellers_.data(); }
  Traveller* end() { return travellers_.data() + count_; }

  void order_by(Priority priority) {
    const bool restricted_first = priority == Priority::restricted;
    std::sort(begin(), end(), [restricted_first](const Traveller& a, const Traveller& b) {
      const bool a_has_choice = __builtin_popcount(a.good) > 1, b_has_choice = __builtin_popcount(b.good) > 1;
      if (restricted_first && a_has_choice != b_has_choice) return b_has_choice;
      return a.packet < b.packet;
    });
  }

  /// Assigns its first free good link; if all are taken, that of the first owner that has another free good link to
  /// move to.
  void give_good_link(Traveller& traveller) {
    if (const PortMask open = traveller.good & free_; open != 0) return take(traveller, lowest_port(open));
    for (PortMask left = traveller.good; left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      Traveller* const owner = std::find_if(begin(), end(), [port](const Traveller& t) { return t.out == port; });
      const PortMask other = owner->good & free_;
      if (other == 0) continue;
      take(*owner, lowest_port(other));
      traveller.out = port;
      return;
    }
  }

  /// Assigns the first free link, in any direction.
  void deflect(Traveller& traveller) { take(traveller, lowest_port(free_)); }

 private:
  void take(Traveller& traveller, Port port) {
    traveller.out = port;
    free_ &= ~(PortMask{1} << port);
  }

  PortMask free_;
  std::array<Traveller, ports_per_word> travellers_;
  std::int32_t count_ = 0;
};

/// A flit's tag counts its deflections.
class DeflectionController final : public WormController {
 public:
  explicit DeflectionController(Priority priority) : priority_(priority) {}

  void step(WormView& view) override {
    Meeting meeting(view);
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const Flit& flit = view.arrival(in);
      if (flit.destination == view.node()) view.eject(in);
      else meeting.add({flit.packet, good_ports(view, flit.destination), in, no_port});
    }
    const bool injects = view.waiting() > 0 && !meeting.full();
    const PacketId next = view.next_packet();
    if (injects) meeting.add({next, good_ports(view, view.packet(next).destination), no_port, no_port});

    meeting.order_by(priority_);
    for (Traveller& traveller : meeting) meeting.give_good_link(traveller);
    for (Traveller& traveller : meeting) {
      const bool deflected = traveller.out == no_port;
      if (deflected) meeting.deflect(traveller);
      send(view, traveller, deflected);
    }
    if (view.waiting() > (injects ? 1 : 0)) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override { values[0] = deflections_; }

 private:
  void send(WormView& view, const Traveller& traveller, bool deflected) {
    deflections_ += deflected ? 1 : 0;
    if (traveller.in == no_port) return view.inject(traveller.out, deflected ? 1 : 0);
    const Flit& flit = view.arrival(traveller.in);
    if (deflected) view.relabel(traveller.in, static_cast<std::uint16_t>(flit.tag + 1), flit.header);
    view.route(traveller.in, traveller.out);
  }

  Priority priority_;
  std::uint32_t deflections_ = 0;  ///< packets deflected here
};

class Deflection final : public Algorithm {
 public:
  Deflection(const Grid& topology, Priority priority)
      : Algorithm(declare()), topology_(topology), priority_(priority) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(DeflectionController(priority_), topology_.nodes());
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& packets) const override;

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::never_standing;
    d.state = {{"deflections", 32, {}}};
    return d;
  }

  const Grid& topology_;
  Priority priority_;
};

/// With `rank` the lowest packet number in the network chooses first everywhere, so each of its steps shortens its
/// distance: it arrives within a diameter, and so does the next one after it. The bound counts from the last
/// injection, which is in step 0 if no node has more than one packet and none is created later.
std::map<std::string, double> Deflection::bounds(const std::vector<Packet>& packets) const {
  if (priority_ != Priority::rank) return {};
  std::vector<bool> sends(static_cast<std::size_t>(topology_.nodes()));
  for (const Packet& packet : packets) {
    if (packet.created != 0 || sends[packet.source]) return {};
    sends[packet.source] = true;
  }
  return {{"steps", static_cast<double>(packets.size()) * topology_.diameter()}};
}

}  // namespace

AlgorithmEntry deflection_entry() {
  AlgorithmEntry entry;
  entry.name = "deflection";
  entry.meaning = "bufferless hot-potato routing: blocked packets are deflected";
  entry.needs = {"mesh", "torus"};
  entry.bounds = {integer_metric("steps", "steps", "the diameter for each packet")
                      .only("priority is rank and no node has more than one packet, created in step 0")};
  entry.storage = StorageModel::never_standing;
  entry.keys = {choice_key("priority", priority_names,
                           "the packet that chooses its link first: the lowest packet number (rank), or packets with "
                           "only one productive link before the others (restricted)")
                    .by_default(priority_names.front())};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const bool rank = keys.text("priority") == priority_names.front();
    return std::make_unique<Deflection>(context.grid(), rank ? Priority::rank : Priority::restricted);
  };
  return entry;
}

}  // namespace starloom::links
