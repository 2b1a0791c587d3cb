// SPDX-License-Identifier: Apache-2.0
#include "support/plain_allocators.hpp"

#include <algorithm>
#include <stdexcept>

namespace starloom {
namespace {

/// The lines with the greatest priority.
std::set<int> greatest(const std::map<int, std::int64_t>& priorities) {
  std::set<int> lines;
  for (const auto& [line, priority] : priorities)
    if (std::all_of(priorities.begin(), priorities.end(), [p = priority](const auto& one) { return one.second <= p; }))
      lines.insert(line);
  return lines;
}

}  // namespace

PlainRules plain_rules(const std::map<std::string, KeyValue>& keys) {
  PlainRules rules;
  const auto part = [&keys](const char* key, PartValue otherwise) {
    const auto found = keys.find(key);
    return found == keys.end() ? otherwise : std::get<PartValue>(found->second);
  };
  const auto is = [&keys](const char* key, const char* word) {
    const auto found = keys.find(key);
    return found != keys.end() && std::get<std::string>(found->second) == word;
  };
  const PartValue both = part("allocator", rules.switch_allocator);
  rules.channel_allocator = part("channel_allocator", both);
  rules.switch_allocator = part("switch_allocator", both.name == "piggyback" ? rules.switch_allocator : both);
  rules.arbiter = part("arbiter", rules.arbiter);
  if (keys.count("speculation.allocator") != 0) rules.speculation_allocator = part("speculation.allocator", {});
  rules.mask_requests = is("speculation.mask", "requests");
  rules.check_credit = !is("speculation.check", "channel");
  if (keys.count("priority") != 0) rules.priority = std::get<std::string>(keys.at("priority"));
  const auto flag = [&keys](const char* key) { return keys.count(key) != 0 && std::get<bool>(keys.at(key)); };
  rules.donate = flag("donate");
  rules.prefer_empty = flag("prefer_empty");
  rules.hold_switch = flag("hold_switch");
  rules.wait_for_tail_credit = flag("wait_for_tail_credit");
  rules.busy_when_full = flag("busy_when_full");
  rules.shuffle_requests = flag("shuffle_requests");
  rules.next_hop_channels = flag("next_hop_channels");
  const auto number = [&keys](const std::string& key, int otherwise) {
    const auto found = keys.find(key);
    return found == keys.end() ? otherwise : static_cast<int>(std::get<std::int64_t>(found->second));
  };
  rules.input = number("speedup.input", 1);
  rules.output = number("speedup.output", 1);
  rules.internal = number("speedup.internal", 1);
  rules.fifo = number("speedup.fifo", 0);
  if (!is("buffers.policy", "private")) rules.places = number("buffers.places", 0);
  rules.own_places = number("buffers.private", 1);
  rules.limit = number("buffers.limit", 0);
  rules.dynamic = is("buffers.policy", "dynamic");
  if (keys.count("flow") != 0) rules.flow = std::get<std::string>(keys.at("flow"));
  rules.copies_whole = !is("multicast", "flits");
  return rules;
}

PlainArbiter::PlainArbiter(const PartValue& rule, int lines, int step) : rule_(rule.name), lines_(lines), step_(step) {
  const auto n = static_cast<std::size_t>(rule_ == "matrix" ? lines : 0);
  beats_.assign(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) beats_[i][j] = true;
  if (rule_ != "tree") return;
  const int groups = static_cast<int>(*rule.number);
  const PartValue of = rule.of.empty() ? PartValue{"round-robin"} : rule.of.front();
  if (lines % groups != 0) throw std::invalid_argument("groups of different sizes");
  group_size_ = lines / groups;
  top_.emplace_back(of, groups);
  for (int group = 0; group < groups; ++group) of_groups_.emplace_back(of, group_size_);
}

int PlainArbiter::pick(const std::set<int>& lines) const {
  if (rule_ == "tree") {
    std::map<int, std::set<int>> by_group;
    for (const int line : lines) by_group[line / group_size_].insert(line % group_size_);
    std::set<int> groups;
    for (const auto& [group, members] : by_group) groups.insert(group);
    const int group = top_.front().pick(groups);
    return group * group_size_ + of_groups_[static_cast<std::size_t>(group)].pick(by_group[group]);
  }
  if (rule_ != "matrix") {
    const auto behind = lines.lower_bound(pointer_);
    return behind == lines.end() ? *lines.begin() : *behind;
  }
  return *std::find_if(lines.begin(), lines.end(), [&](int line) {
    return std::all_of(lines.begin(), lines.end(), [&](int other) {
      return other == line || beats_[static_cast<std::size_t>(line)][static_cast<std::size_t>(other)];
    });
  });
}

void PlainArbiter::granted(int line) {
  if (rule_ == "tree") {
    top_.front().granted(line / group_size_);
    of_groups_[static_cast<std::size_t>(line / group_size_)].granted(line % group_size_);
    return;
  }
  pointer_ = (line + step_) % lines_;
  if (rule_ != "matrix") return;
  const auto winner = static_cast<std::size_t>(line);
  for (std::size_t other = 0; other < beats_.size(); ++other) {
    beats_[winner][other] = false;
    if (other != winner) beats_[other][winner] = true;
  }
}

PlainAllocator::PlainAllocator(const PartValue& rule, const PartValue& arbiter, int inputs, int outputs)
    : rule_(rule),
      inputs_(inputs),
      outputs_(outputs),
      r_(static_cast<std::size_t>(inputs)),
      g_(static_cast<std::size_t>(outputs)) {
  PartValue used = arbiter;
  if (rule.name == "input-first" || rule.name == "output-first")
    used = rule.of.empty() ? PartValue{"round-robin"} : rule.of.front();
  if (rule.name == "piggyback" || rule.name == "lonely-output" || rule.name.rfind("wavefront", 0) == 0) return;
  of_input_.assign(static_cast<std::size_t>(inputs), PlainArbiter(used, outputs));
  of_output_.assign(static_cast<std::size_t>(outputs), PlainArbiter(used, inputs));
}

std::map<int, int> PlainAllocator::match(const Requests& requests) {
  if (requests.empty() || rule_.name == "piggyback") return {};
  if (rule_.name == "islip") return islip(requests);
  if (rule_.name == "wavefront" || rule_.name == "wavefront-skip")
    return wavefront(requests, rule_.name == "wavefront-skip");
  if (rule_.name == "lonely-output") return lonely(requests);
  return separable(requests, rule_.name == "input-first");
}

std::map<int, int> PlainAllocator::islip(const Requests& requests) {
  std::map<int, int> won;  // input, output
  std::set<int> taken;
  std::vector<std::pair<int, int>> first;
  for (std::int64_t iteration = 1; iteration <= rule_.number.value_or(1); ++iteration) {
    std::map<int, std::set<int>> asking, picked_by;
    for (const auto& [pair, priorities] : requests)
      if (won.count(pair.first) == 0 && taken.count(pair.second) == 0) asking[pair.second].insert(pair.first);
    for (const auto& [out, inputs] : asking)
      picked_by[of_output_[static_cast<std::size_t>(out)].pick(inputs)].insert(out);
    for (const auto& [in, outs] : picked_by) {
      const int out = of_input_[static_cast<std::size_t>(in)].pick(outs);
      won[in] = out;
      taken.insert(out);
      if (iteration == 1) first.emplace_back(in, out);
    }
  }
  for (const auto& [in, out] : first) {
    of_output_[static_cast<std::size_t>(out)].granted(in);
    of_input_[static_cast<std::size_t>(in)].granted(out);
  }
  return won;
}

std::map<int, int> PlainAllocator::separable(const Requests& requests, bool inputs_first) {
  auto& first = inputs_first ? of_input_ : of_output_;
  auto& second = inputs_first ? of_output_ : of_input_;
  std::map<int, std::map<int, std::int64_t>> by_first, by_second;  // line, other line, priority
  const auto pair_of = [&](int line, int other) {
    return inputs_first ? std::pair(line, other) : std::pair(other, line);
  };
  for (const auto& [pair, priorities] : requests) {
    const int line = inputs_first ? pair.first : pair.second, other = inputs_first ? pair.second : pair.first;
    by_first[line][other] = inputs_first ? priorities.in : priorities.out;
  }
  for (const auto& [line, others] : by_first) {
    const int other = first[static_cast<std::size_t>(line)].pick(greatest(others));
    const Priorities& priorities = requests.at(pair_of(line, other));
    by_second[other][line] = inputs_first ? priorities.out : priorities.in;
  }
  std::map<int, int> won;
  for (const auto& [other, lines] : by_second) {
    const int line = second[static_cast<std::size_t>(other)].pick(greatest(lines));
    won.insert(pair_of(line, other));
    first[static_cast<std::size_t>(line)].granted(other);
    second[static_cast<std::size_t>(other)].granted(line);
  }
  return won;
}

std::map<int, int> PlainAllocator::wavefront(const Requests& requests, bool skip) {
  const int n = std::max(inputs_, outputs_);
  std::set<std::pair<std::int64_t, std::int64_t>> occurring;
  for (const auto& [pair, priorities] : requests) occurring.emplace(priorities.out, priorities.in);
  std::map<int, int> won;
  std::set<int> taken;
  std::optional<int> first;
  for (auto pri = occurring.rbegin(); pri != occurring.rend(); ++pri)
    for (int d = 0; d < n; ++d)
      for (const auto& [pair, priorities] : requests) {
        const auto& [in, out] = pair;
        if ((in + out) % n != (diagonal_ + d) % n || std::pair(priorities.out, priorities.in) != *pri) continue;
        if (won.count(in) != 0 || taken.count(out) != 0) continue;
        won[in] = out;
        taken.insert(out);
        if (!first) first = in + out;
      }
  diagonal_ = ((skip ? *first : diagonal_) + 1) % n;
  return won;
}

std::map<int, int> PlainAllocator::lonely(const Requests& requests) {
  std::vector<int> count(static_cast<std::size_t>(outputs_));
  for (const auto& [pair, priorities] : requests) ++count[static_cast<std::size_t>(pair.second)];
  std::map<int, std::set<int>> asking;  // by output
  for (int in = 0; in < inputs_; ++in) {
    int chosen = -1;
    for (int k = 0; k < outputs_; ++k) {
      const int out = (r_[static_cast<std::size_t>(in)] + k) % outputs_;
      if (requests.count({in, out}) == 0) continue;
      if (chosen < 0 || count[static_cast<std::size_t>(out)] < count[static_cast<std::size_t>(chosen)]) chosen = out;
    }
    if (chosen >= 0) asking[chosen].insert(in);
  }
  std::map<int, int> won;
  for (const auto& [out, inputs] : asking) {
    int& g = g_[static_cast<std::size_t>(out)];
    int in = g;
    while (inputs.count(in) == 0) in = (in + 1) % inputs_;
    won[in] = out;
    g = (g + 1) % inputs_;
    int& r = r_[static_cast<std::size_t>(in)];
    r = (r + 1) % outputs_;
  }
  return won;
}

}  // namespace starloom
