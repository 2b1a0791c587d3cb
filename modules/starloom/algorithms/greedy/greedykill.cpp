// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/greedy/greedykill.hpp>

#include <cstdlib>
#include <string>

#include <starloom/schema/config_error.hpp>

namespace starloom::patterns {

Destinations greedykill(const Processors& processors, std::optional<std::int64_t> column) {
  const Grid& grid = processors.coordinates("greedykill");
  if (!grid.is_square_mesh() || grid.side(0) < 2)
    processors.refuse("greedykill needs a square mesh of two dimensions and a side of at least 2, not " +
                      processors.network + "; make both sides equal, or choose hot-spot");
  const std::int32_t n = grid.side(0);
  if (column && *column >= n)
    throw ConfigError("column", std::to_string(*column) + ", but columns of " + processors.network + " are 0 to " +
                                    std::to_string(n - 1));
  const auto target_column = static_cast<std::int32_t>(column.value_or(n / 2));
  Destinations destinations(static_cast<std::size_t>(grid.nodes()), no_node);
  std::int32_t target_row = n - 1;
  for (std::int32_t row = 0; row < 2; ++row)
    for (std::int32_t from = 0; from < n; ++from) {
      const std::int32_t away = std::abs(from - target_column);
      const bool sends = row == 0 ? 6 * away <= n : 3 * away < n;
      if (sends && target_row >= 0)
        destinations[grid.node_at({row, from})] = grid.node_at({target_row--, target_column});
    }
  return destinations;
}

AlgorithmPattern greedykill_pattern() {
  return {"greedykill",
          "a partial permutation for which greedy queues 2n/3 packets in one node",
          {integer_key("column", "column to which all packets go; default: the middle one").at_least(0)},
          [](const Processors& processors, std::uint64_t /*seed*/, const KeyValues& keys) {
            const auto column = keys.has("column") ? std::optional(keys.integer("column")) : std::nullopt;
            return greedykill(processors, column);
          }};
}

}  // namespace starloom::patterns
