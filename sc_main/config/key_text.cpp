#include <starloom/config/key_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace starloom {
namespace {

std::string type_name(KeyType type) {
  switch (type) {
    case KeyType::integer: return "integer";
    case KeyType::number: return "number";
    case KeyType::boolean: return "true or false";
    case KeyType::integer_list: return "list of integers";
    case KeyType::file: return "file name";
    case KeyType::choice:
    case KeyType::text: break;
  }
  return "word";
}

/// A bound as the user would write it.
std::string bound_text(double bound) {
  constexpr double above_int64 = 9223372036854775808.0;
  if (bound >= above_int64) return std::to_string(std::numeric_limits<std::int64_t>::max());
  if (bound == std::floor(bound) && std::abs(bound) < above_int64)
    return std::to_string(static_cast<std::int64_t>(bound));
  return fmt::format("{}", bound);
}

/// A value as the user would write it.
struct ValueText {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::int64_t>& value) const {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
  template <class Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);
  }
};

}  // namespace

std::string type_text(const KeySpec& spec) {
  if (spec.one_or_list) return "integer or list of integers";
  return type_name(spec.type);
}

std::string expected_text(KeyType type) {
  std::string name = type_name(type);
  if (type == KeyType::boolean) return name;
  return (type == KeyType::integer ? "an " : "a ") + name;
}

std::string range_text(const KeySpec& spec) {
  if (std::isinf(spec.min) && std::isinf(spec.max)) return "any";
  if (std::isinf(spec.max)) return fmt::format("{} or more", bound_text(spec.min));
  if (std::isinf(spec.min)) return fmt::format("{} or less", bound_text(spec.max));
  if (spec.min == spec.max) return fmt::format("only {}", bound_text(spec.min));
  return fmt::format("{} to {}", bound_text(spec.min), bound_text(spec.max));
}

std::string default_text(const KeySpec& spec) {
  return spec.required ? "required" : std::visit(ValueText{}, spec.default_value);
}

}  // namespace starloom
