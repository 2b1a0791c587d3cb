// SPDX-License-Identifier: Apache-2.0
// What tasks put on links: sums, shares of what links can carry, and their texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace starloom::links
