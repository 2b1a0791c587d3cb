// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/pops/facts.hpp>

#include <stdexcept>
#include <string>

namespace starloom::pops {
namespace {

constexpr const char* dead_path = "experiment.faults.dead_couplers";

}  // namespace

Pops read_pops(const ResultDocument& result) {
  const std::int64_t group_size = result.integer("experiment.network.group_size");
  try {
    const Pops pops(group_size, result.integer("experiment.network.groups"));
    if (pops.couplers() > Pops::most_couplers)
      result.fail("experiment.network", "has more couplers than a run can have");
    return pops;
  } catch (const std::invalid_argument& error) {
    result.fail("experiment.network", std::string("is wrong: ") + error.what());
  }
}

std::optional<DeadCouplers> read_dead_couplers(const ResultDocument& result, const Pops& pops) {
  if (!result.given(dead_path)) return std::nullopt;
  const nlohmann::ordered_json& value = result.at(dead_path);
  if (value.is_number()) {
    const auto rate = value.get<double>();
    if (!(rate >= 0 && rate <= 1)) result.fail(dead_path, "is out of range");
    return DeadCouplers::at_random(pops, rate, static_cast<std::uint64_t>(result.integer("experiment.seed")));
  }
  if (!value.is_array()) result.fail(dead_path, "is neither a rate nor a list");
  DeadCouplers dead(pops);
  for (const nlohmann::ordered_json& pair : value) {
    const auto group = [&](std::size_t at) {
      const bool sound = pair.is_array() && pair.size() == 2 && pair[at].is_number_integer();
      const std::int64_t number = sound ? pair[at].get<std::int64_t>() : -1;
      if (number < 0 || number >= pops.groups()) result.fail(dead_path, "is not a list of pairs of groups");
      return static_cast<std::int32_t>(number);
    };
    dead.kill(group(0), group(1));
  }
  return dead;
}

}  // namespace starloom::pops
