// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/node_controllers.hpp>

#include <algorithm>

namespace starloom::links {
namespace {

using namespace compass;

const std::vector<std::string> role_names = {"storage", "buffer", "lane",   "gate",
                                             "command", "centre", "beside", "head"};
const std::vector<std::string> rotation_names = {"creation", "review", "balance", "extract", "queue", "death"};

}  // namespace

// ---- the common part of all nodes

SupernodeController::SupernodeController(const SupernodeDesign& design, SupernodePosition here, Cell cell)
    : design_(design),
      here_(here),
      cell_(cell),
      odd_((here.row + here.column) % 2 == 1),
      lag_(odd_ && design.repairs.clocks_differ ? 1 : 0) {}

std::vector<StateField> SupernodeController::state_fields() {
  return {{"role", 3, role_names}, {"rotation", 3, rotation_names}, {"slot", 16, {}}};
}

void SupernodeController::step(WormView& view) {
  // In step 0 the clock of an odd supernode is before its first round.
  if (view.step() >= round_ends_) enter_round(view);
  const auto tau = static_cast<std::int32_t>(view.step() - round_begins_);
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    if (is_control(view.arrival(in).kind)) take(view.arrival(in), tau);
    else decide(view, in, tau);
  }
  act(view, tau);
  if (view.waiting() > 0) send_due(view);
}

void SupernodeController::enter_round(const View& view) {
  const Step local = view.step() - lag_, length = timetable().round_steps();
  round_ = local < 0 ? 0 : local / length;
  round_begins_ = round_ * length + lag_;
  round_ends_ = round_begins_ + length;
  const Cell to = timetable().to(round_);
  entry_ = design_.preloaded ? Detour{} : path_to_ring(timetable().from(round_));
  exit_ = path_from_ring(to);
  exit_for_ = mesh(view).node(here_.row * design_.side + here_.column, to);
}

SupernodeController::Detour SupernodeController::path_to_ring(Cell source) const {
  for (Cell at = source; geometry().access(at).length > 0;) {
    const Port towards = geometry().access(at).towards;
    at = geometry().neighbour(at, towards);
    if (at != cell_) continue;
    const RingAccess& on = geometry().access(cell_);
    return {opposite(towards), on.length == 0 ? geometry().ring_out(on.ring, on.position) : on.towards};
  }
  return {};
}

SupernodeController::Detour SupernodeController::path_from_ring(Cell destination) const {
  Detour detour = path_to_ring(destination);
  if (detour.in == no_port) return {};
  const RingAccess& on = geometry().access(cell_);
  return {on.length == 0 ? geometry().ring_in(on.ring, on.position) : on.towards, detour.in};
}

void SupernodeController::decide(WormView& view, Port in, std::int32_t tau) {
  last_tau_ = tau;
  last_in_ = in;
  if (in == entry_.in && tau < timetable().first_superstep()) return view.route(in, entry_.out);
  if (timetable().consumes(tau)) {
    const NodeId destination = view.arrival(in).destination;
    if (destination == view.node()) return view.eject(in);
    if (in == exit_.in && destination == exit_for_) return view.route(in, exit_.out);
  }
  view.route(in, out_port(view, in, tau));
}

Step SupernodeController::due(const View& view, PacketId packet) const {
  const Cell to = mesh(view).cell(view.packet(packet).destination);
  const std::int64_t round = design_.preloaded ? to : timetable().round(cell_, to);
  const std::int32_t tau =
      design_.preloaded ? timetable().preloaded_creation() : timetable().creation(geometry().access(cell_));
  return round * timetable().round_steps() + lag_ + tau;
}

void SupernodeController::find_due(const View& view) {
  next_ = no_packet;
  for (PacketId packet = view.next_packet(); packet != no_packet; packet = view.packet_behind(packet)) {
    const Step step = due(view, packet);
    if (next_ != no_packet && step >= next_due_) continue;
    next_ = packet;
    next_due_ = step;
  }
}

Port SupernodeController::first_port() const {
  if (design_.preloaded) {
    const std::int32_t slots = geometry().size().slots(), place = geometry().starting_slot(cell_);
    return geometry().ring_out(place < slots ? left_ring : right_ring, geometry().slot_position(place % slots));
  }
  const RingAccess& out_port = geometry().access(cell_);
  return out_port.length == 0 ? geometry().ring_out(out_port.ring, out_port.position) : out_port.towards;
}

/// All worms are created in step 0, each waits for its round.
void SupernodeController::send_due(WormView& view) {
  if (next_ == no_packet) find_due(view);
  if (view.step() == next_due_) {
    view.inject_packet(next_, first_port(), 0, {});
    next_ = no_packet;
    // It leaves the memory at the end of this step.
    if (view.waiting() > 1) view.wake_at(view.step() + 1);
    return;
  }
  view.wake_at(next_due_);
}

std::uint32_t SupernodeController::shown_slot() const {
  if (last_in_ == no_port) return 0;
  const SupernodeGeometry::RingPosition place = geometry().ring_position(cell_, last_in_);
  if (place.position < 0) return 0;
  const std::int32_t index = timetable().at(last_tau_, place.position).index;
  return index < geometry().size().stored() ? static_cast<std::uint32_t>(1 + index / geometry().size().k) : 0;
}

void SupernodeController::publish(std::uint32_t* values) const {
  values[0] = static_cast<std::uint32_t>(geometry().role(cell_));
  values[1] = 0;
  if (last_in_ != no_port) {
    const std::int32_t position = std::max(0, geometry().ring_position(cell_, last_in_).position);
    values[1] = static_cast<std::uint32_t>(timetable().at(last_tau_, position).rotation);
  }
  values[2] = shown_slot();
}

// ---- the kinds of nodes

namespace {

/// Storage, buffers, lanes: a table.
class SupernodeTableController final : public SupernodeController {
 public:
  using SupernodeController::SupernodeController;

 private:
  Port out_port(WormView&, Port in, std::int32_t) override { return geometry().next(cell(), in); }
};

/// The cell where a ring leaves the vertical lane: stored worms turn, those of neighbours go straight on.
class SupernodeGateController final : public SupernodeController {
 public:
  using SupernodeController::SupernodeController;

 private:
  Port out_port(WormView&, Port in, std::int32_t tau) override {
    const Port on_ring = geometry().next(cell(), in);
    if (in == east || in == west || on_ring == opposite(in)) return on_ring;
    const bool stored = on_ring != no_port && timetable().at(tau, geometry().ring_position(cell(), in).position).index <
                                                  geometry().size().stored();
    return stored ? on_ring : opposite(in);
  }
};

/// Command processors and the centre observe the heads of stored worms.
class SupernodeReviewer : public SupernodeController {
 public:
  SupernodeReviewer(const SupernodeDesign& design, SupernodePosition here, Cell cell)
      : SupernodeController(design, here, cell), board_(design, here) {}

 protected:
  /// The event at this position of the ring; `index` at or above size().stored() if it is not a stored worm.
  RingMoment moment(Port in, std::int32_t tau) const {
    return timetable().at(tau, geometry().ring_position(cell(), in).position);
  }
  bool is_stored(const RingMoment& moment) const { return moment.index < geometry().size().stored(); }
  std::int32_t slot(const RingMoment& moment) const { return moment.index / geometry().size().k; }
  Ring ring(Port in) const { return geometry().ring_position(cell(), in).ring; }
  void note(const WormView& view, Port in, const RingMoment& moment) {
    board_.note(superstep_number(moment.superstep), ring(in), slot(moment),
                mesh(view).supernode(view.arrival(in).destination));
  }
  const SuperstepDecision& decision(WormView& view, std::int32_t superstep) {
    const SuperstepDecision& made = board_.decision(superstep_number(superstep), superstep);
    if (board_.overflows()) view.give_up("has to keep more worms in its supernode than its packet router has promised");
    return made;
  }

  SupernodeBoard board_;
};

/// The lower command processor; the upper one is the same after half a turn.
class SupernodeCommandController final : public SupernodeReviewer {
 public:
  SupernodeCommandController(const SupernodeDesign& design, SupernodePosition here, Cell cell)
      : SupernodeReviewer(design, here, cell), upper_(cell < design.geometry.centre()) {}

 private:
  /// A port of the lower command processor as a port here, and back.
  Port turned(Port port) const { return upper_ ? opposite(port) : port; }

  Port out_port(WormView& view, Port in, std::int32_t tau) override {
    return turned(out_port_below(view, turned(in), in, tau));
  }

  Port out_port_below(WormView& view, Port in, Port port, std::int32_t tau) {
    if (in == east) return north;  // inserted
    // From the buffer at the left: first it sends to the neighbour, then it inserts what it received.
    if (in == west) return timetable().in_superstep(tau) < 3 * timetable().rotation() ? south : north;
    const RingMoment at = moment(port, tau);
    if (!is_stored(at)) return in == south && is_odd() && design().repairs.bounce ? north : east;
    if (at.rotation == Rotation::review) {
      note(view, port, at);
      view.wake_at(step_of(token_tau(at.superstep)));
    }
    if (at.rotation == Rotation::extract) {
      const SuperstepDecision& made = decision(view, at.superstep);
      const auto place = static_cast<std::size_t>(ring(port) * geometry().size().slots() + slot(at));
      if (made.leaves[place] == turned(south)) return west;
      if (made.leaves[place] == turned(east)) return east;
    }
    return opposite(in);
  }

  std::int32_t token_tau(std::int32_t superstep) const {
    return timetable().first_superstep() + superstep * timetable().superstep_steps() + timetable().rotation();
  }

  /// After the review the adjacent buffers learn the slots for which they receive.
  void act(WormView& view, std::int32_t tau) override {
    if (tau < timetable().first_superstep()) return;
    const std::int32_t superstep = timetable().superstep(tau);
    if (tau != token_tau(superstep) || !board_.knows(superstep_number(superstep))) return;
    const SuperstepDecision& made = decision(view, superstep);
    for (const Port buffer : {south, east}) {
      Flit token;
      token.kind = FlitKind::token;
      token.header[0] = static_cast<std::uint32_t>(made.slot[static_cast<std::size_t>(turned(buffer))]);
      view.send_control(turned(buffer == south ? west : east), token);
    }
  }

  bool upper_;
};

class SupernodeCentreController final : public SupernodeReviewer {
 public:
  using SupernodeReviewer::SupernodeReviewer;
  const SupernodeTally& tally() const { return tally_; }

 private:
  Port out_port(WormView& view, Port in, std::int32_t tau) override {
    if (in == east || in == west) return in;  // bounce
    const RingMoment at = moment(in, tau);
    if (!is_stored(at)) return in;  // not a stored worm: bounce
    switch (at.rotation) {
      case Rotation::review: note(view, in, at); break;
      case Rotation::balance:
        if (decide_and_count(view, at.superstep).swaps[static_cast<std::size_t>(slot(at))] != 0) return in;
        break;
      case Rotation::death:
        if (timetable().is_last_death(at) &&
            mesh(view).supernode(view.arrival(in).destination) != mesh(view).supernode(view.node()))
          view.give_up("sees a worm of another supernode when the round ends: its packet router is late");
        return in;  // both rings become one
      default: break;
    }
    return opposite(in);
  }

  const SuperstepDecision& decide_and_count(WormView& view, std::int32_t superstep) {
    const bool first = !board_.decided();
    const SuperstepDecision& made = decision(view, superstep);
    if (first) {
      tally_.swaps += made.swapped;
      tally_.most_kept = std::max(tally_.most_kept, made.kept);
    }
    return made;
  }

  SupernodeTally tally_;
};

/// The node at the right of the centre; the one at the left is the same after half a turn.
class SupernodeBesideController final : public SupernodeController {
 public:
  SupernodeBesideController(const SupernodeDesign& design, SupernodePosition here, Cell cell)
      : SupernodeController(design, here, cell), left_(cell < design.geometry.centre()) {}

 private:
  Port turned(Port port) const { return left_ ? opposite(port) : port; }

  Port out_port(WormView&, Port in, std::int32_t tau) override {
    switch (turned(in)) {
      case east: return turned(is_odd() && design().repairs.bounce ? west : north);  // arrives
      case south: return turned(transmits(tau) ? east : south);
      default: return turned(north);
    }
  }
  /// Before that, worms come out of the buffer to lose two steps.
  bool transmits(std::int32_t tau) const {
    return timetable().in_superstep(tau) >= 2 * timetable().rotation() + geometry().size().stored() + h() + 2;
  }

  bool left_;
};

/// The head processor of a buffer.
class SupernodeHeadController final : public SupernodeController {
 public:
  SupernodeHeadController(const SupernodeDesign& design, SupernodePosition here, Cell cell)
      : SupernodeController(design, here, cell),
        sends_(design.geometry.buffer_of(cell)),
        buffer_(design.geometry.buffer(sends_)),
        into_(design.geometry.port_between(cell, buffer_.cells[1])) {}

 private:
  Port out_port(WormView&, Port in, std::int32_t tau) override {
    const SupernodeSize& size = geometry().size();
    const std::int32_t v = timetable().in_superstep(tau), c = timetable().rotation();
    if (in == buffer_.to_beside) return into_;
    if (in == buffer_.to_command) {
      const std::int32_t early = v - 2 * c - h() + 1;  // a worm taken out before it has passed the centre
      const bool delayed = early >= 0 && early < size.stored() && early % size.k == 0 && design().repairs.early_delay;
      return delayed ? buffer_.to_beside : into_;
    }
    if (v == 2 * c + size.stored() + h() + 1) return buffer_.to_neighbour;
    if (v == 3 * c + h() - 3 + size.k * slot(tau)) return buffer_.to_command;
    return into_;
  }
  void take(const Flit& token, std::int32_t tau) override {
    slot_ = static_cast<std::int32_t>(token.header[0]);
    last_token_in_ = superstep_number(timetable().superstep(tau));
  }
  /// Without a token the supernode stores no worm.
  std::int32_t slot(std::int32_t tau) const {
    return last_token_in_ == superstep_number(timetable().superstep(tau)) ? slot_ : first_slot(sends_);
  }
  std::uint32_t shown_slot() const override { return last_token_in_ < 0 ? 0 : static_cast<std::uint32_t>(1 + slot_); }

  Port sends_;
  const SupernodeBuffer& buffer_;
  Port into_;
  std::int32_t slot_ = 0;
  std::int64_t last_token_in_ = -1;  ///< superstep of the last token
};

}  // namespace

// ---- the board

SupernodeBoard::SupernodeBoard(const SupernodeDesign& design, SupernodePosition here)
    : design_(design),
      here_(here),
      notes_(static_cast<std::size_t>(design.geometry.size().f), no_supernode),
      decision_(design.geometry.size().slots()),
      nothing_(design.geometry.size().slots()) {}

void SupernodeBoard::note(std::int64_t number, Ring ring, std::int32_t slot, std::int32_t supernode) {
  if (number_ != number) {
    number_ = number;
    decided_ = false;
    std::fill(notes_.begin(), notes_.end(), no_supernode);
  }
  notes_[static_cast<std::size_t>(ring * design_.geometry.size().slots() + slot)] = supernode;
}

const SuperstepDecision& SupernodeBoard::decision(std::int64_t number, std::int32_t superstep) {
  if (!knows(number)) return nothing_;
  if (!decided_) decide(*design_.router, here_, superstep, design_.repairs.balance, notes_, decision_);
  decided_ = true;
  return decision_;
}

// ---- all of them

SupernodeControllers::SupernodeControllers(const SupernodeDesign& design) {
  const SupernodeGeometry& geometry = design.geometry;
  const std::int32_t side = geometry.size().side(), n = side * design.side;
  const auto make = [&](SupernodePosition here, Cell cell) -> std::unique_ptr<SupernodeController> {
    switch (geometry.role(cell)) {
      case SupernodeRole::gate: return std::make_unique<SupernodeGateController>(design, here, cell);
      case SupernodeRole::command: return std::make_unique<SupernodeCommandController>(design, here, cell);
      case SupernodeRole::centre: {
        auto centre = std::make_unique<SupernodeCentreController>(design, here, cell);
        tallies_.push_back(&centre->tally());
        return centre;
      }
      case SupernodeRole::beside: return std::make_unique<SupernodeBesideController>(design, here, cell);
      case SupernodeRole::head: return std::make_unique<SupernodeHeadController>(design, here, cell);
      default: return std::make_unique<SupernodeTableController>(design, here, cell);
    }
  };
  for (std::int32_t row = 0; row < n; ++row)
    for (std::int32_t column = 0; column < n; ++column)
      controllers_.push_back(make({row / side, column / side}, geometry.cell(row % side, column % side)));
}

std::map<std::string, double> SupernodeControllers::metrics() const {
  double swaps = 0;
  std::int32_t most_kept = 0;
  for (const SupernodeTally* tally : tallies_) {
    swaps += static_cast<double>(tally->swaps);
    most_kept = std::max(most_kept, tally->most_kept);
  }
  return {{"swaps", swaps}, {"max_after_sending", most_kept}};
}

}  // namespace starloom::links
