// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Comparison of the metrics of `result.json` with the other files of the folder.
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/verify/result_document.hpp>

namespace starloom {

/// Keeps the first metric that differs from the other files. A metric is named by its path; it is null if a section
/// around it is null. Each comparison \throws InputError if the metric is missing.
class Comparison {
 public:
  /// The document outlives the comparison.
  explicit Comparison(const ResultDocument& result) : result_(result) {}

  /// Empty: null.
  void expect(const std::string& path, std::optional<std::int64_t> found) { compare(path, or_null(found)); }
  /// A quotient of integers, which every machine rounds in the same way. Empty: null.
  void expect_number(const std::string& path, std::optional<double> found) { compare(path, or_null(found)); }
  /// The same with 12 digits, because logarithms and sums of products depend on the machine. Empty: null.
  void expect_rounded(const std::string& path, std::optional<double> found);
  void expect_boolean(const std::string& path, bool found) { compare(path, found); }
  void expect_text(const std::string& path, const std::string& found) { compare(path, found); }
  void expect_null(const std::string& path) { compare(path, nullptr); }
  /// A section or metric that has a value.
  void expect_given(const std::string& path);
  /// `text`: the difference, if `holds` is false.
  void require(bool holds, const std::string& text) {
    if (text_.empty() && !holds) text_ = text;
  }

  /// The first difference, one sentence; empty if there is none.
  const std::string& text() const { return text_; }

 private:
  template <class T>
  static nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  }
  /// The value in the document.
  const nlohmann::ordered_json& reported(const std::string& path) const;
  void compare(const std::string& path, const nlohmann::ordered_json& found);

  const ResultDocument& result_;
  std::string text_;
};

}  // namespace starloom
