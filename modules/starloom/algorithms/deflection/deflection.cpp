// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/deflection/deflection.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::links {
namespace {

enum class Priority { rank, restricted };
const std::vector<std::string> priority_names = {"rank", "restricted"};

/// The links on shortest paths in the network that faults leave.
class LivingLinks {
 public:
  /// \throws ConfigError if more links lead into a node than out of it: its packets could not all leave.
  explicit LivingLinks(const Faults& faults)
      : left_(faults.left()), without_path_(left_, "the network is not connected", &faults) {
    const auto nodes = static_cast<std::size_t>(left_.nodes());
    if (nodes > most_nodes)
      throw ConfigError("algorithm", "with faults, deflection keeps a table of all pairs of nodes, of at most " +
                                         std::to_string(most_nodes) + ", not " + std::to_string(nodes) +
                                         "; choose a smaller network");
    for (NodeId node = 0; node < left_.nodes(); ++node)
      if (left_.in_ports(node).size() != left_.out_ports(node).size())
        throw ConfigError("algorithm", "deflection needs as many links out of a node as into it, but of " +
                                           left_.node_name(node) + " " + std::to_string(left_.out_ports(node).size()) +
                                           " and " + std::to_string(left_.in_ports(node).size()) +
                                           " are alive: name cables in faults.dead, not single links");
    good_.resize(nodes * nodes);
    for (NodeId destination = 0; destination < left_.nodes(); ++destination) find_good(destination);
  }

  /// Empty if no path is left, and at the destination.
  PortMask good(NodeId node, NodeId destination) const { return good_[index(node, destination)]; }
  std::int32_t diameter() const { return left_.diameter(); }
  const routing::PairsWithoutPath* without_path() const { return without_path_.if_any(); }

 private:
  static constexpr std::size_t most_nodes = 16'384;  // a gigabyte

  std::size_t index(NodeId node, NodeId destination) const {
    return static_cast<std::size_t>(destination) * static_cast<std::size_t>(left_.nodes()) +
           static_cast<std::size_t>(node);
  }
  void find_good(NodeId destination) {
    const std::vector<std::int32_t> links = left_.distances_to(destination);
    for (NodeId node = 0; node < left_.nodes(); ++node) {
      if (links[static_cast<std::size_t>(node)] < 0) without_path_.add(node, destination);
      for (const Port port : left_.out_ports(node)) {
        const std::int32_t behind = links[static_cast<std::size_t>(left_.far_end(node, port).node)];
        if (behind >= 0 && behind < links[static_cast<std::size_t>(node)])
          good_[index(node, destination)] |= PortMask{1} << port;
      }
    }
  }

  const NetworkGraph left_;
  std::vector<PortMask> good_;  ///< [destination][node]
  routing::PairsWithoutPath without_path_;
};

/// The out-ports on shortest paths of a whole grid. Half way round a torus both directions qualify.
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
  explicit Meeting(PortMask links) : free_(links) {}

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

  /// The in-ports of the last packets, which are more than the links.
  PortMask beyond_links() {
    PortMask ins = 0;
    for (const Traveller* t = begin() + std::min(count_, __builtin_popcount(free_)); t != end(); ++t)
      ins |= PortMask{1} << t->in;
    return ins;
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
  /// \param links null: all are alive.
  DeflectionController(Priority priority, const LivingLinks* links) : priority_(priority), links_(links) {}

  void step(WormView& view) override {
    Meeting meeting(view.out_ports());
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const Flit& flit = view.arrival(in);
      if (flit.destination == view.node()) view.eject(in);
      else meeting.add({flit.packet, good(view, flit.destination), in, no_port});
    }
    const bool injects = view.waiting() > 0 && !meeting.full();
    const PacketId next = view.next_packet();
    if (injects) meeting.add({next, good(view, view.packet(next).destination), no_port, no_port});

    meeting.order_by(priority_);
    for (Traveller& traveller : meeting) meeting.give_good_link(traveller);
    for (Traveller& traveller : meeting) {
      const bool deflected = traveller.out == no_port;
      if (deflected) meeting.deflect(traveller);
      send(view, traveller, deflected);
    }
    if (view.waiting() > (injects ? 1 : 0)) view.wake_at(view.step() + 1);
  }

  /// The last packets by their priority.
  PortMask overflow(const WormView& view) const override {
    Meeting meeting(view.out_ports());
    for_each_port(view.arrived(), [&](Port in) {
      const Flit& flit = view.arrival(in);
      if (flit.destination != view.node()) meeting.add({flit.packet, good(view, flit.destination), in, no_port});
    });
    meeting.order_by(priority_);
    return meeting.beyond_links();
  }

  PortMask reroute(const WormView& view, const WormController& other) override {
    links_ = dynamic_cast<const DeflectionController&>(other).links_;
    PortMask cut_off = 0;
    for_each_port(view.arrived(), [&](Port in) {
      const NodeId destination = view.arrival(in).destination;
      if (destination != view.node() && links_->good(view.node(), destination) == 0) add_port(cut_off, in);
    });
    return cut_off;
  }

  void publish(std::uint32_t* values) const override { values[0] = deflections_; }

 private:
  /// Links may have died since the distances were computed.
  PortMask good(const View& view, NodeId destination) const {
    return links_ == nullptr ? good_ports(view, destination)
                             : links_->good(view.node(), destination) & view.out_ports();
  }

  void send(WormView& view, const Traveller& traveller, bool deflected) {
    deflections_ += deflected ? 1 : 0;
    if (traveller.in == no_port) return view.inject(traveller.out, deflected ? 1 : 0);
    const Flit& flit = view.arrival(traveller.in);
    if (deflected) view.relabel(traveller.in, static_cast<std::uint16_t>(flit.tag + 1), flit.header);
    view.route(traveller.in, traveller.out);
  }

  Priority priority_;
  const LivingLinks* links_;
  std::uint32_t deflections_ = 0;  ///< packets deflected here
};

class Deflection final : public Algorithm {
 public:
  /// \param faults null: none. \param links_change some die or are repaired during the run.
  Deflection(const Grid& topology, Priority priority, const Faults* faults, bool links_change)
      : Algorithm(declare()), topology_(topology), priority_(priority), links_change_(links_change) {
    if (faults != nullptr) links_.emplace(*faults);
  }

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(DeflectionController(priority_, links_ ? &*links_ : nullptr), topology_.nodes());
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& packets) const override;
  const routing::PairsWithoutPath* without_path() const override { return links_ ? links_->without_path() : nullptr; }

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::never_standing;
    d.state = {{"deflections", 32, {}}};
    return d;
  }

  const Grid& topology_;
  Priority priority_;
  bool links_change_;
  std::optional<LivingLinks> links_;  ///< with faults
};

/// With `rank` the lowest packet number in the network chooses first everywhere, so each of its steps shortens its
/// distance: it arrives within a diameter, and so does the next one after it. The bound counts from the last
/// injection, which is in step 0 if no node has more than one packet and none is created later.
std::map<std::string, double> Deflection::bounds(const std::vector<Packet>& packets) const {
  if (priority_ != Priority::rank || links_change_) return {};
  std::vector<bool> sends(static_cast<std::size_t>(topology_.nodes()));
  std::int64_t sent = 0;
  for (const Packet& packet : packets) {
    if (packet.created != 0 || sends[packet.source]) return {};
    sends[packet.source] = true;
    const auto* const lost = without_path();
    sent += lost != nullptr && lost->contains(packet.source, packet.destination) ? 0 : 1;
  }
  return {{"steps", static_cast<double>(sent) * (links_ ? links_->diameter() : topology_.diameter())}};
}

}  // namespace

AlgorithmEntry deflection_entry() {
  AlgorithmEntry entry;
  entry.name = "deflection";
  entry.meaning = "bufferless hot-potato routing: blocked packets are deflected";
  entry.needs = {"mesh", "torus"};
  entry.bounds = {integer_metric("steps", "steps", "the diameter for each packet")
                      .only("priority is rank, no node has more than one packet, created in step 0, and no hardware "
                            "dies or is repaired during the run")};
  entry.storage = StorageModel::never_standing;
  entry.takes_dead_links = true;
  entry.keys = {choice_key("priority", priority_names,
                           "the packet that chooses its link first: the lowest packet number (rank), or packets with "
                           "only one productive link before the others (restricted)")
                    .by_default(priority_names.front())};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const bool rank = keys.text("priority") == priority_names.front();
    return std::make_unique<Deflection>(context.grid(), rank ? Priority::rank : Priority::restricted, context.faults,
                                        context.hardware_changes);
  };
  return entry;
}

}  // namespace starloom::links
