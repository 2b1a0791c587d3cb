// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/key_reader.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <starloom/schema/key_check.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

std::string first_at(const SourceLocation& location) {
  return location.line == 0 ? "" : fmt::format(", first at line {}, column {}", location.line, location.column);
}

/// Digits only, so that numbers beyond 64 bits are reported as out of range, not as mistyped.
bool spells_integer(const DocumentValue& value) {
  if (value.kind != DocumentValue::Kind::scalar || value.quoted || value.scalar.empty()) return false;
  const std::size_t first = value.scalar[0] == '-' ? 1 : 0;
  return value.scalar.size() > first && value.scalar.find_first_not_of("0123456789", first) == std::string::npos &&
         (value.scalar[first] != '0' || value.scalar.size() == first + 1);
}

/// A pair of an integer and a share.
std::optional<ShareList::value_type> share_of(const DocumentValue& pair) {
  if (pair.kind != DocumentValue::Kind::list || pair.items.size() != 2) return std::nullopt;
  const auto number = pair.items[0].integer();
  const auto share = pair.items[1].number();
  if (!number || !share) return std::nullopt;
  return std::make_pair(*number, *share);
}

std::optional<KeyValue> shares_of(const DocumentValue& list) {
  ShareList shares;
  for (const DocumentValue& pair : list.items) {
    const auto share = share_of(pair);
    if (!share) return std::nullopt;
    shares.push_back(*share);
  }
  if (list.kind != DocumentValue::Kind::list) return std::nullopt;
  return shares;
}

std::optional<KeyValue> words_of(const DocumentValue& list) {
  std::vector<std::string> words;
  for (const DocumentValue& word : list.items) {
    if (word.kind != DocumentValue::Kind::scalar) return std::nullopt;
    words.push_back(word.scalar);
  }
  return words;
}

/// `name`, `{name: number}`, `{name: part}` or `{name: number, of: part}`.
std::optional<PartValue> part_of(const DocumentValue& value) {
  if (value.kind == DocumentValue::Kind::scalar) return PartValue{value.scalar};
  const std::vector<DocumentEntry>& entries = value.entries;
  if (value.kind != DocumentValue::Kind::map || entries.empty() || entries.size() > 2) return std::nullopt;
  PartValue part{entries[0].key};
  part.number = entries[0].value.integer();
  if (!part.number || entries.size() == 2) {
    if (entries.size() == 2 && (!part.number || entries[1].key != "of")) return std::nullopt;
    std::optional<PartValue> of = part_of(entries.back().value);
    if (!of) return std::nullopt;
    part.of.push_back(std::move(*of));
  }
  return part;
}

/// The value for a type of key that is not a list of numbers; empty if it has another type.
std::optional<KeyValue> value_of(const KeySpec& spec, const DocumentValue& value) {
  if (value.kind == DocumentValue::Kind::null) return KeyValue{};
  const bool word = value.kind == DocumentValue::Kind::scalar && contains(spec.choices, value.scalar);
  switch (spec.type) {
    case KeyType::number:
      if (!word && !value.integer()) return value.number();
      [[fallthrough]];
    case KeyType::integer:
      if (word) return value.scalar;
      return value.integer();
    case KeyType::boolean: return value.boolean();
    case KeyType::integer_list:
      if (word) return value.scalar;
      return std::nullopt;
    case KeyType::share_list: return shares_of(value);
    case KeyType::part: {
      std::optional<PartValue> part = part_of(value);
      return part ? std::optional<KeyValue>(std::move(*part)) : std::nullopt;
    }
    case KeyType::text_or_list:
      if (value.kind == DocumentValue::Kind::list) return words_of(value);
      break;
    case KeyType::choice:
    case KeyType::text:
    case KeyType::file:
    case KeyType::rank_files: break;
  }
  if (value.kind != DocumentValue::Kind::scalar) return std::nullopt;
  return value.scalar;
}

/// Reads one value; its errors name the key's full path.
class ValueReader {
 public:
  ValueReader(const KeySpec& spec, const std::string& path, Diagnostics& diagnostics)
      : spec_(spec), path_(path), diagnostics_(diagnostics) {}

  KeyValue read(const DocumentValue& value) const {
    const bool one = spec_.one_or_list && spells_integer(value);
    if (spec_.type != KeyType::integer_list || !(one || value.kind == DocumentValue::Kind::list))
      return checked(spec_, value).value_or(spec_.default_value);
    KeySpec element = spec_.is_required();
    element.type = KeyType::integer;
    std::vector<std::int64_t> numbers;
    bool sound = true;
    const auto add = [&](const DocumentValue& item) {
      const auto number = checked(element, item);
      if (number) numbers.push_back(std::get<std::int64_t>(*number));
      sound = sound && number;
    };
    if (one) add(value);
    for (const DocumentValue& item : value.items) add(item);
    return sound ? numbers : spec_.default_value;
  }

 private:
  /// The value, or empty if it has an error.
  std::optional<KeyValue> checked(const KeySpec& spec, const DocumentValue& value) const {
    const auto read = value_of(spec, value);
    const bool too_long = !read && spec.type == KeyType::integer && spells_integer(value);
    const std::string error = read       ? value_error(spec, *read, value.described())
                              : too_long ? out_of_range_text(spec, value.scalar)
                                         : mistyped_text(spec, value.described());
    if (error.empty() && spec.type == KeyType::part && value.kind != DocumentValue::Kind::null)
      return with_defaults(spec.parts, std::get<PartValue>(*read));
    if (error.empty()) return read;
    diagnostics_.add(value.location, fmt::format("{}: {}", path_, error));
    return std::nullopt;
  }

  const KeySpec& spec_;
  const std::string& path_;
  Diagnostics& diagnostics_;
};

/// Those of the names of keys that are inside a section, without its name.
std::vector<std::string> names_inside(const std::vector<std::string>& names, const std::string& section) {
  std::vector<std::string> inside;
  for (const std::string& name : names)
    if (is_inside(name, section)) inside.push_back(name.substr(section.size() + 1));
  return inside;
}

/// The value where a nested section is expected, or null if there is none. `name`: empty for the section itself.
const DocumentValue* section_inside(const DocumentValue& section, const std::string& name) {
  if (name.empty()) return &section;
  const DocumentValue* around = section_inside(section, inner_section(name));
  const std::size_t dot = name.rfind('.');
  return around == nullptr ? nullptr : around->find(dot == std::string::npos ? name : name.substr(dot + 1));
}

/// The nearest key, with the whole path, as it is typed after --set and as an axis; or all, if they are few.
std::string did_you_mean_path(const std::string& path, const std::string& key, const std::vector<std::string>& known) {
  constexpr std::size_t few = 8;
  const std::string near = nearest(key, known);
  if (!near.empty()) return " (did you mean " + key_path(path, near) + "?)";
  return known.size() <= few ? fmt::format("; known: {}", fmt::join(known, ", ")) : "";
}

}  // namespace

std::string key_path(const std::string& path, const std::string& key) {
  if (key.empty()) return path;
  return path.empty() ? key : path + "." + key;
}

void check_duplicates(const DocumentValue& section, const std::string& path, Diagnostics& diagnostics) {
  std::map<std::string_view, const SourceLocation*> locations;
  for (const DocumentEntry& entry : section.entries) {
    const auto [first, fresh] = locations.try_emplace(entry.key, &entry.location);
    if (!fresh)
      diagnostics.add(entry.location,
                      fmt::format("{} is given twice{}", key_path(path, entry.key), first_at(*first->second)));
  }
}

void check_key_names(const DocumentValue& section, const std::vector<std::string>& known, const std::string& path,
                     Diagnostics& diagnostics, const KnownElsewhere& elsewhere) {
  check_duplicates(section, path, diagnostics);
  std::vector<std::string> here;
  for (const std::string& name : known) {
    const std::string first = name.substr(0, name.find('.'));
    if (!contains(here, first)) here.push_back(first);
  }
  for (const DocumentEntry& entry : section.entries) {
    if (!contains(here, entry.key)) {
      const std::string why = elsewhere ? elsewhere(entry.key) : "";
      const std::string name = key_path(path, entry.key);
      diagnostics.add(entry.location, why.empty() ? "unknown key " + name + did_you_mean_path(path, entry.key, here)
                                                  : name + ": " + why);
      continue;
    }
    const std::vector<std::string> inside = names_inside(known, entry.key);
    if (!inside.empty() && entry.value.kind == DocumentValue::Kind::map)
      check_key_names(entry.value, inside, key_path(path, entry.key), diagnostics);
  }
}

KeyValues read_keys(const DocumentValue& section, const std::vector<KeySpec>& table, const std::string& path,
                    Diagnostics& diagnostics) {
  const std::vector<std::string> names = names_of(table);
  std::map<std::string, KeyValue> values;
  std::set<std::string> reported;
  for (const KeySpec& spec : table) {
    const std::string name = key_path(path, spec.name);
    values[spec.name] = {};
    const DocumentValue* around = section_inside(section, inner_section(spec.name));
    if (around == nullptr) continue;
    const std::string inner = inner_section(spec.name);
    if (around->kind != DocumentValue::Kind::map && !inner.empty()) {
      if (!contains(names, inner) && around->kind != DocumentValue::Kind::null && reported.insert(inner).second)
        diagnostics.add(around->location,
                        fmt::format("{}: a section with the keys {} is expected, not {}", key_path(path, inner),
                                    fmt::join(names_inside(names, inner), ", "), around->described()));
      continue;
    }
    const DocumentValue* value = around->find(spec.name.substr(inner.empty() ? 0 : inner.size() + 1));
    const bool has_sections = !names_inside(names, spec.name).empty();
    if (value != nullptr && value->kind == DocumentValue::Kind::map && has_sections) {
      if (value->entries.empty())
        diagnostics.add(value->location, fmt::format("{}: the section is empty; its keys: {}", name,
                                                     fmt::join(names_inside(names, spec.name), ", ")));
      continue;
    }
    const DocumentValue* instead =
        spec.section_instead.empty() ? nullptr : section_inside(section, spec.section_instead);
    if (instead != nullptr && instead->kind == DocumentValue::Kind::map) {
      if (value != nullptr) diagnostics.add(value->location, fmt::format("{}: {}", name, twice_given_text(spec)));
      continue;
    }
    values[spec.name] = spec.default_value;
    if (value != nullptr) values[spec.name] = ValueReader(spec, name, diagnostics).read(*value);
    else if (spec.required) diagnostics.add(around->location, missing_text(spec, name));
  }
  return KeyValues(std::move(values));
}

}  // namespace starloom
