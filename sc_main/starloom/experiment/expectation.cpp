// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/expectation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/config/document_json.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DocumentValue::Kind;

const std::vector<std::string> condition_names = {"equals", "min", "max", "within"};

/// Reads the conditions of one path.
class ConditionReader {
 public:
  ConditionReader(Expectation& expectation, Diagnostics& diagnostics)
      : expectation_(expectation), diagnostics_(diagnostics) {}

  void read(const DocumentValue& value) {
    if (value.kind != Kind::map) {
      if (value.kind == Kind::null) add_error(value, "a value is expected; null cannot be expected");
      else read_equals(value);
      return;
    }
    check_key_names(value, condition_names, path(), diagnostics_);
    if (value.entries.empty()) add_error(value, fmt::format("one of {} is expected", fmt::join(condition_names, ", ")));
    if (const auto* equals = value.find("equals")) read_equals(*equals);
    if (const auto* min = value.find("min")) expectation_.min = read_bound(*min, "min");
    if (const auto* max = value.find("max")) expectation_.max = read_bound(*max, "max");
    if (const auto* within = value.find("within")) read_within(*within);
    if (expectation_.min && expectation_.max && *expectation_.min > *expectation_.max)
      add_error(value, fmt::format("no value is between {} and {}", *expectation_.min, *expectation_.max));
  }

 private:
  std::string path() const { return "expect." + expectation_.path; }
  void add_error(const DocumentValue& at, const std::string& text) {
    diagnostics_.add(at.location, fmt::format("{}: {}", path(), text));
  }
  void read_equals(const DocumentValue& value) {
    expectation_.equals = document_json(value);
    const auto& names = outcome_names;
    if (expectation_.path == "outcome" &&
        std::find(std::begin(names), std::end(names), value.scalar) == std::end(names))
      add_error(value, unknown_name("outcome", value.scalar, {std::begin(names), std::end(names)}));
  }
  std::optional<double> read_bound(const DocumentValue& value, const char* name) {
    const auto bound = value.number();
    if (!bound) add_error(value, fmt::format("{}: a number is expected, not {}", name, value.described()));
    return bound;
  }
  void read_within(const DocumentValue& value) {
    if (value.kind != Kind::list || value.items.size() != 2)
      return add_error(value, "within: two numbers [low, high] are expected");
    if (expectation_.min || expectation_.max) return add_error(value, "within excludes min and max; keep one form");
    expectation_.min = read_bound(value.items[0], "within");
    expectation_.max = read_bound(value.items[1], "within");
  }

  Expectation& expectation_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<Expectation> read_expectations(const DocumentValue& section, const std::vector<std::string>& result_keys,
                                           Diagnostics& diagnostics) {
  std::vector<Expectation> all;
  check_duplicates(section, "expect", diagnostics);
  for (const DocumentEntry& entry : section.entries) {
    const std::string first = entry.key.substr(0, entry.key.find('.'));
    if (std::find(result_keys.begin(), result_keys.end(), first) == result_keys.end()) {
      diagnostics.add(entry.location, fmt::format("expect.{}: result.json has no key {}{}", entry.key, first,
                                                  did_you_mean(first, result_keys)));
      continue;
    }
    Expectation expectation;
    expectation.location = entry.location;
    expectation.path = entry.key;
    ConditionReader(expectation, diagnostics).read(entry.value);
    all.push_back(std::move(expectation));
  }
  return all;
}

nlohmann::ordered_json value_at(const nlohmann::ordered_json& result, const std::string& path) {
  const Json* at = &result;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    begin = end + 1;
    if (at->is_object() && at->contains(key)) {
      at = &at->at(key);
      continue;
    }
    // Sections in lists go by their names, or numbers.
    if (at->is_array()) {
      const auto named = std::find_if(at->begin(), at->end(), [&key](const Json& item) {
        return item.is_object() && item.contains("name") && item["name"] == key;
      });
      if (named != at->end()) {
        at = &*named;
        continue;
      }
    }
    const auto index = parse_integer(key);
    if (!at->is_array() || !index || *index < 0 || static_cast<std::size_t>(*index) >= at->size()) return nullptr;
    at = &at->at(static_cast<std::size_t>(*index));
  }
  return *at;
}

namespace {

/// For a path without a value: null, or a key that does not exist, with the nearest one that does.
std::string without_value(const Json& result, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string section = dot == std::string::npos ? "" : path.substr(0, dot), key = path.substr(dot + 1);
  const Json around = section.empty() ? result : value_at(result, section);
  if (!around.is_object() || around.contains(key)) return path + " has no value in this result";
  std::vector<std::string> keys;
  for (const auto& [name, value] : around.items()) keys.push_back(name);
  const std::string near = nearest(key, keys);
  return "this result has no " + path +
         (near.empty() ? "" : " (did you mean " + (section.empty() ? near : section + "." + near) + "?)");
}

}  // namespace

std::optional<std::string> missed(const Expectation& expectation, const nlohmann::ordered_json& result) {
  const Json value = value_at(result, expectation.path);
  const auto sentence = [&](const std::string& wanted) {
    return fmt::format("{} is {}, expected {}", expectation.path, value.dump(), wanted);
  };
  if (value.is_null()) return without_value(result, expectation.path);
  if (expectation.equals && value != *expectation.equals) return sentence(expectation.equals->dump());
  if (!expectation.min && !expectation.max) return std::nullopt;
  if (!value.is_number()) return sentence("a number");
  const double number = value.get<double>();
  if (expectation.min && number < *expectation.min) return sentence(fmt::format("at least {}", *expectation.min));
  if (expectation.max && number > *expectation.max) return sentence(fmt::format("at most {}", *expectation.max));
  return std::nullopt;
}

}  // namespace starloom
