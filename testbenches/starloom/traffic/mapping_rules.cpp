// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/mapping_rules.hpp>

#include <numeric>

#include <starloom/traffic/random_patterns.hpp>

namespace starloom {

const std::vector<std::string>& mapping_rules() {
  static const std::vector<std::string> rules = {"row-major", "spread", "random"};
  return rules;
}

std::vector<NodeId> mapped_by_rule(const std::string& rule, std::size_t items, const TrafficContext& context) {
  if (rule == "random") {
    Destinations mapping = patterns::random_permutation(context.processors, context.seed);
    mapping.resize(items);
    return mapping;
  }
  std::vector<NodeId> mapping(items);
  std::iota(mapping.begin(), mapping.end(), 0);
  if (rule == "spread")
    for (NodeId& item : mapping)
      item = static_cast<NodeId>(std::int64_t{item} * context.processors.count / static_cast<std::int64_t>(items));
  return mapping;
}

}  // namespace starloom
