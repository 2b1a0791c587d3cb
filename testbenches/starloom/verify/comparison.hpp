// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Comparing the figures of `result.json` with packets and rows.
#include <cstdint>
#include <optional>
#include <string>

namespace starloom {

/// Collects the first figure that is not what it should be.
class Comparison {
 public:
  void expect(const std::string& figure, std::optional<std::int64_t> reported, std::optional<std::int64_t> found) {
    if (!text_.empty() || reported == found) return;
    text_ =
        "result.json says that " + figure + " is " + name(reported) + ", but by packets and rows it is " + name(found);
  }
  void require(bool holds, const std::string& text) {
    if (text_.empty() && !holds) text_ = text;
  }
  /// Empty if all is as it should be.
  const std::string& text() const { return text_; }

 private:
  static std::string name(std::optional<std::int64_t> value) { return value ? std::to_string(*value) : "null"; }
  std::string text_;
};

}  // namespace starloom
