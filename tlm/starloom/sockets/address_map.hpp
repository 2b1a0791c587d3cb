// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The map from addresses to targets.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace starloom {

/// Addresses base .. base + size - 1, in bytes.
struct AddressRange {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::uint64_t last() const { return base + (size - 1); }
};

/// Ranges of addresses, one per target, that do not overlap. An immutable value.
class AddressMap {
 public:
  /// \throws std::invalid_argument if a range is empty, ends beyond 2^64, or overlaps another one.
  explicit AddressMap(std::vector<AddressRange> ranges);

  const AddressRange& range(std::size_t number) const { return ranges_[number]; }
  /// The number of the range that contains the `length` bytes from `address` on (length 0: only the address); empty
  /// if no range contains all of them.
  std::optional<std::size_t> find(std::uint64_t address, std::uint64_t length) const;
  /// First and last of the addresses around `address` that are in no range; `address` is one of them.
  std::pair<std::uint64_t, std::uint64_t> gap(std::uint64_t address) const;

 private:
  /// The index in `by_base_` of the first range that begins above the address.
  std::size_t above(std::uint64_t address) const;

  std::vector<AddressRange> ranges_;
  std::vector<std::size_t> by_base_;  ///< numbers of the ranges in the order of their bases
  std::vector<std::uint64_t> bases_;  ///< in the same order
};

}  // namespace starloom
