// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/constant_queue/levels.hpp>

#include <algorithm>
#include <string>

#include <starloom/schema/config_error.hpp>

namespace starloom::links {
namespace {

/// Narrower supersquares do not have three columns for the thirds of the near blocks.
constexpr std::int32_t least_m = 3;

std::string number(std::int64_t n) { return std::to_string(n); }

/// The fastest sort; in the paper's order, for which there is only one, shearsort.
MeshSortProgram sort_of(std::int32_t s, bool snake) {
  return snake ? MeshSortProgram::shearsort(s, true) : MeshSortProgram::fastest(s);
}

/// The largest divisor of m whose sort takes at most m steps.
std::int32_t largest_side(std::int32_t m) {
  for (std::int32_t s = m; s > 1; --s)
    if (m % s == 0 && sort_of(s, false).steps() <= m) return s;
  return 1;
}

/// Two thirds of m columns, in whole subsquares if that leaves some on both sides.
std::int32_t two_thirds(std::int32_t m, std::int32_t s) {
  const std::int32_t whole = s * ((4 * m + 3 * s) / (6 * s));  // s times 2m/(3s), rounded
  return whole == 0 || whole == m ? (2 * m + 1) / 3 : whole;
}

Level full_level(Step start, std::int32_t side, std::int32_t s, bool snake) {
  Level level;
  level.start = start;
  level.side = side;
  level.m = side / 8;
  level.s = s;
  level.near = two_thirds(level.m, s);
  level.snake = snake;
  level.sort = sort_of(s, snake);
  return level;
}

bool is_full(std::int32_t side, std::int32_t base) { return side > base && side % 8 == 0 && side / 8 >= least_m; }

/// Refuses an `s` that the outermost level cannot use.
void check_side(std::int32_t side, std::int32_t base, std::int32_t s) {
  if (!is_full(side, base))
    throw ConfigError("s", "a mesh of side " + number(side) +
                               " is routed greedily, without subsquares, because its side is " +
                               (side <= base    ? "at most base, " + number(base)
                                : side % 8 != 0 ? std::string("not a multiple of 8")
                                                : "below 24") +
                               "; leave s out");
  const std::int32_t m = side / 8;
  if (m % s != 0)
    throw ConfigError("s", number(s) + " does not divide a supersquare of m = " + number(m) + " nodes; choose " +
                               number(largest_side(m)) + ", or leave s out");
  if (const Step steps = sort_of(s, false).steps(); steps > m)
    throw ConfigError("s", "sorting " + number(s) + " x " + number(s) + " nodes needs " + number(steps) +
                               " steps, more than m = " + number(m) + "; choose " + number(largest_side(m)) +
                               ", or leave s out");
}

}  // namespace

std::int32_t Level::column_bound() const {
  if (is_base()) return 2 * side / 3 + 1;
  const std::int32_t third = m - near;
  const auto subsquares = [this](std::int32_t columns) { return (columns + s - 1) / s; };
  // Columns of the two middle blocks get blocks of type Ia besides their own row: two far ones and one or two near
  // parts.
  const std::int32_t middle = 8 * m / s + 2 * m / s + std::max(subsquares(near), 2 * subsquares(third));
  return side / s + (snake ? 2 : 1) * middle;
}

std::vector<Level> constant_queue_levels(std::int32_t side, std::int32_t base, std::int32_t s, bool snake) {
  if (s != 0) check_side(side, base, s);
  std::vector<Level> levels;
  Step start = 0;
  for (; is_full(side, base); side /= 8) {
    levels.push_back(full_level(start, side, s != 0 ? s : largest_side(side / 8), snake));
    start += levels.back().descent();
    s = 0;
  }
  Level last;
  last.start = start;
  last.side = side;
  levels.push_back(last);
  return levels;
}

}  // namespace starloom::links
