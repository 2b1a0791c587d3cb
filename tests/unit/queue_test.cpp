// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include <starloom/core/queue.hpp>
#include <starloom/core/random.hpp>

namespace starloom {
namespace {

TEST(Queue, IsFirstInFirstOut) {
  RandomStream dice(7, Purpose::algorithm, 0, 0);
  for (const std::uint32_t growth : {2U, 4U, 9U}) {  // one action in this number of them removes a member
    Queue<int> queue;
    std::deque<int> model;
    for (int i = 0; i < 5000; ++i) {
      if (model.empty() || dice.bounded(growth) != 0) {
        queue.push_back(i);
        model.push_back(i);
      } else if (const auto at = static_cast<std::ptrdiff_t>(dice.bounded(static_cast<std::uint32_t>(model.size())));
                 dice.bounded(4) == 0) {
        queue.erase(queue.begin() + at);
        model.erase(model.begin() + at);
      } else if (dice.bounded(300) == 0) {
        queue.clear();
        model.clear();
      } else {
        queue.pop_front();
        model.pop_front();
      }
      ASSERT_EQ(queue.size(), model.size());
      ASSERT_EQ(queue.empty(), model.empty());
      if (model.empty()) continue;
      ASSERT_EQ(queue.front(), model.front());
      ASSERT_EQ(queue.back(), model.back());
      const std::size_t any = dice.bounded(static_cast<std::uint32_t>(model.size()));
      ASSERT_EQ(queue[any], model[any]);
      if (i % 50 == 0) {
        ASSERT_EQ(std::vector<int>(queue.begin(), queue.end()), std::vector<int>(model.begin(), model.end()));
      }
    }
  }
}

TEST(Queue, RemovesTheFrontOfALongOneAtOnce) {
  Queue<int> queue;
  constexpr int members = 200'000;
  for (int i = 0; i < members; ++i) queue.push_back(i);
  for (int i = 0; i < members; ++i) {  // moving all members each time would take minutes
    ASSERT_EQ(queue.front(), i);
    queue.pop_front();
    queue.push_back(members + i);
  }
  EXPECT_EQ(queue.size(), static_cast<std::size_t>(members));
}

}  // namespace
}  // namespace starloom
