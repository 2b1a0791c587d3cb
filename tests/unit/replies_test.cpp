// SPDX-License-Identifier: Apache-2.0
// Which packets are answered, when and by what.
#include <starloom/traffic/replies.hpp>
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

TEST(Replies, GoBackAfterTheService) {
  Replies replies({ReplyRules{5, 20, 0}});
  EXPECT_EQ(replies.next(), no_step);
  EXPECT_EQ(replies.answer({3, 7, 1, 40}, 52), 72);
  EXPECT_EQ(replies.answer({4, 7, 1, 41}, 52), 72);
  EXPECT_EQ(replies.answer({1, 0, 2, 50}, 53), 73);
  EXPECT_EQ(replies.next(), 72);
  const Packet first = replies.take();
  EXPECT_EQ(first, (Packet{7, 3, 5, 72}));
  EXPECT_TRUE(first.reply);
  EXPECT_EQ(replies.take(), (Packet{7, 4, 5, 72}));
  EXPECT_EQ(replies.next(), 73);
  EXPECT_EQ(replies.take(), (Packet{0, 1, 5, 73}));
  EXPECT_EQ(replies.next(), no_step);
}

TEST(Replies, AreNotAnsweredThemselves) {
  Replies replies({ReplyRules{5, 20, 0}});
  replies.answer({3, 7, 1, 40}, 52);
  EXPECT_EQ(replies.answer(replies.take(), 90), no_step);
  EXPECT_EQ(replies.next(), no_step);
}

/// Services of different lengths: replies are created in the order of their steps, those of a step in that of requests.
TEST(Replies, HaveTheLengthAndTheClassThatTheirRequestsName) {
  Replies replies({ReplyRules{5, 20, 0, 2}, ReplyRules{1, 4, 0, 0}, std::nullopt});
  const Packet slow{3, 7, 1, 40, false, 0}, fast{4, 5, 1, 41, false, 1}, none{6, 7, 1, 41, false, 2};
  EXPECT_EQ(replies.answer(slow, 50), 70);
  EXPECT_EQ(replies.answer(none, 50), no_step);
  EXPECT_EQ(replies.answer(fast, 66), 70);
  EXPECT_EQ(replies.answer(fast, 60), 64);
  std::vector<std::tuple<Step, NodeId, std::int32_t, int>> found;
  while (replies.next() != no_step) {
    const Packet reply = replies.take();
    found.emplace_back(reply.created, reply.source, reply.flits, reply.traffic_class);
  }
  EXPECT_EQ(found,
            (std::vector<std::tuple<Step, NodeId, std::int32_t, int>>{{64, 5, 1, 0}, {70, 7, 5, 2}, {70, 5, 1, 0}}));
}

TEST(Replies, KeysOfAPattern) {
  const std::map<std::string, KeyValue> keys = {{"rate", 0.1},
                                                {"reply.flits", std::int64_t{4}},
                                                {"reply.service", std::int64_t{30}},
                                                {"reply.channels", std::int64_t{2}}};
  const auto rules = make_traffic("tornado", Grid::mesh({2, 2}), keys)->replies();
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->flits, 4);
  EXPECT_EQ(rules->service, 30);
  EXPECT_EQ(rules->channels, 2);
  EXPECT_FALSE(make_traffic("tornado", Grid::mesh({2, 2}), {{"rate", 0.1}})->replies());
  EXPECT_EQ(input_error([] {
              make_traffic("tornado", Grid::mesh({2, 2}), {{"rate", 0.1}, {"reply.flits", std::int64_t{4}}});
            }),
            "tornado: reply.service is missing (time from the delivery of a packet to the creation of its reply)");
  EXPECT_EQ(input_error([] {
              make_traffic("tornado", Grid::mesh({2, 2}),
                           {{"reply.flits", std::int64_t{4}}, {"reply.service", std::int64_t{1}}});
            }),
            "only open-loop traffic has this key; set traffic.rate");
}

}  // namespace
}  // namespace starloom
