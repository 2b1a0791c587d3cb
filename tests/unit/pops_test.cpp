// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/pops/pops.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace starloom {
namespace {

TEST(Pops, NumbersGroupByGroup) {
  const Pops pops(4, 3);
  EXPECT_EQ(pops.nodes(), 12);
  EXPECT_EQ(pops.couplers(), 9);
  for (NodeId node = 0; node < pops.nodes(); ++node) {
    EXPECT_EQ(pops.group_of(node), node / 4);
    EXPECT_EQ(pops.index_of(node), node % 4);
    EXPECT_EQ(pops.node_at(pops.group_of(node), pops.index_of(node)), node);
  }
  EXPECT_EQ(pops.coupler(2, 1), 5);  // the couplers of a source group are consecutive
}

TEST(Pops, NamesSort) {
  EXPECT_EQ(Pops(4, 8).node_name(9), "proc_g02_p01");
  EXPECT_EQ(Pops(4, 8).coupler_name(2, 5), "coupler_to02_from05");
  EXPECT_EQ(Pops(4, 8).row_name(5), "row_from05");
  EXPECT_EQ(Pops(4, 200).column_name(2), "column_to002");
  EXPECT_EQ(Pops(101, 1000).node_name(7), "proc_g000_p007");
}

TEST(Pops, RefusesSizesThatAreNone) {
  EXPECT_THROW(Pops(0, 3), std::invalid_argument);
  EXPECT_THROW(Pops(3, 0), std::invalid_argument);
  EXPECT_THROW(Pops(-1, -1), std::invalid_argument);
  EXPECT_THROW(Pops(1 << 15, (1 << 15) + 1), std::invalid_argument);
  EXPECT_THROW(Pops(std::int64_t{1} << 40, std::int64_t{1} << 40), std::invalid_argument);
  EXPECT_EQ(Pops(1 << 15, 1 << 15).nodes(), 1 << 30);
}

}  // namespace
}  // namespace starloom
