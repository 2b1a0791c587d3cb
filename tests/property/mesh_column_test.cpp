// SPDX-License-Identifier: Apache-2.0
// The load of a column in the router with constant queues (Rajasekaran and Overholt 1990, sections 5.1 and 5.4): n =
// 8m rows, each of them the destination of one packet, farthest destination first.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include <starloom/core/random.hpp>
#include "property/line.hpp"

namespace starloom::links {
namespace {

/// A column in row blocks of m rows, blocks 0 to 7.
struct Column {
  explicit Column(int side) : m(side), rows(8 * side), line(rows) {}

  int m, rows;
  Line line;
};

// Type I: in step 8m-1 all packets of the column are in row blocks 1 to 6. Special ones, for row blocks 0 and 7, come
// first, but go to temporary rows in blocks 1 and 6 until step 14m-2, m rows short of their destinations.

/// The results of a load of type-I packets, in steps after 8m-1.
struct TypeI {
  int late_specials = 0;  ///< not in their temporary rows in step 14m-2
  int farthest = 0;       ///< greatest distance of another packet then
  int steps = 0;          ///< until all are home
};

/// `origins`: [destination row] -> row, in row blocks 1 to 6.
TypeI run_type_i(Column& column, const std::vector<int>& origins) {
  const int m = column.m;
  std::vector<Line::Packet>& packets = column.line.packets;
  packets.clear();
  for (int row = 0; row < column.rows; ++row) {
    const int temporary = row < m ? row + m : row >= 7 * m ? row - m : row;
    packets.push_back({origins[static_cast<std::size_t>(row)], temporary, temporary == row ? 1 : 0});
  }
  TypeI result;
  const int gate = 6 * m - 1;
  for (; result.steps < gate || !column.line.all_home(); ++result.steps) {
    if (result.steps == gate)
      for (int row = 0; row < column.rows; ++row) {
        Line::Packet& packet = packets[static_cast<std::size_t>(row)];
        if (packet.rank == 0) result.late_specials += packet.at != packet.target ? 1 : 0;
        else result.farthest = std::max(result.farthest, packet.distance());
        packet.target = row;
      }
    column.line.step();
  }
  return result;
}

void expect_in_time(const TypeI& result, int m, int worst_steps) {
  EXPECT_EQ(result.late_specials, 0);
  EXPECT_LE(result.farthest, 2 * m - 1);
  EXPECT_LE(result.steps, worst_steps);
}

TEST(TypeIColumn, AllLoadsOfTheSmallestAreInTime) {
  Column column(1);
  TypeI worst;
  const long loads = visit_all(8, 1, 7, [&](const std::vector<int>& origins) {
    const TypeI result = run_type_i(column, origins);
    worst.late_specials += result.late_specials;
    worst.farthest = std::max(worst.farthest, result.farthest);
    worst.steps = std::max(worst.steps, result.steps);
  });
  EXPECT_EQ(loads, 1'679'616);
  expect_in_time(worst, 1, 6);
  EXPECT_EQ(worst.farthest, 1);
  EXPECT_EQ(worst.steps, 6);
}

/// Numbers from a stream, for climbers.
struct Dice {
  explicit Dice(std::uint64_t seed) : words(seed, Purpose::destination, 0, 0) {}
  int below(int range) { return static_cast<int>(words.bounded(static_cast<std::uint32_t>(range))); }

  RandomStream words;
};

// Random loads, crowded into few rows, each improved for a while by changes that do not make it faster.
TEST(TypeIColumn, LargerOnesAreInTimeUnderAttack) {
  for (int m = 2; m <= 8; ++m) {
    Column column(m);
    int worst = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Dice dice(seed);
      const int crowd = 1 + dice.below(6 * m), first = m + dice.below(7 * m - m - crowd + 1);
      std::vector<int> origins(static_cast<std::size_t>(column.rows));
      for (int& origin : origins) origin = first + dice.below(crowd);
      int score = 0;
      for (int change = 0; change < 250; ++change) {
        std::vector<int> tried = origins;
        for (int i = 0; i <= change % 3; ++i)
          tried[static_cast<std::size_t>(dice.below(column.rows))] = m + dice.below(6 * m);
        if (change == 0) tried = origins;
        const TypeI result = run_type_i(column, tried);
        expect_in_time(result, m, 8 * m - 2);
        if (HasFailure()) return;
        if (result.steps + result.farthest < score) continue;
        score = result.steps + result.farthest;
        origins = tried;
        worst = std::max(worst, result.steps);
      }
    }
    EXPECT_EQ(worst, 8 * m - 2) << "m " << m;
  }
}

// Type II: sorted until step m, packets go along their rows, which takes as many steps as they have columns to go, and
// then along the column.

/// The start of a packet of type II, in step m.
struct Origin {
  int row = 0, column = 0;
  friend bool operator<(const Origin& a, const Origin& b) {
    return std::make_pair(a.row, a.column) < std::make_pair(b.row, b.column);
  }
};

/// A column, and a packet for each of its rows.
struct TypeII {
  int m = 1, column = 0;
  std::vector<Origin> origins;  ///< [destination row]

  /// Packets between opposite corners are critical, and do not travel like this.
  bool is_critical(int row, const Origin& origin) const {
    const int r = origin.row / m, c = origin.column / m;
    return (r == 0 || r == 7) && (c == 0 || c == 7) && row / m == 7 - r && column / m == 7 - c;
  }
  /// The step in which the last packet is home if columns start in step `start`, or with the first packet before.
  int steps(Column& model, int start) const {
    std::vector<int> from;
    model.line.packets.clear();
    for (int row = 0; row < 8 * m; ++row) {
      const Origin& origin = origins[static_cast<std::size_t>(row)];
      model.line.packets.push_back({origin.row, row, 0, true});
      from.push_back(std::max(start, m + std::abs(origin.column - column)));
    }
    int step = m;
    for (; !model.line.all_home(); ++step) {
      for (std::size_t row = 0; row < from.size(); ++row) model.line.packets[row].held = step < from[row];
      model.line.step();
    }
    return std::max(step, *std::max_element(from.begin(), from.end()));
  }
};

/// Mostly from afar, to where it is far.
Origin draw_origin(Dice& dice, const TypeII& load, int row) {
  const int n = 8 * load.m;
  for (;;) {
    const int far = load.column < n / 2 ? n - 1 : 0;
    const int near = dice.below(1 + dice.below(n));
    const Origin origin{dice.below(2) == 0 ? dice.below(n) : n - 1 - row, std::abs(far - near)};
    if (!load.is_critical(row, origin)) return origin;
  }
}

// Lemma 5.1, with the true times of arrival: everything is home in step 16m-2, whether the column waits for step 8m-1
// or not, and waiting is never faster. The bound is reached.
TEST(TypeIIColumn, IsInTimeUnderAttack) {
  for (const int m : {1, 2, 3, 4, 6}) {
    Column model(m);
    int worst_frozen = 0, worst_asap = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Dice dice(seed);
      TypeII load;
      load.m = m;
      load.column = seed % 3 == 0 ? dice.below(3 * m) : seed % 3 == 1 ? 0 : 8 * m - 1;
      std::set<Origin> taken;
      while (static_cast<int>(load.origins.size()) < 8 * m) {
        const Origin origin = draw_origin(dice, load, static_cast<int>(load.origins.size()));
        if (taken.insert(origin).second) load.origins.push_back(origin);
      }
      int score = 0;
      for (int change = 0; change < 400; ++change) {
        const int row = dice.below(8 * m);
        Origin& origin = load.origins[static_cast<std::size_t>(row)];
        const Origin before = origin, drawn = draw_origin(dice, load, row);
        if (taken.count(drawn) != 0) continue;
        origin = drawn;
        const int frozen = load.steps(model, 8 * m - 1), asap = load.steps(model, 0);
        ASSERT_LE(frozen, 16 * m - 2) << "m " << m << " seed " << seed;
        ASSERT_LE(asap, frozen) << "m " << m << " seed " << seed;
        worst_frozen = std::max(worst_frozen, frozen);
        worst_asap = std::max(worst_asap, asap);
        const bool better = frozen + asap >= score;
        if (better) score = frozen + asap;
        else origin = before;
        taken.erase(better ? before : drawn);
        taken.insert(origin);
      }
    }
    EXPECT_EQ(worst_frozen, 16 * m - 2) << "m " << m;
    EXPECT_EQ(worst_asap, 16 * m - 2) << "m " << m;
  }
}

// Lemma 5.1 column by column, c counted from 1 at either border (c <= n/2): a column that waits for step
// n + T - max(m + 1, c), T = m here, has its packets at home by step 2n - 1 + T - max(m + 1, c). Both are reached.
TEST(TypeIIColumn, EachIsInTimeByItsDistanceFromTheBorder) {
  for (const int m : {1, 2, 3}) {
    Column model(m);
    const int n = 8 * m;
    for (int column = 0; column < n; ++column) {
      if (column / m == 3 || column / m == 4) continue;
      const int c = std::min(column + 1, n - column), start = n + m - std::max(m + 1, c);
      int worst = 0;
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Dice dice(seed * 1000 + static_cast<std::uint64_t>(column));
        TypeII load;
        load.m = m;
        load.column = column;
        const Origin top{0, 4 * m};  // who waits there for the last row takes the whole time
        std::set<Origin> taken = {top};
        while (static_cast<int>(load.origins.size()) < n - 1) {
          const Origin origin = draw_origin(dice, load, static_cast<int>(load.origins.size()));
          if (taken.insert(origin).second) load.origins.push_back(origin);
        }
        load.origins.push_back(top);
        int score = 0;
        for (int change = 0; change < 300; ++change) {
          const int row = dice.below(n);
          Origin& origin = load.origins[static_cast<std::size_t>(row)];
          const Origin before = origin, drawn = draw_origin(dice, load, row);
          if (taken.count(drawn) != 0) continue;
          origin = drawn;
          const int steps = load.steps(model, start);
          ASSERT_LE(steps, 2 * n - 1 + m - std::max(m + 1, c)) << "m " << m << " column " << column;
          worst = std::max(worst, steps);
          const bool better = steps >= score;
          if (better) score = steps;
          else origin = before;
          taken.erase(better ? before : drawn);
          taken.insert(origin);
        }
      }
      EXPECT_EQ(worst, 2 * n - 1 + m - std::max(m + 1, c)) << "m " << m << " column " << column;
    }
  }
}

}  // namespace
}  // namespace starloom::links
