// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which target serves an address.
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

/// Ranges of addresses, one a target, that do not overlap. An immutable value.
class AddressMap {
 public:
  /// \throws std::invalid_argument if a range is empty, ends beyond 2^64, or overlaps another one.
  explicit AddressMap(std::vector<AddressRange> ranges);

  const AddressRange& range(std::size_t number) const { return ranges_[number]; }
  /// The number of the range that holds the `length` bytes from `address` on (length 0 asks for the address alone);
  /// nothing if no range holds all of them.
  std::optional<std::size_t> find(std::uint64_t address, std::uint64_t length) const;
  /// First and last of the addresses around `address` that no range holds; `address` is one of them.
  std::pair<std::uint64_t, std::uint64_t> gap(std::uint64_t address) const;

 private:
  /// The place in `by_base_` of the first range that begins above the address.
  std::size_t above(std::uint64_t address) const;

  std::vector<AddressRange> ranges_;
  std::vector<std::size_t> by_base_;  ///< numbers of the ranges in the order of their bases
  std::vector<std::uint64_t> bases_;  ///< in the same order
};

}  // namespace starloom
