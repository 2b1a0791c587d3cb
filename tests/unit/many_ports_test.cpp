// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include <starloom/core/many_ports.hpp>
#include <starloom/core/random.hpp>

namespace starloom {
namespace {

template <class Ports>
class SetsOfPorts : public testing::Test {};

using Kinds = testing::Types<PortMask, ManyPorts>;
TYPED_TEST_SUITE(SetsOfPorts, Kinds);

template <class Ports>
std::vector<Port> members(const Ports& ports) {
  std::vector<Port> list;
  for_each_port(ports, [&](Port port) { list.push_back(port); });
  return list;
}

TYPED_TEST(SetsOfPorts, AreSetsOfNumbers) {
  constexpr int most = most_ports_of<TypeParam>;
  RandomStream dice(7, Purpose::algorithm, 0, 0);
  TypeParam set{}, other{};
  std::set<Port> numbers, other_numbers;
  for (int i = 0; i < 4000; ++i) {
    const auto port = static_cast<Port>(dice.bounded(most));
    const auto action = dice.bounded(4);
    if (action < 2) {
      add_port(action == 0 ? set : other, port);
      (action == 0 ? numbers : other_numbers).insert(port);
    } else {
      remove_port(action == 2 ? set : other, port);
      (action == 2 ? numbers : other_numbers).erase(port);
    }
    ASSERT_EQ(has_none(set), numbers.empty());
    if (!numbers.empty()) {
      ASSERT_EQ(lowest_port(set), *numbers.begin());
    }
    ASSERT_EQ(has_port(set, port), numbers.count(port) != 0);
    ASSERT_EQ(members(set), std::vector<Port>(numbers.begin(), numbers.end()));
    std::vector<Port> both, rest;
    std::set_union(numbers.begin(), numbers.end(), other_numbers.begin(), other_numbers.end(),
                   std::back_inserter(both));
    std::set_difference(numbers.begin(), numbers.end(), other_numbers.begin(), other_numbers.end(),
                        std::back_inserter(rest));
    ASSERT_EQ(members(set | other), both);
    ASSERT_EQ(members(without(set, other)), rest);
  }
}

TYPED_TEST(SetsOfPorts, HaveTheirLastPort) {
  TypeParam set{};
  EXPECT_TRUE(has_none(set));
  add_port(set, most_ports_of<TypeParam> - 1);
  EXPECT_EQ(members(set), std::vector<Port>{most_ports_of<TypeParam> - 1});
}

}  // namespace
}  // namespace starloom
