// SPDX-License-Identifier: Apache-2.0
// How busy links are: utilisation, the busiest of them, and what tasks put on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/results/links/link_use.hpp>
#include <starloom/results/links/task_load.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom::links {
namespace {

using testing::ElementsAre;

/// Nodes x, y, z in a line; the second link takes a flit every second step.
NetworkGraph line() {
  NetworkGraphBuilder builder;
  for (const char* name : {"x", "y", "z"}) builder.add_node(NodeRole::processor, name);
  builder.add_link(0, 1, {1, 1});
  builder.add_link(1, 2, {1, 2});
  builder.add_link(1, 0);
  builder.add_link(2, 1);
  return builder.build();
}

TaskLoad some_load() {
  TaskLoad load(line(), {{"a", "b", "c"}, {0, 1, 2}, {{1, 2, 0.25}, {0, 2, 0.25}, {0, 1, 0.125}}});
  load.add(1, 0, 1, 2, 0.25);
  load.add(0, 0, 0, 2, 0.25);
  load.add(1, 0, 0, 2, 0.25);
  load.add(0, 0, 0, 1, 0.125);
  return load;
}

TEST(TaskLoad, OfFlitsAStepIsAShare) {
  const TaskLoad load = some_load();
  const std::size_t slow = line().index(1, 0), first = line().index(0, 0);
  EXPECT_DOUBLE_EQ(load.share(slow), 1);
  EXPECT_DOUBLE_EQ(load.share(first), 0.375);
  EXPECT_THAT(load.busiest(9), ElementsAre(slow, first));
  EXPECT_THAT(load.busiest(1), ElementsAre(slow));
  // Of equals the first edge of the file.
  EXPECT_THAT(load.flows(slow, 2), ElementsAre("b -> c, 50 %", "a -> c, 50 %"));
  EXPECT_THAT(load.flows(first, 1), ElementsAre("a -> c, 25 %", "and 1 more"));
}

TEST(TaskLoad, OfARunCountsFlits) {
  TaskLoad load(line(), {{"a", "b"}, {0, 2}, {{0, 2, 0.1}}});
  for (int i = 0; i < 31; ++i) load.add(0, 0, 0, 2, 1);
  load.add(1, 0, 0, 2, 1);
  load.counted_in(100);
  EXPECT_THAT(load.busiest_lines(10), ElementsAre(line().link_name(0, 0) + ", 31 flits, 31 %: a -> b, 31 flits, 31 %",
                                                  line().link_name(1, 0) + ", 1 flit, 2 %: a -> b, 1 flit, 2 %"));
}

// A flit every second step fills the second link; the first one carries more and is half as busy.
TEST(LinkUse, TheBusiestLinkIsTheOneThatIsTakenMostOfTheTime) {
  const NetworkGraph graph = line();
  LinkUse use{100, std::vector<std::int64_t>(graph.link_slots(), 0)};
  EXPECT_FALSE(busiest_link(graph, use));
  use.flits[graph.index(0, 0)] = 60;
  use.flits[graph.index(1, 0)] = 45;
  const auto busiest = busiest_link(graph, use);
  ASSERT_TRUE(busiest);
  EXPECT_EQ(busiest->node, 1);
  EXPECT_EQ(busiest->port, 0);
  EXPECT_EQ(links_csv(graph, use),
            "node,port,to,flits,utilisation\n0,0,1,60,0.6\n1,0,2,45,0.9\n1,1,0,0,0\n2,0,1,0,0\n");
}

TEST(LinkUse, UtilisationIsAtMostOne) {
  EXPECT_EQ(utilisation(25, 4, 100), 1);
  EXPECT_EQ(utilisation(26, 4, 101), 1);  // the last flit takes the link for steps after the end
  EXPECT_EQ(utilisation(3, 1, 0), 0);
}

}  // namespace
}  // namespace starloom::links
