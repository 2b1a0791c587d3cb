#include <starloom/controllers/links/make_algorithm.hpp>

#include <algorithm>

#include <starloom/core/error.hpp>
#include <starloom/core/nearest.hpp>

namespace starloom::links {
namespace {

template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

/// What is wrong with a value; null if nothing is.
const char* fault_of(const KeySpec& spec, const KeyValue& value) {
  const auto in_range = [&spec](double number) { return number >= spec.min && number <= spec.max; };
  constexpr const char* out_of_range = "is out of range";
  if (std::holds_alternative<std::monostate>(value))
    return std::holds_alternative<std::monostate>(spec.default_value) && !spec.required ? nullptr : "has no value";
  switch (spec.type) {
    case KeyType::integer:
    case KeyType::number: {
      const auto* whole = std::get_if<std::int64_t>(&value);
      const auto* real = spec.type == KeyType::number ? std::get_if<double>(&value) : nullptr;
      if (whole == nullptr && real == nullptr) return spec.type == KeyType::number ? "is no number" : "is no integer";
      return in_range(whole != nullptr ? static_cast<double>(*whole) : *real) ? nullptr : out_of_range;
    }
    case KeyType::boolean: return std::holds_alternative<bool>(value) ? nullptr : "is neither true nor false";
    case KeyType::integer_list: {
      const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
      if (list == nullptr) return "is no list of integers";
      return std::all_of(list->begin(), list->end(), in_range) ? nullptr : out_of_range;
    }
    case KeyType::text:
    case KeyType::file: return std::holds_alternative<std::string>(value) ? nullptr : "is no text";
    case KeyType::choice: {
      const auto* word = std::get_if<std::string>(&value);
      if (word == nullptr) return "is no text";
      return std::find(spec.choices.begin(), spec.choices.end(), *word) != spec.choices.end()
                 ? nullptr
                 : "is none of its choices";
    }
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys) {
  const AlgorithmEntry* entry = find_algorithm(name);
  if (entry == nullptr) throw InputError("unknown algorithm " + name + did_you_mean(name, names_in(algorithm_table())));
  const std::string& topology = context.network->topology;
  if (std::find(entry->topologies.begin(), entry->topologies.end(), topology) == entry->topologies.end())
    throw InputError(name + " does not run on a " + topology);
  if (entry->off_line && context.packets == nullptr && !context.ranks)
    throw InputError(name + " plans before the run; give it the packets in AlgorithmContext::packets");
  std::map<std::string, KeyValue> values;
  for (const KeySpec& spec : entry->keys) {
    const auto given = keys.find(spec.name);
    values[spec.name] = given == keys.end() ? spec.default_value : given->second;
    if (const char* fault = fault_of(spec, values[spec.name]))
      throw InputError(name + ": " + spec.name + " " + fault + " (" + spec.meaning + ")");
  }
  for (const auto& [key, value] : keys)
    if (values.find(key) == values.end()) {
      std::string text = name + ": unknown key ";
      text += key;
      text += did_you_mean(key, names_in(entry->keys));
      throw InputError(text);
    }
  return std::get<MakeAlgorithm>(entry->make)(context, KeyValues(std::move(values)));
}

}  // namespace starloom::links
