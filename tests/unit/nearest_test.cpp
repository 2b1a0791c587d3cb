// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/nearest.hpp>

#include <gtest/gtest.h>

namespace starloom {
namespace {

TEST(Nearest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2u);
  EXPECT_EQ(edit_distance("vdl", "vld"), 1u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);
}

TEST(Nearest, NamesWhatIsNear) {
  const std::vector<std::string> names = {"tornado", "neighbour", "bit-reversal", "reversal", "vld"};
  EXPECT_EQ(did_you_mean("neighbor", names), " (did you mean neighbour?)");
  EXPECT_EQ(did_you_mean("bit_reversal", names), " (did you mean bit-reversal?)");
  EXPECT_EQ(did_you_mean("revesal", names), " (did you mean reversal?)");
  EXPECT_EQ(did_you_mean("vdl", names), " (did you mean vld?)");
  EXPECT_EQ(did_you_mean("diagonal", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
  EXPECT_EQ(did_you_mean("tornado", {}), "");
}

// A file may have a key of any length; it is not compared with every name letter by letter.
TEST(Nearest, WordsOfAnyLengthCostLittle) {
  EXPECT_EQ(did_you_mean(std::string(10'000'000, 'x'), std::vector<std::string>(500, "a.name.of.usual.length")), "");
}

TEST(Nearest, TheOneWithoutWhichCharactersWereLeftOut) {
  EXPECT_EQ(did_you_mean("sed", {"set", "seed"}), " (did you mean seed?)");
  EXPECT_EQ(did_you_mean("sed", {"seed", "set"}), " (did you mean seed?)");
}

TEST(Nearest, TheFirstOfEquallyNearNames) {
  EXPECT_EQ(did_you_mean("cat", {"dog", "bat", "car"}), " (did you mean bat?)");
  EXPECT_EQ(did_you_mean("steps", {"stop", "step"}), " (did you mean step?)");
}

}  // namespace
}  // namespace starloom
