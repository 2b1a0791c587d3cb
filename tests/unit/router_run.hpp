// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The records of a run of routers, and the verdict of the referee on them.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <starloom/referee/links/referee.hpp>
#include "support/networks.hpp"

namespace starloom::links {

/// The records of a run.
struct RouterRun {
  Grid grid = Grid::mesh({4, 4});
  NetworkGraph graph = network_of(grid).graph;
  RefereeRules rules;
  std::vector<Packet> packets;
  std::vector<Step> delivered;
  Losses lost{};
  std::vector<Step> drains{}, reroutes{};  ///< as in RunRecord
  std::vector<TraceRow> rows;
  std::vector<CreditRow> credits;

  TraceRow& row(TraceEvent event, std::size_t number) {
    for (TraceRow& row : rows)
      if (row.event == event && number-- == 0) return row;
    throw std::out_of_range("no such row");
  }
  void sort() {
    std::stable_sort(rows.begin(), rows.end());
    std::stable_sort(credits.begin(), credits.end());
  }
  /// The referee's message; empty: no violation.
  std::string verdict() const {
    Referee referee(graph, rules);
    show_to(referee);
    if (!referee.ok() || rows.empty()) return referee.violation().text;
    const Referee::Changes changes = referee.changes(rows.back().step);
    return changes.drains == drains && changes.reroutes == reroutes ? "" : "routing functions change in other steps";
  }
  void show_to(Referee& referee) const {
    referee.packets(packets);
    auto row = rows.begin();
    auto credit = credits.begin();
    while (row != rows.end() || credit != credits.end()) {
      const bool has_credit = credit != credits.end() && (row == rows.end() || credit->step <= row->step);
      const Step step = has_credit ? credit->step : row->step;
      std::vector<CreditRow> words;
      for (; credit != credits.end() && credit->step == step; ++credit) words.push_back(*credit);
      if (rules.router && rules.router->credits) referee.rows(words);
      std::vector<TraceRow> together;
      for (; row != rows.end() && row->step == step; ++row) together.push_back(*row);
      referee.rows(together);
    }
    referee.finish(delivered, true, lost);
  }
};

}  // namespace starloom::links
