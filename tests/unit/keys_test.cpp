// SPDX-License-Identifier: Apache-2.0
/// \file How keys are declared, and what is said of values that do not fit them.
#include <gtest/gtest.h>

#include <limits>

#include <starloom/schema/key_check.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

using List = std::vector<std::int64_t>;

TEST(Keys, EachWordOfADeclarationChangesItsOwnPart) {
  const KeySpec plain = integer_list_key("sides", "lengths");
  const KeySpec key = plain.by_default(List{4, 4}).within(1, 9).measured_in("nodes").is_required().or_one();
  EXPECT_EQ(key.name, "sides");
  EXPECT_EQ(key.meaning, "lengths");
  EXPECT_EQ(key.type, KeyType::integer_list);
  EXPECT_EQ(key.default_value, KeyValue(List{4, 4}));
  EXPECT_EQ(key.min, 1);
  EXPECT_EQ(key.max, 9);
  EXPECT_EQ(key.unit, "nodes");
  EXPECT_TRUE(key.required);
  EXPECT_TRUE(key.one_or_list);
  EXPECT_EQ(plain.default_value, KeyValue());
  EXPECT_FALSE(plain.required);
  EXPECT_EQ(choice_key("sort", {"merge", "shearsort"}, "how").choices,
            std::vector<std::string>({"merge", "shearsort"}));
}

TEST(Keys, DefaultsKeepTheirType) {
  EXPECT_EQ(integer_key("a", "").by_default(0).default_value, KeyValue(std::int64_t{0}));
  EXPECT_EQ(number_key("a", "").by_default(0.0).default_value, KeyValue(0.0));
  EXPECT_EQ(boolean_key("a", "").by_default(false).default_value, KeyValue(false));
  EXPECT_EQ(text_key("a", "").by_default("*").default_value, KeyValue(std::string("*")));
}

TEST(Keys, RangesAndDefaultsInWords) {
  const KeySpec key = number_key("share", "");
  EXPECT_EQ(range_text(key), "any");
  EXPECT_EQ(range_text(key.at_least(0)), "0 or more");
  EXPECT_EQ(range_text(key.at_most(-1)), "-1 or less");
  EXPECT_EQ(range_text(key.within(0, 0.5)), "0 to 0.5");
  EXPECT_EQ(range_text(key.within(0.001, 1e9)), "0.001 to 10^9");
  EXPECT_EQ(range_text(key.within(1, 1)), "only 1");
  EXPECT_EQ(range_text(key.within(0, 9223372036854775807.0)), "0 to 2^63 - 1");
  EXPECT_EQ(default_text(key), "none");
  EXPECT_EQ(default_text(key.by_default(4.0)), "4");
  EXPECT_EQ(default_text(key.by_default(List{1, 2})), "[1, 2]");
  EXPECT_EQ(default_text(key.by_default(4.0).is_required()), "required");
}

TEST(Keys, ValuesThatFit) {
  EXPECT_EQ(value_error(integer_key("a", "").within(-1, 3), 3), "");
  EXPECT_EQ(value_error(number_key("a", "").within(0, 1), 0.5), "");
  EXPECT_EQ(value_error(number_key("a", "").within(0, 1), 1), "");
  EXPECT_EQ(value_error(boolean_key("a", ""), false), "");
  EXPECT_EQ(value_error(text_key("a", ""), "word"), "");
  EXPECT_EQ(value_error(choice_key("a", {"x", "y"}, ""), "y"), "");
  EXPECT_EQ(value_error(integer_list_key("a", "").within(1, 2), List{1, 2}), "");
  EXPECT_EQ(value_error(integer_list_key("a", ""), List{}), "");
  using Words = std::vector<std::string>;
  EXPECT_EQ(value_error(text_or_list_key("a", ""), "word"), "");
  EXPECT_EQ(value_error(text_or_list_key("a", ""), Words{"one", "2"}), "");
  EXPECT_EQ(value_error(text_or_list_key("a", ""), Words{}), "the list is empty");
  EXPECT_EQ(value_error(text_or_list_key("a", ""), Words{"one", ""}), "a word of the list is empty");
  EXPECT_EQ(value_error(text_or_list_key("a", ""), 1), "a word or list of words is expected, not 1");
  EXPECT_EQ(value_error(integer_key("a", ""), {}), "");
}

TEST(Keys, FaultsOfValues) {
  EXPECT_EQ(value_error(integer_key("a", "").at_least(0), -1), "-1 is out of range (0 or more)");
  EXPECT_EQ(value_error(integer_key("a", "").at_least(0), -1, "-01"), "-01 is out of range (0 or more)");
  EXPECT_EQ(value_error(number_key("a", "").within(0, 1), 1.5), "1.5 is out of range (0 to 1)");
  EXPECT_EQ(value_error(number_key("a", "").within(0, 1), std::numeric_limits<double>::quiet_NaN()),
            "nan is out of range (0 to 1)");
  EXPECT_EQ(value_error(integer_list_key("a", "").within(1, 2), List{1, 3}), "3 is out of range (1 to 2)");
  EXPECT_EQ(value_error(choice_key("sort", {"merge", "fast"}, ""), "fats"),
            "unknown sort fats (did you mean fast?); known: merge, fast");
  EXPECT_EQ(value_error(integer_key("a", ""), 1.0), "an integer is expected, not 1");
  EXPECT_EQ(value_error(number_key("a", ""), "two"), "a number is expected, not \"two\"");
  EXPECT_EQ(value_error(boolean_key("a", ""), 1), "true or false is expected, not 1");
  EXPECT_EQ(value_error(text_key("a", ""), true), "a word is expected, not true");
  EXPECT_EQ(value_error(choice_key("a", {"x"}, ""), List{1}), "a word is expected, not [1]");
  EXPECT_EQ(value_error(file_key("a", ""), ""), "a file name is expected, not \"\"");
  EXPECT_EQ(value_error(integer_list_key("a", "").or_one(), 1), "a list of integers is expected, not 1");
}

TEST(Keys, NullIsNoValueOfAKeyThatHasADefaultOrMustBeGiven) {
  EXPECT_EQ(value_error(integer_key("a", "").by_default(1), {}), "an integer is expected, not nothing");
  EXPECT_EQ(value_error(text_key("a", "").is_required(), {}), "a word is expected, not nothing");
}

TEST(Keys, CheckedValuesAreThoseGivenAndDefaults) {
  const std::vector<KeySpec> table = {integer_key("size", "how large").is_required().at_least(1),
                                      text_key("name", "what it is called").by_default("it"), file_key("from", "")};
  const KeyValues values = checked_values(table, {{"size", 2}}, "box");
  EXPECT_EQ(values.integer("size"), 2);
  EXPECT_EQ(values.text("name"), "it");
  EXPECT_FALSE(values.has("from"));
  EXPECT_EQ(values.all().size(), 3u);
  const auto error = [&](const std::map<std::string, KeyValue>& given) -> std::string {
    try {
      checked_values(table, given, "box");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error({}), "box: size is missing (how large)");
  EXPECT_EQ(error({{"sise", 2}}), "box: unknown key sise (did you mean size?)");
  EXPECT_EQ(error({{"size", 0}}), "box: size: 0 is out of range (1 or more)");
  EXPECT_EQ(error({{"size", 2}, {"name", {}}}), "box: name: a word is expected, not nothing");
}

TEST(Keys, WordsInPlaceOfNumbers) {
  const KeySpec key = number_key("latency", "").at_least(1).by_default(20).or_word("off");
  EXPECT_EQ(type_text(key), "number or off");
  EXPECT_EQ(value_error(key, std::string("off")), "");
  EXPECT_EQ(value_error(key, 3.5), "");
  EXPECT_EQ(value_error(key, 0.5), "0.5 is out of range (1 or more)");
  EXPECT_EQ(value_error(key, std::string("on")), "a number or off is expected, not \"on\"");
}

TEST(Keys, Shares) {
  const KeySpec key = share_list_key("mix", "").within(1, 9);
  EXPECT_EQ(value_error(key, ShareList{{1, 0.5}, {9, 0.5}}), "");
  EXPECT_EQ(value_error(key, ShareList{{1, 0.5}, {10, 0.5}}), "10 is out of range (1 to 9)");
  EXPECT_EQ(value_error(key, ShareList{{1, 1.5}}), "a share of 1.5 is not above 0 and at most 1");
  EXPECT_EQ(value_error(key, List{1}), "a list of pairs [integer, share] is expected, not [1]");
  EXPECT_EQ(value_text(ShareList{{1, 0.25}, {5, 0.75}}), "[[1, 0.25], [5, 0.75]]");
}

TEST(Keys, SectionsInside) {
  const std::vector<KeySpec> table = {integer_key("flits", "").by_default(1),
                                      integer_list_key("flits.uniform", ""),
                                      integer_key("reply.flits", "of a reply").is_required(),
                                      integer_key("reply.service", "").by_default(7),
                                      integer_key("delay", "").by_default(9).or_section("delays"),
                                      integer_key("delays.near", "").by_default(1)};
  const KeyValues none = checked_values(table, {}, "t");
  EXPECT_EQ(none.integer("flits"), 1);
  EXPECT_FALSE(none.has_section("reply"));
  EXPECT_FALSE(none.has("reply.service"));
  EXPECT_EQ(none.integer("delay"), 9);
  EXPECT_FALSE(checked_values(table, {{"delays.near", 2}}, "t").has("delay"));
  const KeyValues given = checked_values(table, {{"flits.uniform", List{1, 2}}, {"reply.flits", 3}}, "t");
  EXPECT_FALSE(given.has("flits"));
  EXPECT_TRUE(given.has_section("flits"));
  EXPECT_EQ(given.integer("reply.service"), 7);
  try {
    checked_values(table, {{"reply.service", 3}}, "t");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "t: reply.flits is missing (of a reply)");
  }
  EXPECT_EQ(inner_section("a.b.c"), "a.b");
  EXPECT_EQ(inner_section("a"), "");
  EXPECT_TRUE(is_inside("flits.mix", "flits"));
  EXPECT_FALSE(is_inside("flits", "flits"));
  EXPECT_FALSE(is_inside("flitsy.mix", "flits"));
}

}  // namespace
}  // namespace starloom
