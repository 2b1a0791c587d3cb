// SPDX-License-Identifier: Apache-2.0
/// \file Arbiters and allocators, against loops and against results of other models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include <starloom/control/router_parts.hpp>
#include <starloom/core/random.hpp>
#include "support/plain_allocators.hpp"

namespace starloom {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Grants = std::map<int, int>;

PartValue made_of(const char* name, PartValue of, std::optional<std::int64_t> number = {}) {
  return {name, number, {std::move(of)}};
}
const PartValue matrix{"matrix"}, round_robin{"round-robin"};

/// An allocator of Starloom, by its key.
class Made {
 public:
  Made(const PartValue& value, int inputs, int outputs, const PartValue& arbiter = round_robin) {
    const RouterParts parts = standard_parts();
    const PartForms forms = allocator_forms(parts, AllocatorUse::switches);
    EXPECT_EQ(part_error(forms, value, "allocator"), "");
    const PartValue whole = with_defaults(forms, value);
    allocator_ =
        make_allocator(parts, whole, {inputs, outputs, 1, 0},
                       arbiter_maker(parts, with_defaults(arbiter_forms(parts), arbiter), KeyValues()), KeyValues());
  }

  Grants match(const PlainAllocator::Requests& requests) {
    std::vector<Request> list, grants;
    std::map<std::pair<int, int>, PlainAllocator::Priorities> by_output;
    for (const auto& [pair, priorities] : requests) by_output[{pair.second, pair.first}] = priorities;
    for (const auto& [pair, priorities] : by_output)
      list.push_back({static_cast<std::uint16_t>(pair.second), static_cast<std::uint16_t>(pair.first), false,
                      priorities.in, priorities.out});
    if (list.empty()) return {};
    allocator_ = allocator_->clone();  // the state is in the copy
    allocator_->allocate(list.data(), list.size(), grants);
    Grants granted;
    for (const Request& grant : grants) {
      EXPECT_NE(requests.count({grant.in, grant.out}), 0u);
      EXPECT_TRUE(granted.emplace(grant.in, grant.out).second) << "input " << grant.in << " is granted twice";
    }
    return granted;
  }

 private:
  std::unique_ptr<Allocator> allocator_;
};

PlainAllocator::Requests asking(const std::map<int, std::set<int>>& outputs_of) {
  PlainAllocator::Requests requests;
  for (const auto& [in, outputs] : outputs_of)
    for (const int out : outputs) requests[{in, out}] = {};
  return requests;
}

/// All allocators, with several numbers and arbiters.
std::vector<PartValue> rules(int lines) {
  std::vector<PartValue> all = {{"islip"},          {"islip", 2},    {"islip", 4},
                                {"priority-islip"}, {"wavefront"},   {"wavefront-skip"},
                                {"lonely-output"},  {"input-first"}, {"output-first"}};
  for (const char* name : {"input-first", "output-first"}) {
    all.push_back(made_of(name, matrix));
    all.push_back(made_of(name, made_of("tree", matrix, lines)));
    if (lines % 2 == 0) all.push_back(made_of(name, {"tree", 2}));
  }
  return all;
}

TEST(Allocators, AreThoseInLoopsForAllRequestsOfThreeLines) {
  for (const PartValue& rule : rules(3)) {
    SCOPED_TRACE(part_text(rule));
    for (unsigned mask = 1; mask < 512; ++mask) {
      PlainAllocator::Requests requests;
      for (int cell = 0; cell < 9; ++cell)
        if ((mask >> cell & 1) != 0) requests[{cell / 3, cell % 3}] = {};
      Made made(rule, 3, 3);
      PlainAllocator plain(rule, round_robin, 3, 3);
      for (int step = 0; step < 50; ++step) ASSERT_EQ(made.match(requests), plain.match(requests)) << mask;
    }
  }
}

TEST(Allocators, AreThoseInLoopsForRandomRequests) {
  for (const auto& [inputs, outputs, lines] : {std::tuple(8, 8, 8), {5, 5, 5}, {70, 70, 70}}) {
    for (const PartValue& rule : rules(lines)) {
      SCOPED_TRACE(part_text(rule) + " of " + std::to_string(inputs));
      RandomStream random(static_cast<std::uint64_t>(inputs), Purpose::algorithm, 0, 0);
      const auto below = [&random](int n) { return static_cast<int>(random.bounded(static_cast<std::uint32_t>(n))); };
      Made made(rule, inputs, outputs);
      PlainAllocator plain(rule, round_robin, inputs, outputs);
      for (int step = 0; step < (inputs > 20 ? 20 : 300); ++step) {
        PlainAllocator::Requests requests;
        for (int k = below(3 * inputs); k > 0; --k) {
          const std::int64_t handicap = below(4) == 0 ? priority_handicap : 0;
          requests[{below(inputs), below(outputs)}] = {below(3) - handicap, below(3) - handicap};
        }
        ASSERT_EQ(made.match(requests), plain.match(requests)) << "step " << step;
      }
    }
  }
}

TEST(Allocators, OfOneIterationWithoutPrioritiesAreTheSame) {
  const PartValue output_first = made_of("output-first", round_robin);
  std::vector<Made> same;
  for (const PartValue& rule : {PartValue{"islip"}, PartValue{"priority-islip"}, output_first})
    same.emplace_back(rule, 6, 6);
  RandomStream random(9, Purpose::algorithm, 0, 0);
  for (int step = 0; step < 500; ++step) {
    PlainAllocator::Requests requests;
    for (std::uint32_t k = random.bounded(20); k > 0; --k)
      requests[{static_cast<int>(random.bounded(6)), static_cast<int>(random.bounded(6))}] = {};
    const Grants granted = same.front().match(requests);
    for (Made& other : same) {
      if (&other != &same.front()) {
        ASSERT_EQ(other.match(requests), granted);
      }
    }
  }
}

// The figures are those of BookSim2 and of a plain model.
TEST(Allocators, MatchAsOtherModelsDo) {
  Made wavefront({"wavefront"}, 3, 3);
  const PlainAllocator::Requests all = asking({{0, {0, 1, 2}}, {1, {0, 1, 2}}, {2, {0, 1, 2}}});
  EXPECT_THAT(wavefront.match(all), ElementsAre(Pair(0, 0), Pair(1, 2), Pair(2, 1)));
  EXPECT_THAT(wavefront.match(all), ElementsAre(Pair(0, 1), Pair(1, 0), Pair(2, 2)));

  Made lonely({"lonely-output"}, 3, 2);
  const PlainAllocator::Requests few = asking({{0, {0, 1}}, {1, {0}}, {2, {0}}});
  EXPECT_THAT(lonely.match(few), ElementsAre(Pair(0, 1), Pair(1, 0)));
  EXPECT_THAT(lonely.match(few), ElementsAre(Pair(0, 1), Pair(1, 0)));
  EXPECT_THAT(lonely.match(few), ElementsAre(Pair(0, 1), Pair(2, 0)));

  // The second iteration matches input 1 and output 1, whose pointers stay.
  Made islip({"islip", 2}, 2, 2);
  const PlainAllocator::Requests square = asking({{0, {0, 1}}, {1, {0, 1}}});
  EXPECT_THAT(islip.match(square), ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_THAT(islip.match(square), ElementsAre(Pair(0, 1), Pair(1, 0)));
}

TEST(Arbiters, PickAsOtherModelsDo) {
  const RouterParts parts = standard_parts();
  const auto picks = [&](const PartValue& rule, std::uint64_t requests, int requesters, int steps) {
    const auto arbiter = arbiter_maker(parts, with_defaults(arbiter_forms(parts), rule), KeyValues())(requesters);
    std::vector<int> picked;
    for (int step = 0; step < steps; ++step) {
      picked.push_back(arbiter->pick(&requests, 1));
      arbiter->granted(picked.back());
    }
    return picked;
  };
  EXPECT_THAT(picks(round_robin, 0b111, 3, 4), ElementsAre(0, 1, 2, 0));
  EXPECT_THAT(picks(round_robin, 0b101, 3, 4), ElementsAre(0, 2, 0, 2));
  EXPECT_THAT(picks(matrix, 0b111, 3, 4), ElementsAre(2, 1, 0, 2));
  EXPECT_THAT(picks({"tree", 2}, 0b1111, 4, 5), ElementsAre(0, 2, 1, 3, 0));
  EXPECT_THAT(picks(made_of("tree", matrix, 2), 0b1111, 4, 5), ElementsAre(3, 1, 2, 0, 3));
}

TEST(Arbiters, OfATreeNeedGroupsOfOneSize) {
  const RouterParts parts = standard_parts();
  const MakeArbiter make = arbiter_maker(parts, with_defaults(arbiter_forms(parts), {"tree", 4}), KeyValues());
  EXPECT_NE(make(8), nullptr);
  try {
    make(10);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tree: 4 groups do not divide 10 requesters");
  }
}

TEST(Parts, AreCheckedAndCompleted) {
  const RouterParts parts = standard_parts();
  const PartForms forms = allocator_forms(parts, AllocatorUse::channels);
  const auto error = [&](const PartValue& part) { return part_error(forms, part, "allocator"); };
  EXPECT_EQ(error({"wavefront", 2}), "wavefront takes no value; write wavefront");
  EXPECT_EQ(error(made_of("wavefront", matrix)), "wavefront takes no value; write wavefront");
  EXPECT_EQ(error(made_of("islip", matrix)), "islip takes a number, as in {islip: 2}");
  EXPECT_EQ(error({"islip", 0}), "islip: 0 is out of range (1 to 64)");
  EXPECT_EQ(error({"input-first", 3}), "input-first takes an arbiter, as in {input-first: round-robin}");
  EXPECT_EQ(error(made_of("input-first", {"tree"})),
            "input-first: tree needs a number, as in {tree: 2, of: round-robin}");
  EXPECT_EQ(error(made_of("input-first", made_of("tree", {"matrxi"}, 2))),
            "input-first: tree: unknown arbiter matrxi (did you mean matrix?); known: round-robin, matrix, tree");
  for (const auto& [part, text] :
       {std::pair(PartValue{"islip"}, "{islip: 1}"), std::pair(PartValue{"piggyback"}, "piggyback"),
        std::pair(PartValue{"input-first"}, "{input-first: round-robin}"),
        std::pair(made_of("output-first", {"tree", 4}), "{output-first: {tree: 4, of: round-robin}}")}) {
    EXPECT_EQ(error(part), "");
    EXPECT_EQ(part_text(with_defaults(forms, part)), text);
  }
}

}  // namespace
}  // namespace starloom
