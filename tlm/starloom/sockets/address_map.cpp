// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/address_map.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace starloom {
namespace {

constexpr std::uint64_t last_address = std::numeric_limits<std::uint64_t>::max();

/// "target 2 (0x1000 to 0x1fff)"
std::string described(std::size_t number, const AddressRange& range) {
  char text[80];
  std::snprintf(text, sizeof text, "target %zu (0x%llx to 0x%llx)", number, static_cast<unsigned long long>(range.base),
                static_cast<unsigned long long>(range.last()));
  return text;
}

}  // namespace

AddressMap::AddressMap(std::vector<AddressRange> ranges) : ranges_(std::move(ranges)), by_base_(ranges_.size()) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].size == 0)
      throw std::invalid_argument("target " + std::to_string(i) + " has an empty address range; give it a size");
    if (ranges_[i].last() < ranges_[i].base)
      throw std::invalid_argument(described(i, ranges_[i]) + " ends beyond the last address; give it a smaller size");
  }
  std::iota(by_base_.begin(), by_base_.end(), std::size_t{0});
  std::stable_sort(by_base_.begin(), by_base_.end(),
                   [this](std::size_t a, std::size_t b) { return ranges_[a].base < ranges_[b].base; });
  for (const std::size_t number : by_base_) bases_.push_back(ranges_[number].base);
  for (std::size_t k = 1; k < by_base_.size(); ++k) {
    const AddressRange &lower = ranges_[by_base_[k - 1]], &upper = ranges_[by_base_[k]];
    if (upper.base <= lower.last())
      throw std::invalid_argument(described(by_base_[k - 1], lower) + " and " + described(by_base_[k], upper) +
                                  " overlap; move one of them");
  }
}

std::size_t AddressMap::above(std::uint64_t address) const {
  // Without branches, because the next target is unpredictable.
  std::size_t index = 0;
  for (std::size_t left = bases_.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    index += bases_[index + half - 1] <= address ? half : 0;
    left -= half;
  }
  return index;
}

std::optional<std::size_t> AddressMap::find(std::uint64_t address, std::uint64_t length) const {
  const std::size_t index = above(address);
  if (index == 0) return std::nullopt;
  const std::size_t number = by_base_[index - 1];
  const std::uint64_t offset = address - ranges_[number].base, size = ranges_[number].size;
  if (offset >= size || length > size - offset) return std::nullopt;
  return number;
}

std::pair<std::uint64_t, std::uint64_t> AddressMap::gap(std::uint64_t address) const {
  const std::size_t index = above(address);
  return {index == 0 ? 0 : ranges_[by_base_[index - 1]].last() + 1,
          index == by_base_.size() ? last_address : ranges_[by_base_[index]].base - 1};
}

}  // namespace starloom
