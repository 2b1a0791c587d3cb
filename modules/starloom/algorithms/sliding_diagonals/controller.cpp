// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/controller.hpp>

#include <algorithm>

namespace starloom::links {
namespace {

/// Words of a head: its current target node, and whether its worm was stored before.
constexpr std::size_t target_word = 0, stored_word = 1;

/// Level B: the step in which a worm starts, and the number of its registers behind this one that still have to learn
/// it.
constexpr int start_bits = 20;

Port back_through(Port in) { return in; }  // turning back: port q faces the same neighbour as in-port and as out-port
Port straight_from(Port in) { return in ^ 1; }  // straight on
Port up_port(int axis) { return 2 * axis; }
Port down_port(int axis) { return 2 * axis + 1; }
int axis_at(Port port) { return port >> 1; }
/// A head that came through an in-port has moved away from the neighbour that the port faces.
bool came_upwards(Port in) { return (in & 1) != 0; }

}  // namespace

SlidingDiagonalsController::SlidingDiagonalsController(const DiagonalProgram& program, const Grid& grid)
    : program_(&program), worm_store_(program, grid) {
  if (timetable().constants().registers_only) rank_.assign(static_cast<std::size_t>(timetable().dimensions()), 0);
}

void SlidingDiagonalsController::publish(std::uint32_t* values) const {
  values[0] = static_cast<std::uint32_t>(event_);
  values[1] = *std::max_element(admitted_.begin(), admitted_.end());
  values[2] = static_cast<std::uint32_t>(tally_.pass_1);
  values[3] = static_cast<std::uint32_t>(tally_.phase_2);
  values[4] = static_cast<std::uint32_t>(tally_.overflow);
  values[5] = static_cast<std::uint32_t>(tally_.no_position);
  values[6] = static_cast<std::uint32_t>(worm_store_.size());
}

void SlidingDiagonalsController::step(WormView& view) {
  // Most nodes run most often because a head passes.
  const bool passing = view.step() < attend_at_ && view.parked() == 0 && view.reverse_words() == 0;
  need_ = no_step;
  stores_ = false;
  if (!passing) attend(view);
  now_ = timetable().moment(view.step() - pass_begins_);
  if (view.reverse_words() != 0 && !rank_.empty()) hear_ranks(view);

  // A worm that goes straight on has the link; one that turns out of a row takes a remaining one, and starts come
  // last.
  claimed_ = view.bound();
  PortMask turning = 0;
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    const bool may_turn =
        is_row(axis_at(in)) && !is_final(axis_at(in)) && timetable().row_rule(now_.tau).turn != Turn::none;
    if (may_turn) turning |= PortMask{1} << in;
    else decide(view, in);
  }
  for (; turning != 0; turning &= turning - 1) turn_or_run(view, lowest_port(turning));
  for (PortMask left = view.parked(); left != 0; left &= left - 1) serve_parked(view, lowest_port(left));
  if (!passing) {
    if (worm_store_.starts(view.step())) start_stored(view);
    worm_store_.announce(view);
  }
  if (!passing || stores_ || need_ != no_step) plan_wake_up(view);
}

/// The state that this node updates before it decides about heads.
void SlidingDiagonalsController::attend(WormView& view) {
  worm_store_.follow(view);
  pass_begins_ = worm_store_.progress().pass_begins;
}

void SlidingDiagonalsController::plan_wake_up(WormView& view) {
  const WormStore::NextEvent next = worm_store_.next_event(view.step());
  attend_at_ = next.step;
  if (next.awake) need(next.step);
  // A request is kept until its step.
  if (need_ == no_step || (requested_wake_ > view.step() && requested_wake_ <= need_)) return;
  requested_wake_ = need_;
  view.wake_at(need_);
}

// ---- heads

void SlidingDiagonalsController::send_on(WormView& view, Port in, Port out) {
  claimed_ |= PortMask{1} << out;
  view.route(in, out);
}

/// The processor stores the worm.
void SlidingDiagonalsController::absorb(WormView& view, Port in, StoredWorm::State state) {
  const Flit& head = view.arrival(in);
  view.eject(in);
  if (head.destination == view.node()) return;
  const bool was_stored = head.header[stored_word] != 0;
  const bool failed = state == StoredWorm::State::failed;
  // A worm that fails at its random node has arrived nevertheless.
  const StoredWorm::State stores = target_of(head) == view.node() ? StoredWorm::State::arrived : state;
  tally_.stored += failed && !was_stored ? 1 : 0;
  worm_store_.take_in({head.packet, target_of(head), stores, was_stored || failed});
  stores_ = true;
  event_ = failed ? Event::failed : event_;
}

void SlidingDiagonalsController::decide(WormView& view, Port in) {
  const int axis = axis_at(in);
  if (is_final(axis)) return go_home(view, in);
  if (is_row(axis)) return run_row(view, in);
  // In the first step of a slot: a worm that remains in the rows of the previous stage.
  if (now_.tau == 0) {
    ++tally_.phase_2;
    return absorb(view, in, StoredWorm::State::failed);
  }
  if (came_upwards(in)) climb(view, in);
  else sink(view, in);
}

/// Resets the counts of a stage with the first head of the next one: not before, because they may be observed.
void SlidingDiagonalsController::count_anew() {
  const Step stage = at(now_.slot, 0);
  if (stage == counted_from_) return;
  counted_from_ = stage;
  sunk_.fill(0);
  admitted_.fill(0);
}

void SlidingDiagonalsController::climb(WormView& view, Port in) {
  const int axis = axis_at(in);
  const std::int32_t row = here(view, axis);
  if (timetable().row_rule(now_.tau).backwards && !timetable().in_rounds(now_.tau))
    return send_on(view, in, down_port(axis - 1));
  const bool at_top = timetable().in_rounds(now_.tau) && timetable().rows().base(row) == row;
  if (!at_top) {
    event_ = Event::straight;
    return send_on(view, in, straight_from(in));
  }
  // The reservoir below the base of the next block.
  count_anew();
  const std::int32_t n = timetable().n();
  std::uint16_t& admitted = admitted_[static_cast<std::size_t>(axis)];
  if (admitted == timetable().reservoir((row + n - 1) % n)) {
    ++tally_.overflow;
    return absorb(view, in, StoredWorm::State::failed);
  }
  ++admitted;
  tally_.fullest = std::max<std::int32_t>(tally_.fullest, admitted);
  event_ = Event::admitted;
  send_on(view, in, back_through(in));
}

/// The m-th worm of a reservoir stops with its head m worms above the bottom: the register there lets this number of
/// flits pass and holds the next.
void SlidingDiagonalsController::sink(WormView& view, Port in) {
  count_anew();
  const int axis = axis_at(in);
  const std::int32_t row = here(view, axis);
  std::uint16_t& sunk = sunk_[static_cast<std::size_t>(axis)];
  if (sunk * timetable().flits() == row - timetable().rows().base(row)) {
    event_ = Event::parked;
    need(at(now_.slot + 1, 0));
    return view.hold(in);
  }
  ++sunk;
  event_ = Event::straight;
  send_on(view, in, straight_from(in));
}

void SlidingDiagonalsController::run_row(WormView& view, Port in) {
  const int axis = axis_at(in);
  event_ = Event::straight;
  send_on(view, in, timetable().row_rule(now_.tau).backwards ? down_port(axis) : up_port(axis));
}

void SlidingDiagonalsController::turn_or_run(WormView& view, Port in) {
  const int axis = axis_at(in);
  const std::int32_t column = here(view, axis);
  const std::int32_t wanted = view.grid().coordinate(target_of(view.arrival(in)), axis);
  const Turn turn = timetable().row_rule(now_.tau).turn;
  const Blocks& columns = timetable().columns();
  const bool may_turn = turn == Turn::any || (turn == Turn::own_column && column == wanted) ||
                        (turn == Turn::own_block && columns.of(column) == columns.of(wanted));
  const Port up = up_port(axis + 1);
  if (!may_turn || !is_free(up)) {
    run_row(view, in);
    if (may_turn) event_ = Event::refused;
    return;
  }
  tally_.pass_1 += turn == Turn::any ? 1 : 0;
  event_ = turn == Turn::any ? Event::turned_late : Event::turned;
  send_on(view, in, up);
}

/// Final routing: all worms go down their last ring together, each to its row.
void SlidingDiagonalsController::go_home(WormView& view, Port in) {
  const int axis = axis_at(in);
  if (view.grid().coordinate(target_of(view.arrival(in)), axis) == here(view, axis))
    return absorb(view, in, StoredWorm::State::arrived);
  event_ = Event::straight;
  send_on(view, in, straight_from(in));
}

// ---- worms that wait

void SlidingDiagonalsController::serve_parked(WormView& view, Port in) {
  const int axis = axis_at(in);
  if (!is_row(axis)) return need(at(now_.slot + 1, 0));  // its stage is not over
  if (is_final(axis)) return go_home(view, in);
  enter_from_park(view, in, axis);
}

/// From its reservoir into the rows of the next stage.
void SlidingDiagonalsController::enter_from_park(WormView& view, Port in, int axis) {
  const DiagonalTimetable& t = timetable();
  const std::int32_t x = here(view, axis), y = here(view, axis + 1);
  const bool numbered = t.constants().registers_only;
  if (numbered && now_.tau == 0) {
    rank_[static_cast<std::size_t>(axis)] = 0;
    RingWords(view, axis).send(1);
  }
  const std::int32_t ranked_at = RingWords::reach(t.n());
  if (numbered && now_.tau < ranked_at) return need(at(now_.slot, ranked_at));
  const auto next = [&](std::int32_t from) {
    if (!numbered) return t.next_position(x, y, std::max(from, t.entry_begins()));
    const std::int32_t position = t.position_of_rank(x, y, rank_[static_cast<std::size_t>(axis)]);
    return position >= from ? position : -1;
  };
  std::int32_t starts = next(now_.tau);
  // The registers behind the head are informed one after the other.
  if (numbered && now_.tau == ranked_at && t.flits() > 1 && starts >= 0)
    view.write_reverse(in, static_cast<std::uint32_t>(starts) | static_cast<std::uint32_t>(t.flits() - 1)
                                                                    << start_bits);
  if (starts == now_.tau && is_free(up_port(axis))) {
    Flit head = view.arrival(in);
    view.relabel(in, static_cast<std::uint16_t>(t.diagonal(x, y, now_.tau)), head.header);
    event_ = Event::entered;
    return send_on(view, in, up_port(axis));
  }
  if (starts == now_.tau) starts = next(now_.tau + 1);
  if (now_.tau >= t.entry_ends()) {
    ++tally_.no_position;
    return absorb(view, in, StoredWorm::State::failed);
  }
  need(at(now_.slot, starts >= 0 ? starts : t.entry_ends()));
}

/// Level B. In the first half of a ring: numbers of the parked worms; after that: the starts of those that are parked
/// here.
void SlidingDiagonalsController::hear_ranks(WormView& view) {
  const std::int32_t ranked_at = RingWords::reach(timetable().n());
  if (worm_store_.counts(view.step())) return;
  for (int axis = 1; axis < timetable().dimensions() - 1; ++axis) {
    if (!is_row(axis) || now_.tau == 0) continue;
    if (now_.tau <= ranked_at) {
      RingWords words(view, axis);
      words.pass_on(now_.tau, [&](std::uint32_t, std::int32_t origin) {
        if (origin < words.here()) ++rank_[static_cast<std::size_t>(axis)];
      });
    } else if ((view.reverse_words() >> down_port(axis) & 1) != 0) {
      const std::uint32_t word = view.reverse_word(down_port(axis));
      const std::uint32_t left = (word >> start_bits) - 1;
      if (left > 0) view.write_reverse(up_port(axis), (word & ((1u << start_bits) - 1)) | left << start_bits);
    }
  }
}

/// The next worm of this processor enters the rows, if its diagonal position is free.
void SlidingDiagonalsController::start_stored(WormView& view) {
  if (is_free(up_port(0))) {
    const StoredWorm stored = worm_store_.start(now_.slot / 2);
    FlitHeader header{};
    header[target_word] = static_cast<std::uint32_t>(stored.target);
    header[stored_word] = stored.was_stored ? 1 : 0;
    const std::int32_t diagonal = timetable().diagonal(here(view, 0), here(view, 1), now_.tau);
    view.inject_packet(stored.packet, up_port(0), static_cast<std::uint16_t>(diagonal), header);
    event_ = Event::entered;
  }
  worm_store_.plan_entry(view, view.step() + 1);
}

}  // namespace starloom::links
