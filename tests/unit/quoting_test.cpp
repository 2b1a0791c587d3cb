// SPDX-License-Identifier: Apache-2.0
// Texts of a user in points.csv, report.md and scripts of gnuplot.
#include <starloom/campaign/quoting.hpp>

#include <gtest/gtest.h>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

TEST(Quoting, TextsInCsvStay) {
  for (const char* text : {"", "fifo", "a b.txt", "x=1", "1-2", "-5", "-1.5e3", "it's", "a;b", "\xc3\xa9"})
    EXPECT_EQ(csv_cell(text), text);
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
}

TEST(Quoting, NumbersAndListsInCsv) {
  EXPECT_EQ(csv_cell(-3), "-3");
  EXPECT_EQ(csv_cell(0.25), "0.25");
  EXPECT_EQ(csv_cell(true), "true");
  EXPECT_EQ(csv_cell(Json{8, 8}), "\"[8,8]\"");
  EXPECT_EQ(csv_cell(Json{{"file", "a,b"}}), "\"{\"\"file\"\":\"\"a,b\"\"}\"");
}

// No cell is a formula or more than one line, and what begins as JSON can be read back as such.
TEST(Quoting, FormulasInCsvAreJson) {
  EXPECT_EQ(csv_cell("=1+1"), "\"\"\"=1+1\"\"\"");
  for (const std::string text : {"=cmd|' /C calc'!A0", "+1", "-a", "-", "-1+1", "@sum(a)", "\t=1", "\r=1", "\n=1",
                                 "a\nb", "\x1b[31m", "\"=1\"", "[8,8]", "{}"}) {
    const std::string cell = csv_cell(text);
    ASSERT_EQ(cell.rfind("\"\"\"", 0), 0U) << text;
    ASSERT_EQ(cell.find_first_of("\n\r\t\x1b"), std::string::npos) << text;
    std::string read;
    for (std::size_t i = 1; i + 1 < cell.size(); i += cell[i] == '"' ? 2 : 1) read += cell[i];
    EXPECT_EQ(Json::parse(read), text);
  }
}

TEST(Quoting, Markdown) {
  for (const char* text :
       {"queue.max", "links.flit_hops", "[8,8]", "{\"pattern\":\"reversal\"}", "a (b) - 95 %, it's!"})
    EXPECT_EQ(markdown_text(text), text);
  EXPECT_EQ(markdown_text("<script>&amp;</script>"), "&lt;script&gt;&amp;amp;&lt;/script&gt;");
  EXPECT_EQ(markdown_text("a|b\\|c"), "a\\|b\\\\\\|c");
  EXPECT_EQ(markdown_text("a\n# b\r\x1b[1m"), "a\\\\x0a\\# b\\\\x0d\\\\x1b[1m");
  EXPECT_EQ(markdown_text("`a` *b* _c_ __d__ ~e~ $f$"), "\\`a\\` \\*b\\* \\_c\\_ \\_\\_d\\_\\_ \\~e\\~ \\$f\\$");
  EXPECT_EQ(markdown_text("![a](b) [a][b] [a]: b"), "![a\\](b) [a\\][b] [a]: b");
  EXPECT_EQ(markdown_text(" [a]: b"), " [a\\]: b");
}

TEST(Quoting, Gnuplot) {
  EXPECT_EQ(gnuplot_text("a `b` \"c\" \\n @d #e"), "'a `b` \"c\" \\n @'.'d #e'");
  EXPECT_EQ(gnuplot_text(""), "''");
  EXPECT_EQ(gnuplot_text("it's"), "'it'.\"'\".'s'");
  EXPECT_EQ(gnuplot_text("''"), "''.\"'\".''.\"'\".''");
  EXPECT_EQ(gnuplot_text("a\nEND\n\xff"), "'a\\x0aEND\\x0a\\xff'");
}

TEST(LatexText, HasNoCommands) {
  EXPECT_EQ(latex_text("fifo 4 x 4"), "fifo 4 x 4");
  EXPECT_EQ(latex_text("a_b & 50 % #1 $x$ {y}"), "a\\_b \\& 50 \\% \\#1 \\$x\\$ \\{y\\}");
  EXPECT_EQ(latex_text("\\input{x}"), "\\textbackslash{}input\\{x\\}");
  EXPECT_EQ(latex_text("~^"), "\\textasciitilde{}\\textasciicircum{}");
  EXPECT_EQ(latex_text("a--b"), "a-{}-{}b");
  EXPECT_EQ(latex_text("x\ny"), "x\\textbackslash{}x0ay");
}

}  // namespace
}  // namespace starloom
