// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/mapping_rules.hpp>

#include <numeric>

#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/random_patterns.hpp>

namespace starloom {

namespace {

/// Along the rows of a grid, every second one backwards, so that neighbours in the order are neighbours in the grid.
std::vector<NodeId> along_snake(std::size_t items, const TrafficContext& context) {
  if (!context.processors.arrangement)
    throw ConfigError("mapping", "snake needs processors in a grid, which " + context.processors.network +
                                     " does not have; use row-major or a list");
  const Grid& grid = *context.processors.arrangement;
  std::vector<std::size_t> sides;  // the one along which neighbours have neighbouring numbers comes last
  for (const int axis : grid.route_axes())
    sides.insert(sides.begin(), static_cast<std::size_t>(grid.shape()[static_cast<std::size_t>(axis)]));
  std::vector<NodeId> mapping(items);
  for (std::size_t item = 0; item < items; ++item) {
    std::size_t below = 1;  // processors in a step of the coordinate
    for (const std::size_t side : sides) below *= side;
    std::size_t rest = item, before = 0;
    for (const std::size_t side : sides) {
      below /= side;
      const std::size_t along = rest / below;
      rest %= below;
      const std::size_t coordinate = before % 2 == 0 ? along : side - 1 - along;
      mapping[item] += static_cast<NodeId>(coordinate * below);
      before = before * side + along;
    }
  }
  return mapping;
}

}  // namespace

const std::vector<std::string>& mapping_rules() {
  static const std::vector<std::string> rules = {"row-major", "snake", "spread", "random"};
  return rules;
}

std::vector<NodeId> mapped_by_rule(const std::string& rule, std::size_t items, const TrafficContext& context) {
  if (rule == "random") {
    Destinations mapping = patterns::random_permutation(context.processors, context.seed);
    mapping.resize(items);
    return mapping;
  }
  if (rule == "snake") return along_snake(items, context);
  std::vector<NodeId> mapping(items);
  std::iota(mapping.begin(), mapping.end(), 0);
  if (rule == "spread")
    for (NodeId& item : mapping)
      item = static_cast<NodeId>(std::int64_t{item} * context.processors.count / static_cast<std::int64_t>(items));
  return mapping;
}

}  // namespace starloom
