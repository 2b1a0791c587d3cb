// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/worm_store.hpp>

#include <algorithm>
#include <limits>

namespace starloom::links {

WormStore::WormStore(const DiagonalProgram& program, const Grid& grid)
    : program_(&program), second_run_(!program.intermediate) {
  progress_.pass_batches = progress_.batches = timetable().batches(timetable().n(), true);
  census_.open(pass_ends() - timetable().final_steps(), grid);
}

void WormStore::follow(View& view) {
  if (view.step() == 0) move_in(view);
  const auto begin_if_due = [&] {
    if (plan_.begins != no_step && plan_.begins <= view.step()) begin_pass(view);
  };
  begin_if_due();
  if (census_.is_open() && view.step() > census_.ends()) conclude(view);
  if (counts(view.step())) {
    if (view.step() <= census_.ends()) census_.listen(view);
    if (view.step() == census_.ends()) conclude(view);
  }
  begin_if_due();
}

/// The packet created here becomes a worm that is due, or, if its random node is this one, one that has arrived.
void WormStore::move_in(const View& view) {
  if (view.waiting() == 0 || !stored_.empty()) return;
  const PacketId packet = view.next_packet();
  NodeId target = view.packet(packet).destination;
  if (program_->intermediate)
    target = static_cast<NodeId>(view.random().bounded(static_cast<std::uint32_t>(view.grid().nodes())));
  const bool moves = target != view.node();
  stored_.push_back({packet, target, moves ? StoredWorm::State::due : StoredWorm::State::arrived, false});
  first_ = view.grid().coordinate(view.node(), 0);
  count_ = moves ? 1 : 0;
  plan_entry(view, 0);
}

/// Called when a count has ended.
void WormStore::conclude(const View& view) {
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

void WormStore::begin_pass(const View& view) {
  progress_.pass_begins = plan_.begins;
  progress_.pass_batches = plan_.batches;
  progress_.batches += plan_.batches;
  if (plan_.clean_up) progress_.clean_up_batches += plan_.batches;
  first_ = plan_.first;
  count_ = 0;
  const StoredWorm::State from = plan_.clean_up ? StoredWorm::State::failed : StoredWorm::State::arrived;
  for (StoredWorm& stored : stored_) {
    if (stored.state != from) continue;
    stored.state = StoredWorm::State::due;
    if (!plan_.clean_up) stored.target = view.packet(stored.packet).destination;
    ++count_;
  }
  plan_ = {};
  started_batch_ = -1;
  census_.open(pass_ends() - timetable().final_steps(), view.grid());
  plan_entry(view, view.step());
}

void WormStore::announce(View& view) {
  if (view.step() != census_.begins()) return;
  const StoredWorm::State counted = counts_all_ ? StoredWorm::State::arrived : StoredWorm::State::failed;
  const auto own = std::count_if(stored_.begin(), stored_.end(),
                                 [counted](const StoredWorm& stored) { return stored.state == counted; });
  census_.announce(view, static_cast<std::int32_t>(own));
}

WormStore::NextEvent WormStore::next_event(Step now) const {
  Step next = std::numeric_limits<Step>::max();
  if (entry_at_ != no_step) next = entry_at_;
  if (plan_.begins != no_step) next = std::min(next, plan_.begins);
  if (census_.is_open()) next = std::min(next, census_.next_step(now));
  const bool awake = !stored_.empty() || (census_.is_open() && census_.fullest() > 0);
  return {next, awake && next != std::numeric_limits<Step>::max()};
}

/// Worms of this node that belong to a batch: those whose number in their ring, modulo the batches, is the batch.
std::int32_t WormStore::due_in(std::int64_t batch) const {
  std::int32_t due = 0;
  for (std::int32_t i = 0; i < count_; ++i) due += (first_ + i) % progress_.pass_batches == batch ? 1 : 0;
  return batch == started_batch_ ? due - started_ : due;
}

/// The first batch from this one on with a worm that has not started; -1: there is none.
std::int64_t WormStore::next_due(std::int64_t batch) const {
  std::int64_t next = -1;
  for (std::int32_t i = 0; i < count_; ++i) {
    const std::int64_t of = (first_ + i) % progress_.pass_batches;
    if (of >= batch && (next < 0 || of < next) && due_in(of) > 0) next = of;
  }
  return next;
}

/// A ring has no more worms of a batch than positions, so each worm finds one in its batch.
void WormStore::plan_entry(const View& view, Step from) {
  entry_at_ = no_step;
  const DiagonalTimetable& t = timetable();
  const Moment moment = t.moment(from - progress_.pass_begins);
  const std::int64_t batch = next_due((moment.slot + 1) / 2);
  if (batch < 0) return;
  const bool now = 2 * batch == moment.slot;
  const std::int32_t tau = now ? std::max(moment.tau, t.entry_begins()) : t.entry_begins();
  const Grid& grid = view.grid();
  const std::int32_t enters = t.next_position(grid.coordinate(view.node(), 0), grid.coordinate(view.node(), 1), tau);
  if (enters >= 0) entry_at_ = progress_.pass_begins + t.slot_start(2 * batch) + enters;
}

StoredWorm WormStore::start(std::int32_t batch) {
  const auto due = std::find_if(stored_.begin(), stored_.end(),
                                [](const StoredWorm& each) { return each.state == StoredWorm::State::due; });
  const StoredWorm stored = *due;
  stored_.erase(due);
  if (started_batch_ != batch) started_ = 0;
  started_batch_ = batch;
  ++started_;
  return stored;
}

}  // namespace starloom::links
