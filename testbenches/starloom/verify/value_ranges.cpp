// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/value_ranges.hpp>

#include <limits>
#include <string>
#include <vector>

#include <starloom/schema/key_check.hpp>

namespace starloom {
namespace {

struct Section {
  const char* name;
  const char* selector;  ///< the key whose value adds keys to the section; empty if none does
};
constexpr Section checked_sections[] = {
    {"", ""},      {"network", "topology"}, {"routing", "algorithm"}, {"traffic", "pattern"}, {"limits", ""},
    {"units", ""}, {"optics", ""}};

KeyValue number_at(const ResultDocument& result, const std::string& path, KeyType type) {
  if (type == KeyType::number) return result.number(path);
  if (type == KeyType::integer_list && result.at(path).is_array()) return result.integers(path);
  const std::int64_t integer = result.integer(path, std::numeric_limits<std::int64_t>::min());
  return type == KeyType::integer ? KeyValue(integer) : KeyValue(std::vector<std::int64_t>{integer});
}

/// Some numbers may be words, and all optional ones may be null.
bool holds_numbers(const nlohmann::ordered_json* value) {
  return value != nullptr && (value->is_number() || value->is_array());
}

}  // namespace

void check_ranges(const ResultDocument& result, const KnownEntries& known) {
  if (!known.keys) return;
  for (const Section& section : checked_sections) {
    const std::string path = std::string("experiment.") + section.name + (*section.name == '\0' ? "" : ".");
    const nlohmann::ordered_json* const name = result.find(path + section.selector);
    for (const KeySpec& key :
         known.keys(section.name, name != nullptr && name->is_string() ? name->get<std::string>() : "")) {
      if (key.type != KeyType::integer && key.type != KeyType::number && key.type != KeyType::integer_list) continue;
      if (!holds_numbers(result.find(path + key.name))) continue;
      if (!value_error(key, number_at(result, path + key.name, key.type)).empty())
        result.fail(path + key.name, "is out of range");
    }
  }
}

}  // namespace starloom
