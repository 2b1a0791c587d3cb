// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Comparing the figures of `result.json` with what the other files of the folder give.
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/verify/result_document.hpp>

namespace starloom {

/// Keeps the first figure that is not what the other files give. A figure is named by its path; it is null if a section
/// around it is null. Each comparison \throws InputError if the figure is missing.
class Comparison {
 public:
  /// The document outlives the comparison.
  explicit Comparison(const ResultDocument& result) : result_(result) {}

  /// Empty: null.
  void expect(const std::string& path, std::optional<std::int64_t> found) { compare(path, or_null(found)); }
  /// A number whose every bit is known, because both sides divide the same integers. Empty: null.
  void expect_number(const std::string& path, std::optional<double> found) { compare(path, or_null(found)); }
  void expect_boolean(const std::string& path, bool found) { compare(path, found); }
  void expect_text(const std::string& path, const std::string& found) { compare(path, found); }
  void expect_null(const std::string& path) { compare(path, nullptr); }
  /// A section or figure that has a value.
  void expect_given(const std::string& path);
  /// `text`: what is wrong if it does not hold.
  void require(bool holds, const std::string& text) {
    if (text_.empty() && !holds) text_ = text;
  }

  /// What is wrong, one sentence; empty if all is as it should be.
  const std::string& text() const { return text_; }

 private:
  template <class T>
  static nlohmann::json or_null(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  }
  /// The value in the document.
  const nlohmann::json& reported(const std::string& path) const;
  void compare(const std::string& path, const nlohmann::json& found);

  const ResultDocument& result_;
  std::string text_;
};

}  // namespace starloom
