// SPDX-License-Identifier: Apache-2.0
#include <starloom/schema/key_check.hpp>

#include <algorithm>

#include <starloom/schema/key_text.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

std::string quoted(const KeyValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "nothing";
  if (std::holds_alternative<std::string>(value)) return '"' + escape(std::get<std::string>(value)) + '"';
  return value_text(value);
}

std::string range_error(const KeySpec& spec, double number, const std::string& shown) {
  return number >= spec.min && number <= spec.max ? "" : out_of_range_text(spec, shown);
}

}  // namespace

std::string value_error(const KeySpec& spec, const KeyValue& value, std::string shown) {
  if (shown.empty()) shown = quoted(value);
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  const auto* shares = std::get_if<ShareList>(&value);
  const bool null = std::holds_alternative<std::monostate>(value);
  if (null && !spec.required && value == spec.default_value) return "";
  switch (spec.type) {
    case KeyType::number:
      if (real != nullptr) return range_error(spec, *real, shown);
      [[fallthrough]];
    case KeyType::integer:
      if (word != nullptr && contains(spec.choices, *word)) return "";
      if (whole != nullptr) return range_error(spec, static_cast<double>(*whole), shown);
      break;
    case KeyType::boolean:
      if (std::holds_alternative<bool>(value)) return "";
      break;
    case KeyType::integer_list:
      if (word != nullptr && contains(spec.choices, *word)) return "";
      if (list == nullptr) break;
      for (const std::int64_t number : *list) {
        const std::string error = range_error(spec, static_cast<double>(number), std::to_string(number));
        if (!error.empty()) return error;
      }
      return "";
    case KeyType::share_list:
      if (shares == nullptr) break;
      for (const auto& [number, share] : *shares) {
        const std::string error = range_error(spec, static_cast<double>(number), std::to_string(number));
        if (!error.empty()) return error;
        if (!(share > 0 && share <= 1)) return "a share of " + value_text(share) + " is not above 0 and at most 1";
      }
      return "";
    case KeyType::choice:
      if (word == nullptr) break;
      return contains(spec.choices, *word) ? "" : unknown_name(spec.name, *word, spec.choices);
    case KeyType::part:
      if (const auto* part = std::get_if<PartValue>(&value)) return part_error(spec.parts, *part, spec.name);
      break;
    case KeyType::text_or_list:
      if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
        if (words->empty()) return "the list is empty";
        return contains(*words, "") ? "a word of the list is empty" : "";
      }
      [[fallthrough]];
    case KeyType::text:
    case KeyType::file:
    case KeyType::rank_files:
      if (word != nullptr && !word->empty()) return "";
      break;
  }
  return mistyped_text(spec, shown);
}

KeyValues checked_values(const std::vector<KeySpec>& table, std::map<std::string, KeyValue> given,
                         const std::string& owner) {
  const std::vector<std::string> known = names_of(table);
  for (const auto& [name, value] : given)
    if (!contains(known, name)) throw InputError(owner + ": unknown key " + name + did_you_mean(name, known));
  const auto is_given = [&given](const std::string& section) {
    return section.empty() || std::any_of(given.begin(), given.end(), [&section](const auto& one) {
             return is_inside(one.first, section) && !std::holds_alternative<std::monostate>(one.second);
           });
  };
  for (const KeySpec& spec : table) {
    const bool replaced = !spec.section_instead.empty() && is_given(spec.section_instead);
    if (replaced && given.count(spec.name) != 0)
      throw InputError(owner + ": " + spec.name + ": " + twice_given_text(spec));
    const bool absent = !is_given(inner_section(spec.name)) || is_given(spec.name) || replaced;
    const auto [entry, missing] = given.emplace(spec.name, absent ? KeyValue{} : spec.default_value);
    if (missing && absent) continue;
    if (missing && spec.required) throw InputError(owner + ": " + missing_text(spec, spec.name));
    const std::string error = value_error(spec, entry->second);
    if (!error.empty()) throw InputError(owner + ": " + spec.name + ": " + error);
    if (auto* part = std::get_if<PartValue>(&entry->second)) *part = with_defaults(spec.parts, std::move(*part));
  }
  return KeyValues(std::move(given));
}

}  // namespace starloom
