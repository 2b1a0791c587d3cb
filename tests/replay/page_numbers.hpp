// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The numbers of a section of a page, for tests.
#include <cstdint>
#include <string>

#include <starloom/inspection/replay_page.hpp>

namespace starloom {

/// The other side of ByteStream.
class PageNumbers {
 public:
  PageNumbers(const ReplayContent& content, const std::string& section) {
    for (const auto& [name, stream] : content.sections)
      if (name == section) bytes_ = stream.bytes();
  }
  std::int64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return static_cast<std::int64_t>(value);
    }
  }
  std::int64_t difference() {
    const std::int64_t value = number();
    return value % 2 != 0 ? -(value + 1) / 2 : value / 2;
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace starloom
