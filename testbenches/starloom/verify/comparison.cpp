// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/comparison.hpp>

#include <cmath>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// As in result.json: integers without a decimal point.
std::string text_of(const Json& value) {
  if (value.is_structured()) return "a section";
  if (!value.is_number_float() || std::abs(value.get<double>()) >= 1e15) return value.dump();
  const auto number = value.get<double>();
  return number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number)) : value.dump();
}

}  // namespace

const Json& Comparison::reported(const std::string& path) const {
  // A section that is null has no members.
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    const Json& section = result_.at(path.substr(0, dot));
    if (section.is_null()) return section;
  }
  return result_.at(path);
}

void Comparison::compare(const std::string& path, const Json& found) {
  if (!text_.empty()) return;
  const Json& value = reported(path);
  if (value == found) return;
  text_ = "in result.json " + path + " is " + text_of(value) + ", but packets and rows give " + text_of(found);
}

void Comparison::expect_rounded(const std::string& path, std::optional<double> found) {
  const Json& value = reported(path);
  const bool same = found && value.is_number() && std::abs(value.get<double>() - *found) <= 1e-12 * std::abs(*found);
  if (!same) compare(path, or_null(found));
}

void Comparison::expect_given(const std::string& path) {
  require(!reported(path).is_null(), "in result.json " + path + " is null, but packets and rows determine it");
}

}  // namespace starloom
