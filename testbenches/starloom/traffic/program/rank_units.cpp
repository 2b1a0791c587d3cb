// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/rank_units.hpp>

#include <algorithm>

namespace starloom {
namespace {

constexpr std::size_t units_of_rank = 3;  ///< without `none`

}  // namespace

RankUnits::RankUnits(const Program& program)
    : program_(program), units_(units_of_rank * static_cast<std::size_t>(program.ranks())) {}

std::size_t RankUnits::unit_of(ProgramPart part) const {
  return units_of_rank * static_cast<std::size_t>(program_.rank_of(part)) +
         static_cast<std::size_t>(program_.use_of(part).unit) - 1;
}

void RankUnits::request(ProgramPart part, Step moment) { due_.push({moment, part, false, {}}); }

void RankUnits::release(ProgramPart part, const Completion& finish) {
  due_.push({finish.moment(), part, true, finish});
}

std::vector<RankUnits::Entry> RankUnits::decide() {
  std::set<std::size_t> changed;
  for (const Step moment = next_moment(); next_moment() == moment; due_.pop()) {
    const Due& due = due_.top();
    const std::size_t number = unit_of(due.part);
    Unit& unit = units_[number];
    if (due.releases) {
      unit.busy = false;
      unit.before = due.finish;
    } else {
      unit.waiting.emplace(program_.use_of(due.part).turn, due.part);
    }
    changed.insert(number);
  }
  std::vector<Entry> entries;
  for (const std::size_t number : changed) {
    Unit& unit = units_[number];
    if (unit.busy || unit.waiting.empty()) continue;
    unit.busy = true;
    unit.part = unit.waiting.begin()->second;
    unit.waiting.erase(unit.waiting.begin());
    entries.push_back({unit.part, unit.before});
  }
  return entries;
}

std::vector<std::pair<ProgramPart, ProgramPart>> RankUnits::blocked() const {
  std::vector<std::pair<ProgramPart, ProgramPart>> parts;
  for (const Unit& unit : units_)
    for (const auto& [turn, part] : unit.waiting) parts.emplace_back(part, unit.part);
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace starloom
