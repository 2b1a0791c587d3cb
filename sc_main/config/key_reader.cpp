#include <starloom/config/key_reader.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include <starloom/config/key_text.hpp>
#include <starloom/core/nearest.hpp>

namespace starloom {
namespace {

std::string first_at(const Place& place) {
  return place.line == 0 ? "" : fmt::format(", first at line {}, column {}", place.line, place.column);
}

/// Reads one value; its faults are stated with the key's full path.
class ValueReader {
 public:
  ValueReader(const KeySpec& spec, const std::string& path, Faults& faults)
      : spec_(spec), path_(path), faults_(faults) {}

  KeyValue read(const DocumentValue& value) const {
    using Kind = DocumentValue::Kind;
    if (value.kind == Kind::null) {
      const bool has_null = !spec_.required && std::holds_alternative<std::monostate>(spec_.default_value);
      return has_null ? KeyValue{} : mistyped(value);
    }
    switch (spec_.type) {
      case KeyType::integer: return integer(value);
      case KeyType::number: return number(value);
      case KeyType::boolean:
        if (const auto truth = value.boolean()) return *truth;
        return mistyped(value);
      case KeyType::integer_list: return list(value);
      case KeyType::choice:
        if (value.kind != Kind::scalar) return mistyped(value);
        if (std::find(spec_.choices.begin(), spec_.choices.end(), value.scalar) != spec_.choices.end())
          return value.scalar;
        return fault(value, unknown_name(spec_.name, value.scalar, spec_.choices));
      case KeyType::text:
      case KeyType::file:
        if (value.kind != Kind::scalar || value.scalar.empty()) return mistyped(value);
        return value.scalar;
    }
    return {};
  }

 private:
  KeyValue fault(const DocumentValue& at, const std::string& text) const {
    faults_.add(at.place, fmt::format("{}: {}", path_, text));
    return spec_.default_value;
  }
  KeyValue mistyped(const DocumentValue& value) const {
    return fault(value, fmt::format("{} is expected, not {}", expected_text(spec_.type), value.described()));
  }
  bool in_range(double value) const { return value >= spec_.min && value <= spec_.max; }
  KeyValue out_of_range(const DocumentValue& value) const {
    return fault(value, fmt::format("{} is out of range ({})", value.scalar, range_text(spec_)));
  }
  /// Digits only, so that numbers which 64 bits cannot hold are called out of range, not mistyped.
  static bool spells_integer(const DocumentValue& value) {
    if (value.kind != DocumentValue::Kind::scalar || value.quoted || value.scalar.empty()) return false;
    const std::size_t first = value.scalar[0] == '-' ? 1 : 0;
    return value.scalar.size() > first && value.scalar.find_first_not_of("0123456789", first) == std::string::npos &&
           (value.scalar[first] != '0' || value.scalar.size() == first + 1);
  }
  KeyValue integer(const DocumentValue& value) const {
    if (!spells_integer(value)) return mistyped(value);
    const auto whole = value.integer();
    if (!whole || !in_range(static_cast<double>(*whole))) return out_of_range(value);
    return *whole;
  }
  KeyValue number(const DocumentValue& value) const {
    const auto real = value.number();
    if (!real) return mistyped(value);
    if (!in_range(*real)) return out_of_range(value);
    if (const auto whole = value.integer()) return *whole;
    return *real;
  }
  KeyValue list(const DocumentValue& value) const {
    if (spec_.one_or_list && value.kind == DocumentValue::Kind::scalar) {
      const KeyValue one = integer(value);
      if (const auto* number = std::get_if<std::int64_t>(&one)) return std::vector<std::int64_t>{*number};
      return spec_.default_value;
    }
    if (value.kind != DocumentValue::Kind::list) return mistyped(value);
    std::vector<std::int64_t> numbers;
    bool sound = true;
    for (const DocumentValue& item : value.items) {
      const auto whole = item.integer();
      if (whole && in_range(static_cast<double>(*whole))) {
        numbers.push_back(*whole);
        continue;
      }
      sound = false;
      if (spells_integer(item)) out_of_range(item);
      else fault(item, fmt::format("an integer is expected, not {}", item.described()));
    }
    if (!sound) return spec_.default_value;
    return numbers;
  }

  const KeySpec& spec_;
  const std::string& path_;
  Faults& faults_;
};

}  // namespace

std::string key_path(const std::string& path, const std::string& key) {
  if (key.empty()) return path;
  return path.empty() ? key : path + "." + key;
}

std::string unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  return fmt::format("unknown {} {}; known: {}{}", what, name, fmt::join(known, ", "), did_you_mean(name, known));
}

void check_duplicates(const DocumentValue& section, const std::string& path, Faults& faults) {
  for (std::size_t i = 0; i < section.entries.size(); ++i) {
    const DocumentEntry& entry = section.entries[i];
    const auto first = std::find_if(section.entries.begin(), section.entries.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const DocumentEntry& other) { return other.key == entry.key; });
    if (first != section.entries.begin() + static_cast<std::ptrdiff_t>(i))
      faults.add(entry.place, fmt::format("{} is given twice{}", key_path(path, entry.key), first_at(first->place)));
  }
}

void check_key_names(const DocumentValue& section, const std::vector<std::string>& known, const std::string& path,
                     Faults& faults) {
  check_duplicates(section, path, faults);
  for (const DocumentEntry& entry : section.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      faults.add(entry.place,
                 fmt::format("unknown key {}{}", key_path(path, entry.key), did_you_mean(entry.key, known)));
}

KeyValues read_keys(const DocumentValue& section, const std::vector<KeySpec>& table, const std::string& path,
                    Faults& faults) {
  std::map<std::string, KeyValue> values;
  for (const KeySpec& spec : table) {
    const std::string name = key_path(path, spec.name);
    values[spec.name] = spec.default_value;
    if (const DocumentValue* value = section.find(spec.name))
      values[spec.name] = ValueReader(spec, name, faults).read(*value);
    else if (spec.required) faults.add(section.place, fmt::format("{} is missing ({})", name, spec.meaning));
  }
  return KeyValues(std::move(values));
}

}  // namespace starloom
