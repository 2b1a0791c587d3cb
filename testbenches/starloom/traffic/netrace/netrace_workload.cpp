// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/netrace/netrace_workload.hpp>

#include <algorithm>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/data_file.hpp>

namespace starloom {
namespace {

/// Cycles by which a throttled reader is ahead of the packets that were delivered; as that of the Netrace library.
constexpr Step look_ahead = 1'000'000;

}  // namespace

NetraceWorkload::NetraceWorkload(std::shared_ptr<const NetraceInput> input) : input_(std::move(input)) {}

std::int64_t NetraceWorkload::depth() const {
  return input_->pace == NetracePace::timestamps ? std::min<std::int64_t>(input_->extent.count, 1)
                                                 : input_->extent.depth;
}

std::string NetraceWorkload::flow(const Item& item) const {
  return std::to_string(item.source) + "->" + std::to_string(item.destination);
}

void NetraceWorkload::begin() {
  const NetraceContent& content = input_->extent.content;
  file_ = content ? std::make_unique<NetraceFile>(content, input_->name)
                  : std::make_unique<NetraceFile>(input_->path, input_->name);
  NetraceRecord skipped;
  std::vector<std::string> faults;
  for (std::int64_t record = 0; record < input_->extent.first; ++record) file_->next(skipped, faults);
  read_ahead();
  if (ahead_) read_ = limit_ = cycle_of(*ahead_);
  limit_ += look_ahead;
}

void NetraceWorkload::read_ahead() {
  std::vector<std::string> faults;
  if (!ahead_) ahead_.emplace();
  if (next_number_ == input_->extent.count || !file_->next(*ahead_, faults)) ahead_.reset();
  if (!faults.empty()) throw DataFileError(faults.front() + "; the file was changed while it was read");
}

Step NetraceWorkload::next_read() const {
  if (file_ == nullptr) return 0;
  if (!may_read() || is_full()) return no_step;
  return throttled() ? resume_ : std::max(cycle_of(*ahead_), resume_);
}

Step NetraceWorkload::next_creation() const {
  const Step read = next_read();
  if (due_.empty()) return read;
  const Step due = std::get<0>(due_.top());
  return read == no_step ? due : std::min(read, due);
}

void NetraceWorkload::take_next(Step step) {
  const NetraceRecord& record = *ahead_;
  Entry& entry = entries_[record.id];
  entry.number = next_number_++;
  entry.facts.source = input_->node[static_cast<std::size_t>(record.source)];
  entry.facts.destination = input_->node[static_cast<std::size_t>(record.destination)];
  entry.facts.flits = input_->flits_of(record.bytes);
  entry.facts.cycle = read_ = cycle_of(record);
  entry.facts.id = record.id;
  // A record that is read late waited for the delivery before this step.
  entry.earliest = std::max<Step>(throttled() ? 0 : entry.facts.cycle, resume_ - 1);
  if (input_->pace != NetracePace::timestamps)
    for (const Id id : record.dependants) {
      if (id > input_->extent.last_id) continue;
      entry.dependants.push_back(id);
      ++entries_[id].waits_for;
    }
  ++in_memory_;
  if (entry.waits_for == 0) release(record.id, entry, step);
  read_ahead();
}

void NetraceWorkload::release(Id id, Entry& entry, Step from) {
  entry.created = entry.earliest;
  if (entry.ready != no_step)
    entry.created = std::max(entry.earliest, std::min(entry.ready + input_->delay, most_steps));
  due_.emplace(std::max(entry.created, from), entry.facts.source, entry.number, id);
}

void NetraceWorkload::create(Step step, std::vector<NewMessage>& out) {
  if (file_ == nullptr) begin();
  for (Step read = next_read(); read != no_step && read <= step; read = next_read()) take_next(step);
  if (may_read() && is_full() && pause_from_ == no_step)
    pause_from_ = throttled() ? step : std::max(cycle_of(*ahead_), step);
  for (; !due_.empty() && std::get<0>(due_.top()) == step; due_.pop()) {
    const Id id = std::get<Id>(due_.top());
    const Entry& entry = entries_.at(id);
    under_way_.emplace(entry.number, id);
    out.push_back(
        {std::int64_t{id} - input_->extent.first_id, entry.released_by, entry.facts, entry.number, entry.created});
  }
}

void NetraceWorkload::delivered(MessageNumber message, Step step) {
  const auto at = under_way_.find(message);
  const auto found = entries_.find(at->second);
  const Entry entry = std::move(found->second);
  under_way_.erase(at);
  entries_.erase(found);
  for (const Id id : entry.dependants) {
    Entry& dependant = entries_.at(id);
    if (step > dependant.ready || (step == dependant.ready && message < dependant.released_by)) {
      dependant.ready = step;
      dependant.released_by = message;
    }
    if (--dependant.waits_for == 0 && dependant.number >= 0) release(id, dependant, step + 1);
  }
  --in_memory_;
  if (throttled()) limit_ = std::max(limit_, entry.facts.cycle + look_ahead);
  const bool paused = pause_from_ != no_step && pause_from_ <= step;
  if (throttled() || paused) resume_ = step + 1;
  if (paused) paused_ += resume_ - pause_from_;
  pause_from_ = no_step;
}

void NetraceWorkload::dependants(std::int64_t item, std::vector<std::int64_t>& out) const {
  for (const Id id : entries_.at(static_cast<Id>(item + input_->extent.first_id)).dependants)
    out.push_back(std::int64_t{id} - input_->extent.first_id);
}

std::string NetraceWorkload::name(Id id) const {
  const MessageNumber number = entries_.at(id).number;
  return "id " + std::to_string(id) +
         (number < 0 ? "" : " (record " + std::to_string(number + input_->extent.first) + ")");
}

std::vector<std::string> NetraceWorkload::waiting(std::size_t most) const {
  std::vector<std::pair<MessageNumber, Id>> under_way(under_way_.begin(), under_way_.end());
  std::sort(under_way.begin(), under_way.end());
  std::vector<std::string> lines;
  for (const auto& [number, id] : under_way)
    for (const Id dependant : entries_.at(id).dependants) {
      if (lines.size() == most) return lines;
      lines.push_back(name(dependant) + " waits for " + name(id) + ", which was not delivered");
    }
  return lines;
}

}  // namespace starloom
