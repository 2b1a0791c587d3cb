// SPDX-License-Identifier: Apache-2.0
/// \file Numbers in sentences.
#include <gtest/gtest.h>

#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

TEST(Numbers, CountsAreWrittenAsAPersonWould) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(150'000, "flit"), "150000 flits");
  EXPECT_EQ(counted(2, "dependency"), "2 dependencies");
  EXPECT_EQ(counted(1, "class"), "1 class");
  EXPECT_EQ(counted(2, "class"), "2 classes");
}

TEST(Numbers, DecimalsHaveNoExponent) {
  EXPECT_EQ(decimal(150'000), "150000");
  EXPECT_EQ(decimal(123'456.7), "123457");
  EXPECT_EQ(decimal(1234.5), "1234");
  EXPECT_EQ(decimal(12.5), "12.5");
  EXPECT_EQ(decimal(0.99996), "1");
  EXPECT_EQ(decimal(2.0 / 3), "0.6667");
  EXPECT_EQ(decimal(0.000012345), "0.00001234");
  EXPECT_EQ(decimal(225, 3), "225");
  EXPECT_EQ(decimal(1234, 3), "1234");
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(-12.25, 3), "-12.2");
}

}  // namespace
}  // namespace starloom
