// SPDX-License-Identifier: Apache-2.0
// Foreign text in messages: one line of UTF-8, whatever the bytes.
#include <starloom/support/escape.hpp>

#include <gtest/gtest.h>

namespace starloom {
namespace {

TEST(Printable, TextStays) {
  for (const char* text : {"", "a b~", "\xc2\xa0\xc3\xa9", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbd",
                           "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(escape(text), text);
}

TEST(Printable, ControlCharactersAreVisible) {
  EXPECT_EQ(escape(std::string_view("a\0\n\r\t\x1b[31m\x7f", 11)), "a\\x00\\x0a\\x0d\\x09\\x1b[31m\\x7f");
  // U+0080 to U+009F; the last begins a control sequence as ESC [ does.
  EXPECT_EQ(escape("\xc2\x80\xc2\x9f\xc2\x9b"), "\\xc2\\x80\\xc2\\x9f\\xc2\\x9b");
  EXPECT_EQ(escape("\xef\xbf\xbe\xef\xbf\xbf"), "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
}

TEST(Printable, BytesThatAreNotUtf8AreVisible) {
  // They would show a text in another order than it has: U+202E and U+2066; and U+2028 ends a line.
  EXPECT_EQ(escape("a\xe2\x80\xae"
                   "b\xe2\x81\xa6"
                   "c\xe2\x80\xa8"),
            "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xe2\\x80\\xa8");
  for (const char* mark : {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x81\xa9"})
    EXPECT_NE(escape(mark), mark);
  for (const char* other :
       {"\xd8\x9b", "\xe2\x80\x8d", "\xe2\x80\x90", "\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa"})
    EXPECT_EQ(escape(other), other);
  EXPECT_EQ(escape("\xff-\x80-\xc3"), "\\xff-\\x80-\\xc3");
  EXPECT_EQ(escape("\xc3(\xe2\x82(\xf0\x90\x80"), "\\xc3(\\xe2\\x82(\\xf0\\x90\\x80");
  // Longer than need be, surrogates, above U+10FFFF.
  EXPECT_EQ(escape("\xc0\xaf\xe0\x9f\xbf"), "\\xc0\\xaf\\xe0\\x9f\\xbf");
  EXPECT_EQ(escape("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
  EXPECT_EQ(escape("\xf5\x80\x80\x80\xff\xbf\xbf\xbf"), "\\xf5\\x80\\x80\\x80\\xff\\xbf\\xbf\\xbf");
  EXPECT_EQ(escape("\xed\xa0\x80\xf4\x90\x80\x80"), "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
}

// The name that has an escape in it is not taken for the one that is escaped.
TEST(Printable, NamesAreShownApart) {
  EXPECT_EQ(shown("dir/a b.yaml"), "dir/a b.yaml");
  EXPECT_EQ(shown("a\x1b.yaml"), "a\\x1b.yaml");
  EXPECT_EQ(shown("a\\x1b.yaml"), "a\\x5cx1b.yaml");
  EXPECT_EQ(shown("C:\\dir\\"), "C:\\dir\\");
}

}  // namespace
}  // namespace starloom
