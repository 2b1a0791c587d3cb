#include "experiment/coupler_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

/// A group that no packet of group 0 can reach, or `no_node`.
std::int32_t unreachable_group(const DeadCouplers& dead, std::int32_t groups) {
  std::vector<bool> reached(static_cast<std::size_t>(groups), false);
  std::vector<std::int32_t> todo = {0};
  reached[0] = true;
  while (!todo.empty()) {
    const std::int32_t from = todo.back();
    todo.pop_back();
    for (std::int32_t to = 0; to < groups; ++to) {
      if (reached[static_cast<std::size_t>(to)] || dead.contains(to, from)) continue;
      reached[static_cast<std::size_t>(to)] = true;
      todo.push_back(to);
    }
  }
  const auto cut_off = std::find(reached.begin(), reached.end(), false);
  return cut_off == reached.end() ? no_node : static_cast<std::int32_t>(cut_off - reached.begin());
}

}  // namespace

nlohmann::ordered_json CouplerFaults::json() const {
  if (rate) return *rate;
  return pairs;
}

CouplerFaults read_coupler_faults(const DocumentValue& value, Faults& faults) {
  CouplerFaults read;
  const auto fault = [&](const DocumentValue& at, const std::string& text) {
    faults.add(at.place, "faults.dead_couplers: " + text);
  };
  if (value.kind != Kind::list) {
    read.rate = value.number();
    if (!read.rate) {
      fault(value, fmt::format("a rate, or a list of pairs of groups such as [[0, 3], [2, 2]], is expected, not {}",
                               value.described()));
    } else if (*read.rate < 0 || *read.rate > 1) {
      fault(value, fmt::format("{} is out of range (0 to 1)", value.scalar));
    }
    return read;
  }
  for (const DocumentValue& item : value.items) {
    const bool two = item.kind == Kind::list && item.items.size() == 2;
    const auto one = two ? item.items[0].integer() : std::nullopt, other = two ? item.items[1].integer() : std::nullopt;
    if (one && other) read.pairs.emplace_back(*one, *other);
    else fault(item, "a pair of groups such as [0, 3] is expected");
  }
  return read;
}

DeadCouplers dead_couplers(const CouplerFaults& config, const Pops& pops, std::uint64_t seed) {
  DeadCouplers dead = config.rate ? DeadCouplers::at_random(pops, *config.rate, seed) : DeadCouplers(pops);
  for (const auto& [one, other] : config.pairs) {
    for (const std::int64_t group : {one, other})
      if (group < 0 || group >= pops.groups())
        throw InputError(fmt::format("there is no group {}; groups are 0 to {}", group, pops.groups() - 1));
    dead.kill(static_cast<std::int32_t>(one), static_cast<std::int32_t>(other));
  }
  const std::int32_t cut_off = unreachable_group(dead, pops.groups());
  if (cut_off != no_node)
    throw InputError(
        fmt::format("group {} cannot be reached from group 0 over the couplers that are left; leave more "
                    "of them in service",
                    cut_off));
  return dead;
}

}  // namespace starloom
