// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/edge_colouring.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <starloom/core/random.hpp>
#include "support/permutations.hpp"

namespace starloom {
namespace {

struct Graph {
  std::int32_t vertices = 0;
  std::vector<std::int32_t> left, right;

  void add(std::int32_t from, std::int32_t to) {
    left.push_back(from);
    right.push_back(to);
  }
};

/// Every class is a perfect matching, every edge is in one class.
void expect_proper(const Graph& graph) {
  const std::vector<std::int32_t> classes = edge_colouring(graph.vertices, graph.left, graph.right);
  const auto sides = static_cast<std::size_t>(graph.vertices);
  ASSERT_EQ(classes.size(), graph.left.size());
  std::vector<char> coloured(classes.size(), 0);
  std::vector<std::size_t> reached(sides, 0);  // by which class last, counted from 1
  for (std::size_t at = 0; at < classes.size(); ++at) {
    const auto edge = static_cast<std::size_t>(classes[at]);
    ASSERT_LT(edge, classes.size());
    ASSERT_FALSE(coloured[edge]) << "edge " << edge << " has two colours";
    coloured[edge] = 1;
    ASSERT_EQ(graph.left[edge], static_cast<std::int32_t>(at % sides));
    std::size_t& last = reached[static_cast<std::size_t>(graph.right[edge])];
    ASSERT_NE(last, at / sides + 1) << "two edges of colour " << at / sides << " at right vertex " << graph.right[edge];
    last = at / sides + 1;
  }
}

/// Joins the ends of `degree` edges at every vertex at random.
Graph random_regular(std::int32_t vertices, std::int32_t degree, std::uint64_t seed) {
  Graph graph{vertices, random_permutation(vertices * degree, seed), random_permutation(vertices * degree, seed + 1)};
  for (auto* ends : {&graph.left, &graph.right})
    for (std::int32_t& vertex : *ends) vertex /= degree;
  return graph;
}

TEST(EdgeColouring, AllDemandGraphsOfEightPackets) {
  for (const std::int32_t vertices : {1, 2, 4, 8}) {
    const std::int32_t degree = 8 / vertices;
    std::vector<NodeId> permutation = identity_permutation(8);
    do {
      Graph graph{vertices, {}, {}};
      for (std::int32_t i = 0; i < 8; ++i) graph.add(i / degree, permutation[static_cast<std::size_t>(i)] / degree);
      expect_proper(graph);
      if (HasFatalFailure()) return;
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }
}

TEST(EdgeColouring, EveryDegreeOfSmallRandomGraphs) {
  for (std::int32_t vertices = 1; vertices <= 12; ++vertices)
    for (std::int32_t degree = 0; degree <= 35; ++degree) {
      expect_proper(random_regular(vertices, degree, static_cast<std::uint64_t>(100 * vertices + degree)));
      if (HasFatalFailure()) FAIL() << vertices << " vertices, degree " << degree;
    }
}

TEST(EdgeColouring, LargeOddAndEvenDegrees) {
  for (const std::int32_t degree : {255, 256, 257, 509, 768})
    for (const std::int32_t vertices : {17, 64, 301}) expect_proper(random_regular(vertices, degree, 5));
}

TEST(EdgeColouring, ParallelEdgesOnly) {
  // All packets of a group go to one group: a perfect matching with each edge 63 times.
  Graph graph{40, {}, {}};
  for (std::int32_t copy = 0; copy < 63; ++copy)
    for (std::int32_t v = 0; v < 40; ++v) graph.add(v, (v + 7) % 40);
  expect_proper(graph);
}

TEST(EdgeColouring, BlocksThatHideTheMatchingFromAWalk) {
  // Two complete bipartite blocks joined by few edges, odd degree: a walk must find a path out of a block.
  const std::int32_t half = 33;
  Graph graph{2 * half, {}, {}};
  for (std::int32_t from = 0; from < 2 * half; ++from)
    for (std::int32_t to = 0; to < half; ++to) graph.add(from, from / half * half + to);
  for (std::size_t edge : {std::size_t{0}, std::size_t{1}})  // exchange the right ends of one edge of each block
    std::swap(graph.right[edge], graph.right[graph.right.size() - 1 - edge]);
  expect_proper(graph);
}

TEST(EdgeColouring, DependsOnTheGraphAlone) {
  const Graph graph = random_regular(50, 31, 9);
  EXPECT_EQ(edge_colouring(50, graph.left, graph.right), edge_colouring(50, graph.left, graph.right));
}

TEST(EdgeColouring, RefusesWhatIsNotRegular) {
  EXPECT_THROW(edge_colouring(0, {}, {}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 1}, {0}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 1, 1}, {0, 1, 0}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 0}, {0, 1}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 1}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 2}, {0, 1}), std::invalid_argument);
  EXPECT_THROW(edge_colouring(2, {0, 1}, {0, -1}), std::invalid_argument);
  EXPECT_TRUE(edge_colouring(3, {}, {}).empty());
}

}  // namespace
}  // namespace starloom
