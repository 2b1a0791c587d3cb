// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/link_errors.hpp>

#include <starloom/core/random.hpp>

namespace starloom {
namespace {

constexpr std::uint32_t first_word = 65536;  ///< other draws of faults have lower numbers

}  // namespace

LinkErrors::LinkErrors(const Rules& rules)
    : threshold_(bernoulli_threshold(rules.probability)),
      seed_(rules.seed),
      replay_(rules.replay),
      recovery_(rules.recovery),
      repetition_(rules.repetition) {
  for (const Crossing& crossing : rules.at) at_.emplace(crossing.link.node, crossing.link.port, crossing.step);
}

bool LinkErrors::corrupts(NodeId node, Port port, Step step) const {
  if (threshold_ > 0 &&
      random_word(seed_, Purpose::faults, node, step, first_word + static_cast<std::uint32_t>(port)) < threshold_)
    return true;
  return !at_.empty() && at_.count({node, port, step}) > 0;
}

double any_of_bits(double probability, std::int64_t bits) {
  double none = 1;
  for (double power = 1 - probability; bits > 0; bits /= 2, power *= power)
    if (bits % 2 == 1) none *= power;
  return 1 - none;
}

}  // namespace starloom
