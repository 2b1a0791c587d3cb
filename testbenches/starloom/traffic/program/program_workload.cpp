// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/program_workload.hpp>

#include <algorithm>

#include <starloom/core/most_steps.hpp>

namespace starloom {

ProgramWorkload::ProgramWorkload(std::shared_ptr<const Program> program, bool units)
    : program_(std::move(program)),
      entries_(program_->part_count()),
      next_item_(2 * std::int64_t{program_->part_count()}) {
  if (units) units_.emplace(*program_);
  log_.times.resize(program_->part_count());
  for (ProgramPart part = 0; part < program_->part_count(); ++part)
    entries_[part].waits_for = program_->waits_for(part);
  for (ProgramPart part = 0; part < program_->part_count(); ++part)
    if (program_->waits_for(part) == 0) release_entry(part);
  settle();
}

ProgramWorkload::Running& ProgramWorkload::running(std::uint32_t instance) {
  const auto [at, is_new] = running_.try_emplace(instance);
  Running& fresh = at->second;
  if (!is_new) return fresh;
  const OperationInstance& facts = program_->instances()[instance];
  const auto ranks = static_cast<std::int32_t>(program_->ranks_of(facts).size());
  if (facts.operation >= plans_.size()) plans_.resize(facts.operation + std::size_t{1});
  auto& [of_ranks, known] = plans_[facts.operation];
  if (of_ranks == ranks) fresh.plan = known.lock();
  if (fresh.plan == nullptr) {
    fresh.plan = std::make_shared<const OperationPlan>(Program::plan(program_->operation(facts), ranks));
    of_ranks = ranks;
    known = fresh.plan;
  }
  fresh.items.resize(fresh.plan->items().size());
  for (std::size_t item = 0; item < fresh.items.size(); ++item) {
    const OperationPlan::Item& planned = fresh.plan->items()[item];
    fresh.items[item].waits_for = planned.waits_for + (planned.after_entry ? 1 : 0);
  }
  fresh.finishes.resize(static_cast<std::size_t>(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    fresh.finishes[static_cast<std::size_t>(rank)].waits_for = fresh.plan->count_of(rank) + 1;
  fresh.chunks.assign(fresh.plan->chunks().size(), no_step);
  fresh.left = ranks;
  fresh.first_item = next_item_;
  // An instance with one rank may have no items; the next one has its first number.
  if (!fresh.items.empty()) by_first_item_.emplace(fresh.first_item, instance);
  next_item_ += static_cast<std::int64_t>(fresh.items.size());
  return fresh;
}

bool ProgramWorkload::take(State& waiting, const Completed& completed, std::uint32_t place) {
  Completion& ready = waiting.ready;
  if (completed.at.step > ready.step || (completed.at.step == ready.step && place < waiting.place)) {
    ready.step = completed.at.step;
    ready.released_by = completed.at.released_by;
    waiting.place = place;
  }
  ready.delivered = std::max(ready.delivered, completed.at.delivered);
  waiting.depth = std::max(waiting.depth, completed.depth);
  return --waiting.waits_for == 0;
}

void ProgramWorkload::settle() {
  while (!completed_.empty()) {
    const Completed completed = completed_.back();
    completed_.pop_back();
    if (completed.kind == Kind::entry) pass_on_entry(completed);
    else if (completed.kind == Kind::item) pass_on_item(completed);
    else pass_on_finish(completed);
  }
}

void ProgramWorkload::pass_on_entry(const Completed& entry) {
  Running& instance = running(entry.instance);
  log_.times[program_->instances()[entry.instance].first_part + entry.index].start = entry.at.step;
  for (const PlanItem item : instance.plan->after_entry(static_cast<std::int32_t>(entry.index)))
    if (take(instance.items[item], entry, 0)) release_item(entry.instance, item);
  if (take(instance.finishes[entry.index], entry, 0)) release_finish(entry.instance, entry.index);
}

void ProgramWorkload::pass_on_item(const Completed& completed) {
  Running& instance = running(completed.instance);
  const OperationPlan::Item& item = instance.plan->items()[completed.index];
  depth_ = std::max<std::int64_t>(depth_, completed.depth);
  if (item.chunk >= 0) {
    Step& last = instance.chunks[static_cast<std::size_t>(item.chunk)];
    last = last == no_step ? completed.at.step : std::max(last, completed.at.step);
  }
  instance.plan->each_dependant(completed.index, [&](const OperationPlan::Dependant& dependant) {
    if (take(instance.items[dependant.item], completed, dependant.place))
      release_item(completed.instance, dependant.item);
  });
  const auto finishes = [&](std::int32_t rank) {
    const auto index = static_cast<std::uint32_t>(rank);
    if (take(instance.finishes[index], completed, completed.index + 1)) release_finish(completed.instance, index);
  };
  finishes(item.from);
  instance.plan->each_receiver(item, [&](std::int32_t rank) {
    if (rank != item.from) finishes(rank);
  });
}

void ProgramWorkload::pass_on_finish(const Completed& part) {
  Running& instance = running(part.instance);
  const ProgramPart number = program_->instances()[part.instance].first_part + part.index;
  log_.times[number].finish = part.at.step;
  if (units_ && program_->use_of(number).unit != RankUnit::none) units_->release(number, part.at);
  program_->each_dependant(number, [&](const Program::Dependant& dependant) {
    if (take(entries_[dependant.part], part, dependant.place)) release_entry(dependant.part);
  });
  if (--instance.left > 0) return;
  finished_.push_back(part.instance);
  for (std::size_t chunk = 0; chunk < instance.chunks.size(); ++chunk) {
    const OperationPlan::Chunk& facts = instance.plan->chunks()[chunk];
    log_.chunks.push_back({part.instance, facts.block, facts.piece, instance.chunks[chunk]});
  }
}

void ProgramWorkload::release_item(std::uint32_t number, PlanItem item) {
  const Running& instance = running_.at(number);
  const OperationPlan::Item& planned = instance.plan->items()[item];
  const State& state = instance.items[item];
  if (planned.flits > 0) {
    const OperationInstance& facts = program_->instances()[number];
    const std::int32_t rank = program_->ranks_of(facts)[static_cast<std::size_t>(planned.from)];
    due_.push({std::max(state.ready.step, state.ready.delivered + 1), program_->node(rank), number, item});
    return;
  }
  Completed event{Kind::item, number, item, state.ready, state.depth};
  event.at.step = std::min(state.ready.step + planned.delay, most_steps);
  if (planned.after_entry) ++event.depth;
  complete(event, instance.first_item + item);
}

void ProgramWorkload::release_entry(ProgramPart part) {
  Completion& ready = entries_[part].ready;
  ready.step = std::max<Step>(ready.step, 0);
  if (units_ && program_->use_of(part).unit != RankUnit::none) units_->request(part, ready.moment());
  else enter(part);
}

void ProgramWorkload::enter(ProgramPart part) {
  const std::uint32_t instance = program_->instance_of(part);
  const State& state = entries_[part];
  complete({Kind::entry, instance, part - program_->instances()[instance].first_part, state.ready, state.depth},
           2 * std::int64_t{part});
}

void ProgramWorkload::use_units(Step step) {
  while (units_ && units_->next_moment() != no_step && units_->next_moment() <= 2 * step) {
    for (const auto& [part, before] : units_->decide()) {
      Completion& ready = entries_[part].ready;
      if (before.moment() > ready.moment()) {
        ready.step = before.step;
        ready.released_by = before.released_by;
      }
      ready.delivered = std::max(ready.delivered, before.delivered);
      enter(part);
    }
    settle();
  }
}

Step ProgramWorkload::next_creation() const {
  const Step created = due_.empty() ? no_step : due_.top().step;
  const Step moment = units_ ? units_->next_moment() : no_step;
  if (moment == no_step) return created;
  const Step decided = (moment + 1) / 2;
  return created == no_step ? decided : std::min(created, decided);
}

void ProgramWorkload::release_finish(std::uint32_t instance, std::uint32_t index) {
  const State& state = running_.at(instance).finishes[index];
  const ProgramPart part = program_->instances()[instance].first_part + index;
  complete({Kind::finish, instance, index, state.ready, state.depth}, 2 * std::int64_t{part} + 1);
}

void ProgramWorkload::complete(const Completed& event, std::int64_t number) {
  last_event_ = std::max(last_event_, event.at.step);
  events_.push_back(number);
  completed_.push_back(event);
}

void ProgramWorkload::create(Step step, std::vector<NewMessage>& out) {
  use_units(step);
  for (; !due_.empty() && due_.top().step == step; due_.pop()) {
    const Due due = due_.top();
    const Running& instance = running_.at(due.instance);
    const OperationPlan::Item& planned = instance.plan->items()[due.item];
    const OperationInstance& facts = program_->instances()[due.instance];
    Item item;
    item.source = due.source;
    item.destination = program_->destination(facts, planned.to);
    item.flits = planned.flits;
    item.cycle = step;
    item.flow = static_cast<std::int32_t>(due.instance);
    item.deadline = program_->operation(facts).deadline;
    item.traffic_class = program_->operation(facts).traffic_class;
    out.push_back({instance.first_item + due.item, instance.items[due.item].ready.released_by, item});
    under_way_.emplace(next_message_++, UnderWay{due.instance, due.item});
  }
}

void ProgramWorkload::delivered(MessageNumber message, Step step) {
  const auto found = under_way_.find(message);
  const UnderWay& facts = found->second;
  const State& state = running_.at(facts.instance).items[facts.item];
  const Completed completed{Kind::item, facts.instance, facts.item, {step, step, message}, state.depth + 1};
  under_way_.erase(found);
  completed_.push_back(completed);
  settle();
}

std::string ProgramWorkload::flow(const Item& item) const {
  const std::string to = is_group(item.destination) ? "all" : std::to_string(program_->rank_at(item.destination));
  return program_->name(static_cast<std::uint32_t>(item.flow)) + " " + std::to_string(program_->rank_at(item.source)) +
         "->" + to;
}

void ProgramWorkload::dependants(std::int64_t number, std::vector<std::int64_t>& out) const {
  const std::int64_t parts = program_->part_count();
  const auto finish_of = [](ProgramPart part) { return 2 * std::int64_t{part} + 1; };
  if (number >= 2 * parts) {
    const std::uint32_t at = std::prev(by_first_item_.upper_bound(number))->second;
    const Running& instance = running_.at(at);
    const auto item = static_cast<PlanItem>(number - instance.first_item);
    const OperationPlan::Item& planned = instance.plan->items()[item];
    instance.plan->each_dependant(
        item, [&](const OperationPlan::Dependant& dependant) { out.push_back(instance.first_item + dependant.item); });
    const ProgramPart first = program_->instances()[at].first_part;
    out.push_back(finish_of(first + static_cast<ProgramPart>(planned.from)));
    instance.plan->each_receiver(planned, [&](std::int32_t rank) {
      if (rank != planned.from) out.push_back(finish_of(first + static_cast<ProgramPart>(rank)));
    });
    return;
  }
  const auto part = static_cast<ProgramPart>(number / 2);
  if (number % 2 != 0) {
    program_->each_dependant(
        part, [&](const Program::Dependant& dependant) { out.push_back(2 * std::int64_t{dependant.part}); });
    return;
  }
  const std::uint32_t at = program_->instance_of(part);
  const Running& instance = running_.at(at);
  for (const PlanItem item :
       instance.plan->after_entry(static_cast<std::int32_t>(part - program_->instances()[at].first_part)))
    out.push_back(instance.first_item + item);
  out.push_back(finish_of(part));
}

std::vector<std::int64_t> ProgramWorkload::take_events() {
  for (const std::uint32_t instance : retired_) {
    const auto found = running_.find(instance);
    if (!found->second.items.empty()) by_first_item_.erase(found->second.first_item);
    running_.erase(found);
  }
  retired_ = std::exchange(finished_, {});
  return std::exchange(events_, {});
}

bool ProgramWorkload::blocked() const {
  return under_way_.empty() && next_creation() == no_step && units_ && !units_->blocked().empty();
}

std::vector<std::string> ProgramWorkload::waiting(std::size_t most) const {
  std::vector<MessageNumber> messages;
  for (const auto& [message, facts] : under_way_) messages.push_back(message);
  std::sort(messages.begin(), messages.end());
  std::vector<std::string> lines;
  for (const MessageNumber message : messages) {
    if (lines.size() == most) break;
    const UnderWay& facts = under_way_.at(message);
    const OperationPlan::Item& planned = running_.at(facts.instance).plan->items()[facts.item];
    const auto& ranks = program_->ranks_of(program_->instances()[facts.instance]);
    const std::string receiver = planned.to == OperationPlan::everyone
                                     ? "each other rank"
                                     : "rank " + std::to_string(ranks[static_cast<std::size_t>(planned.to)]);
    lines.push_back(receiver + " waits in " + program_->name(facts.instance) + " for message " +
                    std::to_string(message) + " of rank " +
                    std::to_string(ranks[static_cast<std::size_t>(planned.from)]) + ", which was not delivered");
  }
  if (!blocked()) return lines;
  for (const auto& [part, holder] : units_->blocked()) {
    if (lines.size() == most) break;
    lines.push_back("rank " + std::to_string(program_->rank_of(part)) + " does not enter " +
                    program_->name(program_->instance_of(part)) + " before it has finished " +
                    program_->name(program_->instance_of(holder)));
  }
  return lines;
}

}  // namespace starloom
