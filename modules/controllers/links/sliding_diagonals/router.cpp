#include <starloom/controllers/links/sliding_diagonals/router.hpp>

#include <algorithm>
#include <limits>

namespace starloom::links {
namespace {

/// Words of a head: the node that it makes for, and whether its worm was stored before.
constexpr std::size_t target_word = 0, stored_word = 1;

/// Level B: the step in which a worm starts, and how many of its registers behind this one are to be told.
constexpr int start_bits = 20;

Port back_through(Port in) { return in; }       // turning back: port q faces the same neighbour on its way in and out
Port straight_from(Port in) { return in ^ 1; }  // straight on
Port up_port(int axis) { return 2 * axis; }
Port down_port(int axis) { return 2 * axis + 1; }
int axis_at(Port port) { return port >> 1; }
/// A head that came through an in-port has moved away from the neighbour that the port faces.
bool came_upwards(Port in) { return (in & 1) != 0; }

}  // namespace

SlidingDiagonalsController::SlidingDiagonalsController(const DiagonalProgram& program, const Grid& grid)
    : program_(&program), second_run_(!program.intermediate) {
  progress_.pass_batches = progress_.batches = timetable().batches(timetable().n(), true);
  census_.open(pass_ends() - timetable().final_steps(), grid);
  if (timetable().constants().registers_only) rank_.assign(static_cast<std::size_t>(timetable().dimensions()), 0);
}

Step SlidingDiagonalsController::pass_ends() const {
  return pass_begins_ + timetable().pass_steps(progress_.pass_batches);
}

void SlidingDiagonalsController::publish(std::uint32_t* values) const {
  values[0] = static_cast<std::uint32_t>(event_);
  values[1] = *std::max_element(admitted_.begin(), admitted_.end());
  values[2] = static_cast<std::uint32_t>(tally_.pass_1);
  values[3] = static_cast<std::uint32_t>(tally_.phase_2);
  values[4] = static_cast<std::uint32_t>(tally_.overflow);
  values[5] = static_cast<std::uint32_t>(tally_.no_place);
  values[6] = static_cast<std::uint32_t>(lodgers_.size());
}

void SlidingDiagonalsController::step(WormView& view) {
  // Most nodes run most often because a head passes.
  const bool passing = view.step() < attend_at_ && view.parked() == 0 && view.reverse_words() == 0;
  need_ = no_step;
  lodges_ = false;
  if (!passing) attend(view);
  now_ = timetable().moment(view.step() - pass_begins_);
  if (view.reverse_words() != 0 && !rank_.empty()) hear_ranks(view);

  // Who goes straight on has the link; who turns out of a row takes what is left, and starts come last.
  claimed_ = view.bound();
  PortMask turning = 0;
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    const bool asks =
        is_row(axis_at(in)) && !is_final(axis_at(in)) && timetable().row_rule(now_.tau).turn != Turn::none;
    if (asks) turning |= PortMask{1} << in;
    else decide(view, in);
  }
  for (; turning != 0; turning &= turning - 1) turn_or_run(view, lowest_port(turning));
  for (PortMask left = view.parked(); left != 0; left &= left - 1) serve_parked(view, lowest_port(left));
  if (!passing && view.step() == entry_at_) start_lodger(view);
  if (!passing && view.step() == census_.begins()) count_worms(view);
  if (!passing || lodges_ || need_ != no_step) plan_wake_up(view);
}

/// What this node has to look at before it decides about heads.
void SlidingDiagonalsController::attend(WormView& view) {
  if (view.step() == 0) wake_up(view);
  follow(view);
}

/// The next step that this node has to attend to, and whether it has to be woken for that. One without worms need not:
/// what it has missed it makes up for when something comes.
void SlidingDiagonalsController::plan_wake_up(WormView& view) {
  const Step now = view.step();
  attend_at_ = std::numeric_limits<Step>::max();
  const auto attend_at = [this](Step step, bool awake) {
    attend_at_ = std::min(attend_at_, step);
    if (awake) need(step);
  };
  if (entry_at_ != no_step) attend_at(entry_at_, true);
  if (plan_.begins != no_step) attend_at(plan_.begins, !lodgers_.empty());
  if (census_.is_open()) attend_at(census_.next_step(now), !lodgers_.empty() || census_.fullest() > 0);
  // A request stays until its step.
  if (need_ == no_step || (asked_ > now && asked_ <= need_)) return;
  asked_ = need_;
  view.wake_at(need_);
}

// ---- the run as a whole

/// The packet that was created here becomes a worm that is due, or, if its random node is this one, one that is there.
void SlidingDiagonalsController::wake_up(WormView& view) {
  if (view.waiting() == 0 || !lodgers_.empty()) return;
  const PacketId packet = view.next_packet();
  NodeId target = view.packet(packet).destination;
  if (program_->intermediate)
    target = static_cast<NodeId>(view.random().bounded(static_cast<std::uint32_t>(view.grid().nodes())));
  const bool moves = target != view.node();
  lodgers_.push_back({packet, target, moves ? Lodger::State::due : Lodger::State::arrived, false});
  first_ = here(view, 0);
  count_ = moves ? 1 : 0;
  plan_entry(view, 0);
}

/// Brings what this node knows of the run up to this step. A node without worms may have slept while others counted
/// none.
void SlidingDiagonalsController::follow(WormView& view) {
  const auto begin_if_due = [&] {
    if (plan_.begins != no_step && plan_.begins <= view.step()) begin_pass(view);
  };
  begin_if_due();
  if (census_.is_open() && view.step() > census_.ends()) conclude(view);
  if (census_.is_open() && view.step() > census_.begins()) {
    if (view.step() <= census_.ends()) census_.listen(view);
    if (view.step() == census_.ends()) conclude(view);
  }
  begin_if_due();
}

/// The census has ended: the failed worms make a pass more; if there are none, the second run begins, with a census of
/// all worms, or everything is delivered.
void SlidingDiagonalsController::conclude(const WormView& view) {
  const Step free_from = std::max(pass_ends(), census_.ends());
  const std::int32_t fullest = census_.fullest();
  if (fullest > 0) {
    const bool clean_up = !counts_all_;
    if (!clean_up) clean_ups_ = 0;
    plan_ = {free_from, timetable().batches(fullest, !clean_up), census_.before(), clean_up};
    second_run_ = second_run_ || counts_all_;
    counts_all_ = false;
    census_.close();
    if (clean_up && ++clean_ups_ > program_->clean_ups) plan_ = {};
  } else if (!second_run_ && !counts_all_) {
    counts_all_ = true;
    census_.open(free_from, view.grid());
  } else {
    census_.close();
  }
}

void SlidingDiagonalsController::begin_pass(const WormView& view) {
  pass_begins_ = plan_.begins;
  progress_.pass_batches = plan_.batches;
  progress_.batches += plan_.batches;
  if (plan_.clean_up) progress_.clean_up_batches += plan_.batches;
  first_ = plan_.first;
  count_ = 0;
  const Lodger::State from = plan_.clean_up ? Lodger::State::failed : Lodger::State::arrived;
  for (Lodger& lodger : lodgers_) {
    if (lodger.state != from) continue;
    lodger.state = Lodger::State::due;
    if (!plan_.clean_up) lodger.target = view.packet(lodger.packet).destination;
    ++count_;
  }
  plan_ = {};
  counted_slot_ = started_batch_ = -1;
  census_.open(pass_ends() - timetable().final_steps(), view.grid());
  plan_entry(view, view.step());
}

void SlidingDiagonalsController::count_worms(WormView& view) {
  const Lodger::State counted = counts_all_ ? Lodger::State::arrived : Lodger::State::failed;
  census_.announce(
      view, static_cast<std::int32_t>(std::count_if(lodgers_.begin(), lodgers_.end(), [counted](const Lodger& lodger) {
        return lodger.state == counted;
      })));
}

// ---- heads

void SlidingDiagonalsController::send_on(WormView& view, Port in, Port out) {
  claimed_ |= PortMask{1} << out;
  view.route(in, out);
}

/// The processor takes the worm.
void SlidingDiagonalsController::absorb(WormView& view, Port in, Lodger::State state) {
  const Flit& head = view.arrival(in);
  view.eject(in);
  if (head.destination == view.node()) return;
  const bool was_stored = head.header[stored_word] != 0;
  const bool failed = state == Lodger::State::failed;
  // Who fails at its random node is there all the same.
  const Lodger::State lodges = target_of(head) == view.node() ? Lodger::State::arrived : state;
  tally_.stored += failed && !was_stored ? 1 : 0;
  lodgers_.push_back({head.packet, target_of(head), lodges, was_stored || failed});
  lodges_ = true;
  event_ = failed ? Event::failed : event_;
}

void SlidingDiagonalsController::decide(WormView& view, Port in) {
  const int axis = axis_at(in);
  if (is_final(axis)) return go_home(view, in);
  if (is_row(axis)) return run_row(view, in);
  // In the first step of a slot: it is left over from the rows of the stage before.
  if (now_.tau == 0) {
    ++tally_.phase_2;
    return absorb(view, in, Lodger::State::failed);
  }
  if (came_upwards(in)) climb(view, in);
  else sink(view, in);
}

/// What is counted in a stage begins anew with the first head of the next: not before, for it may be seen.
void SlidingDiagonalsController::count_anew() {
  if (now_.slot == counted_slot_) return;
  counted_slot_ = now_.slot;
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
    return absorb(view, in, Lodger::State::failed);
  }
  ++admitted;
  tally_.fullest = std::max<std::int32_t>(tally_.fullest, admitted);
  event_ = Event::admitted;
  send_on(view, in, back_through(in));
}

/// The m-th worm of a reservoir stops with its head m worms above the bottom: the register there lets as many flits pass
/// and holds the next.
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
  const bool asks = turn == Turn::any || (turn == Turn::own_column && column == wanted) ||
                    (turn == Turn::own_block && columns.of(column) == columns.of(wanted));
  const Port up = up_port(axis + 1);
  if (!asks || !is_free(up)) {
    run_row(view, in);
    if (asks) event_ = Event::refused;
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
    return absorb(view, in, Lodger::State::arrived);
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
  const bool told = t.constants().registers_only;
  if (told && now_.tau == 0) {
    rank_[static_cast<std::size_t>(axis)] = 0;
    RingWords(view, axis).send(1);
  }
  const std::int32_t ranked_at = RingWords::reach(t.n());
  if (told && now_.tau < ranked_at) return need(at(now_.slot, ranked_at));
  const auto next = [&](std::int32_t from) {
    if (!told) return t.next_place(x, y, std::max(from, t.entry_begins()));
    const std::int32_t place = t.place_of_rank(x, y, rank_[static_cast<std::size_t>(axis)]);
    return place >= from ? place : -1;
  };
  std::int32_t starts = next(now_.tau);
  // The registers behind the head are told one after the other.
  if (told && now_.tau == ranked_at && t.flits() > 1 && starts >= 0)
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
    ++tally_.no_place;
    return absorb(view, in, Lodger::State::failed);
  }
  need(at(now_.slot, starts >= 0 ? starts : t.entry_ends()));
}

/// Level B. In the first half of a ring: numbers of the parked worms; after that: when those that stand here start.
void SlidingDiagonalsController::hear_ranks(WormView& view) {
  const std::int32_t ranked_at = RingWords::reach(timetable().n());
  if (census_.is_open() && view.step() > census_.begins()) return;
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

/// Worms of this node that belong to a batch: those whose number in their ring, modulo the batches, is the batch.
std::int32_t SlidingDiagonalsController::due_in(std::int64_t batch) const {
  std::int32_t due = 0;
  for (std::int32_t i = 0; i < count_; ++i) due += (first_ + i) % progress_.pass_batches == batch ? 1 : 0;
  return batch == started_batch_ ? due - started_ : due;
}

std::int64_t SlidingDiagonalsController::next_due(std::int64_t batch) const {
  std::int64_t next = -1;
  for (std::int32_t i = 0; i < count_; ++i) {
    const std::int64_t of = (first_ + i) % progress_.pass_batches;
    if (of >= batch && (next < 0 || of < next) && due_in(of) > 0) next = of;
  }
  return next;
}

void SlidingDiagonalsController::plan_entry(const WormView& view, Step from) {
  entry_at_ = no_step;
  const Moment moment = timetable().moment(from - pass_begins_);
  std::int64_t batch = (moment.slot + 1) / 2;
  std::int32_t tau =
      moment.slot % 2 == 0 ? std::max(moment.tau, timetable().entry_begins()) : timetable().entry_begins();
  while ((batch = next_due(batch)) >= 0) {
    if (2 * batch != moment.slot) tau = timetable().entry_begins();
    const std::int32_t place =
        tau < timetable().entry_ends() ? timetable().next_place(here(view, 0), here(view, 1), tau) : -1;
    if (place >= 0) {
      entry_at_ = at(2 * batch, place);
      return;
    }
    // The batch has no place for it.
    const auto due = [](const Lodger& lodger) { return lodger.state == Lodger::State::due; };
    for (std::int32_t left = due_in(batch); left > 0; --left) {
      ++tally_.no_place;
      Lodger& lodger = *std::find_if(lodgers_.begin(), lodgers_.end(), due);
      lodger.state = Lodger::State::failed;
      tally_.stored += lodger.was_stored ? 0 : 1;
      lodger.was_stored = true;
    }
    ++batch;
  }
}

/// The next worm of this processor enters the rows, if its place is not taken.
void SlidingDiagonalsController::start_lodger(WormView& view) {
  const DiagonalTimetable& t = timetable();
  if (is_free(up_port(0))) {
    const auto lodger = std::find_if(lodgers_.begin(), lodgers_.end(),
                                     [](const Lodger& each) { return each.state == Lodger::State::due; });
    std::array<std::uint32_t, 4> header{};
    header[target_word] = static_cast<std::uint32_t>(lodger->target);
    header[stored_word] = lodger->was_stored ? 1 : 0;
    view.inject_packet(lodger->packet, up_port(0),
                       static_cast<std::uint16_t>(t.diagonal(here(view, 0), here(view, 1), now_.tau)), header);
    lodgers_.erase(lodger);
    if (started_batch_ != now_.slot / 2) started_ = 0;
    started_batch_ = now_.slot / 2;
    ++started_;
    event_ = Event::entered;
  }
  plan_entry(view, view.step() + 1);
}

}  // namespace starloom::links
