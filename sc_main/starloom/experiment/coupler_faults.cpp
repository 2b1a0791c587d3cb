// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/coupler_faults.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

using Groups = std::vector<std::uint64_t>;  ///< a set, one bit each

bool meet(const Groups& one, const Groups& other) {
  for (std::size_t word = 0; word < one.size(); ++word)
    if ((one[word] & other[word]) != 0) return true;
  return false;
}

/// Two groups without a path of three couplers in service from the one to the other.
std::optional<std::pair<std::int32_t, std::int32_t>> cut_off(const DeadCouplers& dead, std::int32_t groups) {
  const auto g = static_cast<std::size_t>(groups);
  std::vector<Groups> beside(g, Groups((g + 63) / 64));
  for (std::size_t from = 0; from < g; ++from)
    for (std::size_t to = 0; to < g; ++to)
      if (!dead.contains(static_cast<std::int32_t>(to), static_cast<std::int32_t>(from)))
        beside[from][to / 64] |= std::uint64_t{1} << to % 64;
  for (std::size_t from = 0; from < g; ++from) {
    Groups two_away(beside[from].size());
    for (std::size_t middle = 0; middle < g; ++middle)
      if ((beside[from][middle / 64] >> middle % 64 & 1) != 0)
        for (std::size_t word = 0; word < two_away.size(); ++word) two_away[word] |= beside[middle][word];
    // Couplers fail in both directions, so those that lead to a group are those that it drives.
    for (std::size_t to = 0; to < g; ++to)
      if (!meet(two_away, beside[to])) return std::pair(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
  }
  return std::nullopt;
}

}  // namespace

nlohmann::ordered_json CouplerFaults::json() const {
  if (rate) return *rate;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Pair& pair : pairs) list.push_back({pair.one, pair.other});
  return list;
}

CouplerFaults read_coupler_faults(const DocumentValue& value, Diagnostics& diagnostics) {
  CouplerFaults read;
  const auto error = [&](const DocumentValue& at, const std::string& text) {
    diagnostics.add(at.location, "faults.dead_couplers: " + text);
  };
  if (value.kind != Kind::list) {
    read.rate = value.number();
    if (!read.rate) {
      error(value, fmt::format("a rate, or a list of pairs of groups such as [[0, 3], [2, 2]], is expected, not {}",
                               value.described()));
    } else if (*read.rate < 0 || *read.rate > 1) {
      error(value, fmt::format("{} is out of range (0 to 1)", value.scalar));
    }
    return read;
  }
  for (const DocumentValue& item : value.items) {
    const bool two = item.kind == Kind::list && item.items.size() == 2;
    const auto one = two ? item.items[0].integer() : std::nullopt, other = two ? item.items[1].integer() : std::nullopt;
    if (one && other) read.pairs.push_back({*one, *other, item.location});
    else error(item, "a pair of groups such as [0, 3] is expected");
  }
  return read;
}

DeadCouplers dead_couplers(const CouplerFaults& config, const Pops& pops, std::uint64_t seed,
                           const SourceLocation& section, Diagnostics& diagnostics) {
  DeadCouplers dead = config.rate ? DeadCouplers::at_random(pops, *config.rate, seed) : DeadCouplers(pops);
  const auto exists = [&](std::int64_t group, const SourceLocation& location) {
    if (group >= 0 && group < pops.groups()) return true;
    diagnostics.add(location, fmt::format("faults.dead_couplers: there is no group {}; groups are 0 to {}", group,
                                          pops.groups() - 1));
    return false;
  };
  bool sound = true;
  for (const CouplerFaults::Pair& pair : config.pairs) {
    const bool one = exists(pair.one, pair.location), other = exists(pair.other, pair.location);
    if (one && other) dead.kill(static_cast<std::int32_t>(pair.one), static_cast<std::int32_t>(pair.other));
    else sound = false;
  }
  if (!sound) return dead;
  if (const auto apart = cut_off(dead, pops.groups()))
    diagnostics.add(section, fmt::format("faults.dead_couplers: too many dead couplers: there is no path of three live "
                                         "couplers from group {1} to group {0}",
                                         apart->second, apart->first));
  return dead;
}

}  // namespace starloom
