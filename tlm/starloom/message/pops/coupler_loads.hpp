// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Data drives of every coupler, counted in a byte as long as it does not overflow.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <starloom/message/pops/big_array.hpp>

namespace starloom::pops {

/// Counts of whole runs, [source group][destination group]. All couplers are updated in every slot, so the counts are
/// bytes, and 32 bits wide only in rows that overflow. Different rows may be updated concurrently.
class CouplerLoads {
 public:
  explicit CouplerLoads(std::size_t groups)
      : groups_(groups),
        recent_(BigArray<std::uint8_t>::zeros(groups * groups)),
        before_(groups * groups),
        most_recent_(groups, 0),
        has_before_(groups, 0) {}

  /// Adds the drivers that `count` couplers of source group `row` had in a slot, from destination group `first` on;
  /// returns how many had more than one. Drivers and couplers are less than half of the range of a Count.
  template <class Count>
  std::int64_t add(std::size_t row, std::size_t first, const Count* drivers, std::size_t count) {
    // In the width of the drivers, so that the compiler can vectorise; their bitwise OR is at least as large as the
    // maximum.
    using Signed = std::make_signed_t<Count>;
    Count all = 0;
    Signed collisions = 0;
    for (std::size_t at = 0; at < count; ++at) {
      all = static_cast<Count>(all | drivers[at]);
      collisions = static_cast<Signed>(collisions + (static_cast<Signed>(drivers[at]) > 1 ? 1 : 0));
    }
    const std::uint32_t most = all;
    make_room(row, most);
    if (most > byte) {
      std::uint32_t* const before = before_.data() + row * groups_ + first;
      for (std::size_t at = 0; at < count; ++at) before[at] += drivers[at];
    } else {
      std::uint8_t* const recent = recent_.data() + row * groups_ + first;
      for (std::size_t at = 0; at < count; ++at)
        recent[at] = static_cast<std::uint8_t>(recent[at] + static_cast<std::uint8_t>(drivers[at]));
    }
    return collisions;
  }

  /// The same if few are driven: `indices`, each at least once, whose counts of drivers are 0 afterwards.
  template <class Count>
  std::int64_t add_few(std::size_t row, std::size_t first, Count* drivers, const std::uint16_t* indices,
                       std::size_t count) {
    std::uint32_t most = 0;
    for (std::size_t at = 0; at < count; ++at) most = std::max<std::uint32_t>(most, drivers[indices[at]]);
    make_room(row, most);
    std::int64_t collisions = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const auto driven = static_cast<std::uint32_t>(std::exchange(drivers[indices[at]], Count{0}));
      const std::size_t coupler = row * groups_ + first + indices[at];
      if (most > byte) before_[coupler] += driven;
      else recent_[coupler] = static_cast<std::uint8_t>(recent_[coupler] + driven);
      collisions += driven > 1 ? 1 : 0;
    }
    return collisions;
  }

  void add_one(std::size_t row, std::size_t to) {
    make_room(row, 1);
    ++recent_[row * groups_ + to];
  }

  std::int64_t greatest() {
    std::uint32_t most = 0;
    const auto look_at = [&](const auto* row) {  // vectorised
      auto most_of_row = row[0];
      for (std::size_t at = 1; at < groups_; ++at) most_of_row = std::max(most_of_row, row[at]);
      most = std::max<std::uint32_t>(most, most_of_row);
    };
    for (std::size_t row = 0; row < groups_; ++row) {
      if (has_before_[row] != 0) flush(row);
      if (has_before_[row] != 0) look_at(before_.data() + row * groups_);
      else look_at(recent_.data() + row * groups_);
    }
    return most;
  }

 private:
  static constexpr std::uint32_t byte = 255;

  /// Called before drives are added: no coupler of a row gets more than `most`.
  void make_room(std::size_t row, std::uint32_t most) {
    if (most_recent_[row] + most > byte) flush(row);
    if (most <= byte) most_recent_[row] += most;
  }

  void flush(std::size_t row) {
    std::uint32_t* const before = before_.data() + row * groups_;
    std::uint8_t* const recent = recent_.data() + row * groups_;
    if (has_before_[row] == 0) std::fill_n(before, groups_, 0u);
    has_before_[row] = 1;
    for (std::size_t at = 0; at < groups_; ++at) before[at] += recent[at];
    std::fill_n(recent, groups_, std::uint8_t{0});
    most_recent_[row] = 0;
  }

  std::size_t groups_;
  BigArray<std::uint8_t> recent_;           ///< [row][destination group] drives since the row was last flushed
  BigArray<std::uint32_t> before_;          ///< earlier drives; pages are mapped with the first flush
  std::vector<std::uint32_t> most_recent_;  ///< [row] upper limit of its bytes
  std::vector<std::uint8_t> has_before_;    ///< [row] true if it was flushed
};

}  // namespace starloom::pops
