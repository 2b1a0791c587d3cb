#pragma once
/// \file An algorithm of the table, by name, with default keys but for those given.
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "controllers/algorithm.hpp"

namespace starloom {

/// `packets`: what off-line algorithms plan for. The topology must outlive the algorithm.
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const Topology& topology,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  const AlgorithmEntry* entry = find_algorithm(name);
  if (entry == nullptr) throw std::invalid_argument("no algorithm " + name);
  std::map<std::string, KeyValue> values;
  for (const KeySpec& key : entry->keys) values[key.name] = key.default_value;
  for (const auto& [key, value] : keys) values.at(key) = value;
  return entry->make({&topology, 1, packets}, KeyValues(values));
}

}  // namespace starloom
