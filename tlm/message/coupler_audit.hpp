#pragma once
/// \file Counting the drivers of every coupler: what check mode stands on.
#include <cstdint>
#include <vector>

#include "topology/pops.hpp"

namespace starloom {

/// The couplers of one network in one slot after another. Four bytes a coupler.
class CouplerAudit {
 public:
  explicit CouplerAudit(const Pops& pops) : pops_(pops), drivers_(static_cast<std::size_t>(pops.couplers()), 0) {}

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
  /// True if the coupler has exactly one driver: its message reaches everyone who samples it.
  bool carries(std::int32_t to, std::int32_t from) const {
    return drivers_[static_cast<std::size_t>(pops_.coupler(to, from))] == 1;
  }
  std::int64_t collisions() const { return collisions_; }

 private:
  Pops pops_;
  std::vector<std::uint32_t> drivers_;
  std::vector<std::int64_t> driven_;
  std::int64_t collisions_ = 0;
};

}  // namespace starloom
