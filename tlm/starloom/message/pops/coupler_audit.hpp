// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counts of the drivers of every coupler, the basis of check mode.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/message/pops/group_range.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// The couplers that some source groups drive, or all of a network, slot by slot. Four bytes per coupler, and four
/// more for loads. Audits of different groups share no data.
class CouplerAudit {
 public:
  explicit CouplerAudit(const Pops& pops, const DeadCouplers* dead = nullptr)
      : CouplerAudit(pops, dead, {0, static_cast<std::size_t>(pops.groups())}) {}
  CouplerAudit(const Pops& pops, const DeadCouplers* dead, const GroupRange& from)
      : pops_(pops),
        dead_(dead),
        first_(pops.coupler(0, static_cast<std::int32_t>(from.begin))),
        drivers_((from.end - from.begin) * static_cast<std::size_t>(pops.groups()), 0) {}

  /// Clears the counts of the previous slot.
  void next_slot() {
    for (const std::size_t coupler : driven_) drivers_[coupler] = 0;
    driven_.clear();
    collisions_ = 0;
  }
  void drive(std::int32_t to, std::int32_t from) {
    const std::size_t coupler = index(to, from);
    const std::uint32_t drivers = ++drivers_[coupler];
    if (drivers == 1) driven_.push_back(coupler);
    if (drivers == 2) ++collisions_;
  }
  /// True if the coupler works and has exactly one driver: its message reaches all processors that sample it.
  bool carries(std::int32_t to, std::int32_t from) const {
    if (dead_ != nullptr && dead_->contains(to, from)) return false;
    return drivers_[index(to, from)] == 1;
  }
  std::int64_t collisions() const { return collisions_; }
  /// Adds this slot's drives to the loads of the couplers.
  void add_to_load() {
    load_.resize(drivers_.size(), 0);
    for (const std::size_t coupler : driven_) {
      std::uint32_t& load = load_[coupler];
      load += drivers_[coupler];
      max_load_ = std::max<std::int64_t>(max_load_, load);
    }
  }
  std::int64_t max_load() const { return max_load_; }

 private:
  std::size_t index(std::int32_t to, std::int32_t from) const {
    return static_cast<std::size_t>(pops_.coupler(to, from) - first_);
  }

  Pops pops_;
  const DeadCouplers* dead_;
  std::int64_t first_;  ///< first coupler of its groups
  std::vector<std::uint32_t> drivers_;
  std::vector<std::size_t> driven_;
  std::int64_t collisions_ = 0;
  std::vector<std::uint32_t> load_;
  std::int64_t max_load_ = 0;
};

}  // namespace starloom::pops
