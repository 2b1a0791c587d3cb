// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sliding diagonals in two dimensions as events: conflicts are counted by diagonal position, without flits.
/// Independent of controllers and network.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace starloom::links {

struct DiagonalEventRules {
  std::int32_t n, flits, a, b, width, forward, rounds;
};

/// The events of the first pass.
struct DiagonalEvents {
  std::int64_t pass_1 = 0, phase_2 = 0, overflow = 0;
  std::int64_t fullest = 0;
};

/// \param destinations [x + n*y] of the worm that starts there, or its own node if there is none.
inline DiagonalEvents count_diagonal_events(const DiagonalEventRules& r,
                                            const std::vector<std::int32_t>& destinations) {
  const std::int32_t n = r.n, spacing = r.b * r.flits, K = n / spacing, P = K / r.a, B = (n + P - 1) / P;
  const std::int32_t column_blocks = n / r.width, row_blocks = n / (r.flits * r.width);
  const auto mod = [n](std::int64_t i) { return static_cast<std::int32_t>((i % n + n) % n); };
  const auto block = [n](std::int32_t x, std::int32_t blocks) {
    std::int32_t k = 0;
    while ((k + 1) * n / blocks <= x) ++k;
    return k;
  };
  std::int32_t w = 0;
  for (std::int32_t k = 0; k < column_blocks; ++k) w = std::max(w, (k + 1) * n / column_blocks - k * n / column_blocks);
  struct Worm {
    std::int32_t row, column, wanted;
    bool done;
  };

  DiagonalEvents events;
  for (std::int32_t batch = 0; batch < B; ++batch) {
    // Places pass nodes one after the other; the first worm that waits takes one.
    std::vector<std::vector<Worm>> diagonals(static_cast<std::size_t>(K));
    for (std::int32_t y = 0; y < n; ++y) {
      std::set<std::int32_t> started, taken;
      for (std::int32_t tau = 0; tau < n; ++tau)
        for (std::int32_t k = 0; k < K; ++k) {
          const std::int32_t x = mod(std::int64_t{k} * spacing + tau - y),
                             to = destinations[static_cast<std::size_t>(x + n * y)];
          if ((k + y) % r.a != 0 || x % B != batch || to == x + n * y || taken.count(k) || started.count(x)) continue;
          started.insert(x);
          taken.insert(k);
          diagonals[static_cast<std::size_t>(k)].push_back({y, -1, to % n, false});
        }
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> reservoirs;  // column, block of rows
    for (std::int32_t k = 0; k < K; ++k) {
      // A worm of row y is in column p - y + tau in step tau: the passes are the columns that it meets, in order.
      std::vector<Worm>& worms = diagonals[static_cast<std::size_t>(k)];
      std::set<std::int32_t> columns;
      const auto turn = [&](std::int32_t from, bool any) {
        for (std::int32_t tau = from; tau < from + n; ++tau)
          for (Worm& worm : worms) {
            const std::int32_t c = mod(std::int64_t{k} * spacing - worm.row + tau);
            const bool asks = any || block(c, column_blocks) == block(worm.wanted, column_blocks);
            if (worm.column >= 0 || !asks || columns.count(c)) continue;
            columns.insert(c);
            worm.column = c;
            events.pass_1 += any ? 1 : 0;
          }
      };
      turn(n + r.flits, false);
      turn(2 * (n + r.flits), true);
      // All move w columns back from their position in step `back`, in their current row.
      const std::int32_t back = 3 * (n + r.flits);
      for (Worm& worm : worms) {
        worm.row = mod(std::int64_t{k} * spacing - worm.column + back);
        worm.column = mod(worm.column - w);
      }
      for (std::int32_t round = 0; round < r.rounds; ++round) {
        std::map<std::int32_t, std::vector<std::pair<std::int32_t, std::int32_t>>> climbs;  // column: step, rows to go
        for (std::int32_t q = 0; q < r.forward; ++q)
          for (Worm& worm : worms) {
            if (worm.done || mod(worm.column + q) != worm.wanted) continue;
            // A worm of the same diagonal that climbs in this column is in this very row.
            auto& in_column = climbs[worm.wanted];
            const bool meets = std::any_of(in_column.begin(), in_column.end(), [q](const auto& climb) {
              return climb.first < q && q - climb.first < climb.second;
            });
            if (meets) continue;
            const std::int32_t of = block(worm.row, row_blocks);
            in_column.emplace_back(q, (of + 1) * n / row_blocks - worm.row);
            worm.done = true;
            ++reservoirs[{worm.wanted, of}];
          }
      }
      for (const Worm& worm : worms) events.phase_2 += worm.done ? 0 : 1;
    }
    for (const auto& [where, worms] : reservoirs) {
      const std::int32_t of = where.second;
      const std::int64_t room = ((of + 1) * n / row_blocks - of * n / row_blocks) / r.flits;
      events.overflow += std::max<std::int64_t>(0, worms - room);
      events.fullest = std::max(events.fullest, std::min(worms, room));
    }
  }
  return events;
}

}  // namespace starloom::links
