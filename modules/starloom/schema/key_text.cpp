// SPDX-License-Identifier: Apache-2.0
#include <starloom/schema/key_text.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace starloom {
namespace {

std::string type_name(KeyType type) {
  switch (type) {
    case KeyType::integer: return "integer";
    case KeyType::number: return "number";
    case KeyType::boolean: return "true or false";
    case KeyType::integer_list: return "list of integers";
    case KeyType::text_or_list: return "word or list of words";
    case KeyType::share_list: return "list of pairs [integer, share]";
    case KeyType::file: return "file name";
    case KeyType::rank_files: return "beginning of file names";
    case KeyType::part: return "word or section";
    case KeyType::choice:
    case KeyType::text: break;
  }
  return "word";
}

std::string number_text(double number) {
  constexpr double above_int64 = 9223372036854775808.0;
  if (number == std::floor(number) && std::abs(number) < above_int64)
    return std::to_string(static_cast<std::int64_t>(number));
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

/// A bound of a range; numbers with many digits as a power: 10^18, 2^63 - 1.
std::string bound_text(double bound) {
  for (const int bits : {31, 63})
    if (bound == std::ldexp(1, bits) - 1) return "2^" + std::to_string(bits) + " - 1";  // 2^63 - 1 is rounded up
  const int zeros = bound >= 1e9 ? static_cast<int>(std::lround(std::log10(bound))) : 0;
  if (zeros > 0 && bound == std::pow(10.0, zeros)) return "10^" + std::to_string(zeros);
  return number_text(bound);
}

struct ValueText {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::int64_t>& value) const {
    std::string text;
    for (const std::int64_t number : value) text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
  }
  std::string operator()(const ShareList& value) const {
    std::string text;
    for (const auto& [number, share] : value)
      text += (text.empty() ? "[" : ", [") + std::to_string(number) + ", " + number_text(share) + "]";
    return "[" + text + "]";
  }
  std::string operator()(const std::vector<std::string>& value) const {
    std::string text;
    for (const std::string& word : value) text += (text.empty() ? "" : ", ") + word;
    return "[" + text + "]";
  }
  std::string operator()(const PartValue& value) const { return part_text(value); }
};

}  // namespace

std::string type_text(const KeySpec& spec) {
  if (spec.one_or_list) return "integer or list of integers";
  std::string text = type_name(spec.type);
  if (spec.type != KeyType::choice && spec.type != KeyType::part)
    for (const std::string& word : spec.choices) text += " or " + word;
  return text;
}

std::string range_text(const KeySpec& spec) {
  if (std::isinf(spec.min) && std::isinf(spec.max)) return "any";
  if (std::isinf(spec.max)) return bound_text(spec.min) + " or more";
  if (std::isinf(spec.min)) return bound_text(spec.max) + " or less";
  if (spec.min == spec.max) return "only " + bound_text(spec.min);
  return bound_text(spec.min) + " to " + bound_text(spec.max);
}

std::string value_text(const KeyValue& value) { return std::visit(ValueText{}, value); }

std::string default_text(const KeySpec& spec) {
  if (!spec.required) return value_text(spec.default_value);
  const std::string section = inner_section(spec.name);
  return section.empty() ? "required" : "required with " + section;
}

std::string mistyped_text(const KeySpec& expected, const std::string& shown) {
  const KeyType type = expected.type;
  const char* article = type == KeyType::boolean ? "" : type == KeyType::integer ? "an " : "a ";
  if (const std::string example = parts_example(expected.parts); !example.empty())
    return "a name, or a section such as " + example + ", is expected, not " + shown;
  KeySpec plain = expected;
  plain.one_or_list = false;
  return article + type_text(plain) + " is expected, not " + shown;
}

std::string out_of_range_text(const KeySpec& spec, const std::string& shown) {
  return shown + " is out of range (" + range_text(spec) + ")";
}

std::string twice_given_text(const KeySpec& spec) {
  return spec.name + " and " + spec.section_instead + " give the same; remove one of them";
}

std::string missing_text(const KeySpec& spec, const std::string& name) {
  return name + " is missing (" + spec.meaning + ")";
}

}  // namespace starloom
