// SPDX-License-Identifier: Apache-2.0
/// \file Edges that leave no cycle, against a search of all edges for each one.
#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include <starloom/routing/acyclic_edges.hpp>

#include "support/dice.hpp"
#include "support/link_paths.hpp"

namespace starloom::routing {
namespace {

TEST(AcyclicEdges, AreThoseThatCloseNoCycle) {
  links::Dice dice(5);
  int added = 0, refused = 0, removed = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const int links = 2 + dice.below(20);
    AcyclicEdges edges(static_cast<std::size_t>(links));
    std::set<LinkEdge> plain;
    for (int step = 0; step < 100; ++step) {
      const LinkEdge edge{dice.below(links), dice.below(links)};
      ASSERT_EQ(edges.contains(edge), plain.count(edge) > 0);
      if (plain.count(edge) > 0) {
        if (!dice.one_in(4)) continue;
        edges.remove(edge);
        plain.erase(edge);
        ++removed;
        continue;
      }
      const bool closes = leads_to(plain, edge.second, edge.first);
      ASSERT_EQ(edges.add(edge), !closes) << edge.first << " to " << edge.second;
      ++(closes ? refused : added);
      if (!closes) plain.insert(edge);
    }
  }
  EXPECT_GT(added, 3000);
  EXPECT_GT(refused, 3000);
  EXPECT_GT(removed, 300);
}

}  // namespace
}  // namespace starloom::routing
