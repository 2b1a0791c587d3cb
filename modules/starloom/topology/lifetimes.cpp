// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/lifetimes.hpp>

namespace starloom {
namespace {

constexpr Step first_port = 128;  ///< other draws of faults have other numbers in place of the step

}  // namespace

ExponentialTimes::ExponentialTimes(std::uint64_t seed, NodeId node, Port port)
    : words_(seed, Purpose::faults, node, first_port + port) {}

/// Words are drawn for as long as they fall. If the run of falling words has an odd length, its first word is the
/// fraction of the time; else the time is longer by one mean.
Step ExponentialTimes::next(Step mean) {
  for (Step whole = 0;; ++whole) {
    const std::uint64_t first = words_.word();
    bool is_odd = true;
    std::uint64_t last = first;
    for (std::uint64_t next = words_.word(); next < last; next = words_.word()) {
      last = next;
      is_odd = !is_odd;
    }
    if (is_odd) return 1 + whole * mean + static_cast<Step>(first * static_cast<std::uint64_t>(mean) >> 32);
  }
}

}  // namespace starloom
