#pragma once
/// \file Counting the drivers of every coupler: what check mode stands on.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// The couplers of one network in one slot after another. Four bytes a coupler, and four more once loads are
/// added up.
class CouplerAudit {
 public:
  explicit CouplerAudit(const Pops& pops, const DeadCouplers* dead = nullptr)
      : pops_(pops), dead_(dead), drivers_(static_cast<std::size_t>(pops.couplers()), 0) {}

  /// Forgets the slot before.
  void next_slot() {
    for (const std::int64_t coupler : driven_) drivers_[static_cast<std::size_t>(coupler)] = 0;
    driven_.clear();
    collisions_ = 0;
  }
  void drive(std::int32_t to, std::int32_t from) {
    const std::int64_t coupler = pops_.coupler(to, from);
    const std::uint32_t drivers = ++drivers_[static_cast<std::size_t>(coupler)];
    if (drivers == 1) driven_.push_back(coupler);
    if (drivers == 2) ++collisions_;
  }
  /// True if the coupler works and has exactly one driver: its message reaches everyone who samples it.
  bool carries(std::int32_t to, std::int32_t from) const {
    if (dead_ != nullptr && dead_->contains(to, from)) return false;
    return drivers_[static_cast<std::size_t>(pops_.coupler(to, from))] == 1;
  }
  std::int64_t collisions() const { return collisions_; }
  /// Adds this slot's drives to the loads of the couplers.
  void add_to_load() {
    load_.resize(drivers_.size(), 0);
    for (const std::int64_t coupler : driven_) {
      std::uint32_t& load = load_[static_cast<std::size_t>(coupler)];
      load += drivers_[static_cast<std::size_t>(coupler)];
      max_load_ = std::max<std::int64_t>(max_load_, load);
    }
  }
  std::int64_t max_load() const { return max_load_; }

 private:
  Pops pops_;
  const DeadCouplers* dead_;
  std::vector<std::uint32_t> drivers_;
  std::vector<std::int64_t> driven_;
  std::int64_t collisions_ = 0;
  std::vector<std::uint32_t> load_;
  std::int64_t max_load_ = 0;
};

}  // namespace starloom::pops
