// SPDX-License-Identifier: Apache-2.0
// Messages of bounded length.
#include <starloom/schema/diagnostic_list.hpp>

#include <gtest/gtest.h>

namespace starloom {
namespace {

TEST(DiagnosticList, FirstByPlaceThenAsTheyCame) {
  DiagnosticList<int> diagnostics;
  EXPECT_FALSE(diagnostics.any());
  diagnostics.add(2, "c");
  diagnostics.add(1, "a");
  diagnostics.add(2, "d");
  diagnostics.add(1, "b");
  EXPECT_EQ(diagnostics.text(), "a\nb\nc\nd");
}

TEST(DiagnosticList, CountsWhatItDoesNotKeep) {
  DiagnosticList<int> diagnostics;
  for (int location = 1'000'000; location > 0; --location)
    diagnostics.add(location, "fault " + std::to_string(location));
  const std::string text = diagnostics.text();
  EXPECT_EQ(text.substr(0, 16), "fault 1\nfault 2\n");
  EXPECT_EQ(text.substr(text.rfind('\n', text.rfind('\n') - 1)), "\nfault 20\nand 999980 more");
  DiagnosticList<int> twenty;
  for (int location = 0; location < 20; ++location) twenty.add(location, "x");
  EXPECT_EQ(twenty.text().find("more"), std::string::npos);
}

TEST(Shortened, LeavesOutTheMiddle) {
  EXPECT_EQ(shortened(std::string(600, 'x')), std::string(600, 'x'));
  const std::string text = shortened("begin" + std::string(10'000, 'x') + "end");
  EXPECT_LE(text.size(), 600u);
  EXPECT_EQ(text.substr(0, 6), "beginx");
  EXPECT_EQ(text.substr(text.size() - 4), "xend");
  EXPECT_NE(text.find("x ... x"), std::string::npos);
}

TEST(Shortened, CutsBetweenCharacters) {
  for (int lead = 0; lead < 4; ++lead) {
    std::string text(static_cast<std::size_t>(lead), 'a');
    for (int i = 0; i < 400; ++i) text += "\xe2\x82\xac";  // a character of three bytes
    EXPECT_EQ(escape(shortened(text)), shortened(text));
  }
}

}  // namespace
}  // namespace starloom
