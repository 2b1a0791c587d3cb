// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Keys of the experiment file as data: one table for validation, defaults, `list` and `explain`.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <starloom/schema/part_value.hpp>

namespace starloom {

enum class KeyType {
  integer,
  number,
  boolean,
  text,
  text_or_list,
  choice,
  part,
  file,
  rank_files,
  integer_list,
  share_list
};

/// Integers, each with its share of the total: `[[1, 0.25], [5, 0.75]]`.
using ShareList = std::vector<std::pair<std::int64_t, double>>;

/// A value of an experiment file. `std::monostate` is null: not given and without a default.
using KeyValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                              ShareList, PartValue, std::vector<std::string>>;

/// One key: its type, its legal values, and a sentence about it. Declared like a sentence: `integer_key("bound",
/// "most packets in a node").by_default(0).within(0, 9).measured_in("packets")`.
///
/// A name with dots is a key of a nested section: `reply.flits` means `reply: {flits: 4}`. Such a key has its
/// default, and is required, only if that section is given. A table may have both `flits` and `flits.uniform`: then
/// the value is either plain or a section, and `flits` is null if it is a section.
struct KeySpec {
  std::string name;
  KeyType type = KeyType::integer;
  KeyValue default_value{};                               ///< null: optional without a default, unless `required`
  std::string meaning{};                                  ///< one sentence, with a source if there is one
  std::string unit{};                                     ///< e.g. "steps", "flits"; empty for pure numbers and names
  double min = -std::numeric_limits<double>::infinity();  ///< inclusive; for lists, of every element
  double max = std::numeric_limits<double>::infinity();   ///< inclusive
  std::vector<std::string> choices{};  ///< of `choice`, names of `part`; for other types, words that are also legal
  PartForms parts{};                   ///< of `part`
  std::string section_instead{};       ///< a section that may be given instead; the key then is null
  bool required = false;
  bool one_or_list = false;  ///< `integer_list`: a plain integer is a list of one
  /// `result.json` contains it only if it differs from its default value, so that a new key does not change the results
  /// of runs without it.
  bool only_where_given = false;

  KeySpec by_default(KeyValue value) const { return with(&KeySpec::default_value, std::move(value)); }
  KeySpec measured_in(std::string of) const { return with(&KeySpec::unit, std::move(of)); }
  KeySpec at_least(double least) const { return with(&KeySpec::min, least); }
  KeySpec at_most(double most) const { return with(&KeySpec::max, most); }
  KeySpec within(double least, double most) const { return at_least(least).at_most(most); }
  KeySpec is_required() const { return with(&KeySpec::required, true); }
  KeySpec omitted_at_default() const { return with(&KeySpec::only_where_given, true); }
  KeySpec or_section(std::string name) const { return with(&KeySpec::section_instead, std::move(name)); }
  KeySpec or_one() const { return with(&KeySpec::one_or_list, true); }
  KeySpec or_word(std::string word) const {
    std::vector<std::string> words = choices;
    words.push_back(std::move(word));
    return with(&KeySpec::choices, std::move(words));
  }

  bool operator==(const KeySpec& other) const {
    const auto parts = [](const KeySpec& key) {
      return std::tie(key.name, key.type, key.default_value, key.meaning, key.unit, key.min, key.max, key.choices,
                      key.parts, key.section_instead, key.required, key.one_or_list, key.only_where_given);
    };
    return parts(*this) == parts(other);
  }

 private:
  template <class Part>
  KeySpec with(Part KeySpec::*part, Part value) const {
    KeySpec changed = *this;
    changed.*part = std::move(value);
    return changed;
  }
};

inline KeySpec integer_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::integer, {}, std::move(meaning)};
}
inline KeySpec number_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::number, {}, std::move(meaning)};
}
inline KeySpec boolean_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::boolean, {}, std::move(meaning)};
}
inline KeySpec text_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::text, {}, std::move(meaning)};
}
/// A word, or a list of words.
inline KeySpec text_or_list_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::text_or_list, {}, std::move(meaning)};
}
inline KeySpec file_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::file, {}, std::move(meaning)};
}
/// The beginning of the names of files of ranks (`rank_files_at` in data_file.hpp).
inline KeySpec rank_files_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::rank_files, {}, std::move(meaning)};
}
inline KeySpec integer_list_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::integer_list, {}, std::move(meaning)};
}
inline KeySpec share_list_key(std::string name, std::string meaning) {
  return {std::move(name), KeyType::share_list, {}, std::move(meaning)};
}
inline KeySpec choice_key(std::string name, std::vector<std::string> choices, std::string meaning) {
  KeySpec key{std::move(name), KeyType::choice, {}, std::move(meaning)};
  key.choices = std::move(choices);
  return key;
}
/// A part by its name, or made of others; all of them have names in `parts`.
inline KeySpec part_key(std::string name, PartForms parts, std::string meaning) {
  KeySpec key{std::move(name), KeyType::part, {}, std::move(meaning)};
  for (const PartForm& form : parts.outer) key.choices.push_back(form.name);
  key.parts = std::move(parts);
  return key;
}

/// The nested section of a key: `injection.on_off` of `injection.on_off.on`; empty at the top.
inline std::string inner_section(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}
/// True for a key at any depth in a nested section.
inline bool is_inside(const std::string& name, const std::string& section) {
  return name.size() > section.size() && name[section.size()] == '.' && name.compare(0, section.size(), section) == 0;
}

/// Checked values of a table of keys: every key present, each of its declared type or null.
class KeyValues {
 public:
  KeyValues() = default;
  explicit KeyValues(std::map<std::string, KeyValue> values) : values_(std::move(values)) {}

  bool has(const std::string& name) const {  ///< present and not null
    const auto it = values_.find(name);
    return it != values_.end() && !std::holds_alternative<std::monostate>(it->second);
  }
  std::int64_t integer(const std::string& name) const { return std::get<std::int64_t>(values_.at(name)); }
  /// An integer is accepted as a number.
  double number(const std::string& name) const {
    const auto& value = values_.at(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
  }
  bool boolean(const std::string& name) const { return std::get<bool>(values_.at(name)); }
  const std::string& text(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
  /// The words of a list, or a word alone.
  std::vector<std::string> texts(const std::string& name) const {
    const auto* list = std::get_if<std::vector<std::string>>(&values_.at(name));
    return list != nullptr ? *list : std::vector<std::string>{text(name)};
  }
  const std::vector<std::int64_t>& list(const std::string& name) const {
    return std::get<std::vector<std::int64_t>>(values_.at(name));
  }
  const PartValue& part(const std::string& name) const { return std::get<PartValue>(values_.at(name)); }
  const ShareList& shares(const std::string& name) const { return std::get<ShareList>(values_.at(name)); }
  /// True if some key of a nested section is present and not null.
  bool has_section(const std::string& name) const {
    for (const auto& [key, value] : values_)
      if (is_inside(key, name) && !std::holds_alternative<std::monostate>(value)) return true;
    return false;
  }
  /// True if the value is a word, for a number that may be one.
  bool is_word(const std::string& name) const { return std::holds_alternative<std::string>(values_.at(name)); }
  /// True if a key has another value than its default.
  bool differs(const KeySpec& key) const {
    const auto it = values_.find(key.name);
    return it != values_.end() && it->second != key.default_value;
  }
  const std::map<std::string, KeyValue>& all() const { return values_; }

  /// Names of files are relative to this folder; empty: to the working folder.
  const std::filesystem::path& folder() const { return folder_; }
  void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

 private:
  std::map<std::string, KeyValue> values_;
  std::filesystem::path folder_;
};

}  // namespace starloom
