// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::pops {
namespace {

/// If g packets of every group take part, a copy succeeds with probability e^-(1+1/e) (the paper, section III-B): a
/// law that expects more than g/least_c packets to leave a group in a cycle is too optimistic.
const double least_c = std::exp(1 + std::exp(-1.0));

/// With a slower law even the smallest network would be idle forever; up to this limit cycles can be counted.
constexpr double most_c = 1e6;

/// Cycles in which all take part before the guard begins.
constexpr std::int64_t guard_patience = 8;

std::string in_full(double number) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::digits10);
  text << number;
  return text.str();
}

int bits_of(std::int32_t number) {  // ceil(log2 number)
  int bits = 0;
  while ((std::int64_t{1} << bits) < number) ++bits;
  return bits;
}

}  // namespace

RandomizedRules::RandomizedRules(const Pops& pops, const RandomizedOptions& options, const DeadCouplers* dead)
    : pops_(pops),
      options_(options),
      dead_(dead),
      width_(std::min(pops.group_size(), pops.groups())),
      classes_(pops.group_size() / width_),
      blocks_(pops.groups() / width_),
      by_width_(static_cast<std::uint32_t>(width_)) {
  const std::int32_t d = pops.group_size(), g = pops.groups();
  const std::string sizes = "POPS(" + std::to_string(d) + "," + std::to_string(g) + ")";
  if (classes_ * width_ != d || blocks_ * width_ != g)
    throw InputError("randomized needs a group size that divides the number of groups or is a multiple of it, not " +
                     sizes + "; offline and comparator-sort route any sizes");
  if (!std::isfinite(options.C) || options.C < least_c)
    throw ConfigError(
        "C", in_full(options.C) + ", but C must be at least e^(1+1/e) = 3.927014395; 4 fits the published tables");
  if (options.C > most_c)
    throw ConfigError(
        "C",
        in_full(options.C) +
            ", but C is at most 1000000 (with a large C hardly any processor takes part); 4 fits the published tables");
  if (options.literal && (d <= g || g == 1)) throw ConfigError("literal", "it applies to d > g > 1, not to " + sizes);
  if (options.shift && d != g) throw ConfigError("shift", "it is defined for d = g, not for " + sizes);
  // Packets of a group that the law expects to remain: d - cycle * g/C; all take part once they are g or fewer.
  all_from_ = d <= g ? 0 : static_cast<std::int64_t>(std::ceil(options.C * (static_cast<double>(d) / g - 1)));
}

std::int64_t RandomizedRules::patience(const Pops& pops) {
  constexpr double least = 100'000, most = std::numeric_limits<std::int32_t>::max();
  const double d = pops.group_size(), g = pops.groups();
  if (g == 1) return static_cast<std::int64_t>(least);  // the processors take turns
  const double alone = g * d * std::pow(1 - 1 / g, d - 1);
  const double slots = cycle_slots * std::log(1e12) / alone;
  return static_cast<std::int64_t>(slots < most ? std::max(slots, least) : most);
}

std::uint64_t RandomizedRules::participation(std::int64_t cycle) const {
  constexpr std::uint64_t all = std::uint64_t{1} << 32;
  if (cycle < all_from_) {
    const double left = pops_.group_size() - static_cast<double>(cycle) * pops_.groups() / options_.C;
    return bernoulli_threshold(pops_.groups() / left);
  }
  const std::int64_t late = cycle - all_from_ - guard_patience;
  if (!options_.guard || late < 0) return all;
  return all >> late % (bits_of(pops_.group_size()) + 1);
}

}  // namespace starloom::pops
