// SPDX-License-Identifier: Apache-2.0
// Saved plans: a written plan can be read again, and a damaged one is refused with its location.
#include <starloom/planning/links/saved_plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <starloom/algorithms/product/product_planner.hpp>
#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/support/error.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

void same(const SavedPlan& saved, const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) {
  EXPECT_EQ(saved.grid.kind(), grid.kind());
  EXPECT_EQ(saved.grid.shape(), grid.shape());
  EXPECT_EQ(saved.plan.flits, plan.flits);
  ASSERT_EQ(saved.packets.size(), packets.size());
  ASSERT_EQ(saved.plan.journeys.size(), packets.size());
  for (std::size_t p = 0; p < packets.size(); ++p) {
    EXPECT_EQ(saved.packets[p].source, packets[p].source);
    EXPECT_EQ(saved.packets[p].destination, packets[p].destination);
    EXPECT_EQ(saved.packets[p].flits, plan.flits);
    EXPECT_EQ(saved.plan.journeys[p].start, plan.journeys[p].start);
    EXPECT_EQ(saved.plan.journeys[p].moves, plan.journeys[p].moves);
  }
}

TEST(SavedPlan, OneBendPlansComeBack) {
  const Grid mesh = Grid::mesh({4, 4});
  for (const std::int32_t flits : {1, 3}) {
    const std::vector<Packet> packets = permutation_packets(five_swaps(), flits);
    OneBendOptions options;
    options.flits = flits;
    OneBendPlanner planner(mesh, options);
    const Plan plan = journeys(mesh, packets, planner.plan(packets), flits);
    same(read_saved_plan(saved_plan_text(mesh, packets, plan), "p"), mesh, packets, plan);
  }
}

TEST(SavedPlan, PlansOfOtherPathsComeBack) {
  EarliestArrivalOptions options;
  options.residents = {1};
  for (const Grid& grid : {Grid::mesh({4, 4}), Grid::torus({2, 3, 2}), Grid::mesh({5})}) {
    const std::vector<Packet> packets =
        permutation_packets(grid.nodes() == 16 ? five_swaps() : random_permutation(grid.nodes(), 3));
    const Plan plan = plan_earliest_arrival(grid, packets, options);
    same(read_saved_plan(saved_plan_text(grid, packets, plan), "p"), grid, packets, plan);
  }
  const Grid mesh = Grid::mesh({4, 5});
  const std::vector<Packet> packets = permutation_packets(random_permutation(20, 4));
  const Plan plan = plan_product(mesh, packets);
  same(read_saved_plan(saved_plan_text(mesh, packets, plan), "p"), mesh, packets, plan);
}

TEST(SavedPlan, LooksAsDocumented) {
  const Grid mesh = Grid::mesh({2, 2});
  const std::vector<Packet> packets = {{0, 3, 1, 0}, {1, 2, 1, 0}};
  const std::string head =
      "{\n  \"schema\": 1,\n  \"network\": {\"topology\":\"mesh\",\"shape\":[2,2]},\n  \"flits\": 1,\n"
      "  \"length\": 2,\n  \"sources\": [0,1],\n  \"destinations\": [3,2],\n  \"starts\": [0,0],\n";
  const Plan one_bend{{{0, {1, 2}}, {0, {2, 3}}}, 1};
  EXPECT_EQ(saved_plan_text(mesh, packets, one_bend), head + "  \"first\": [\"H\",\"V\"]\n}\n");
  std::string staying = head;
  staying.replace(staying.find("\"length\": 2"), 11, "\"length\": 3");
  const Plan plan{{{0, {1, no_port, 2}}, {0, {2, 3}}}, 1};
  EXPECT_EQ(saved_plan_text(mesh, packets, plan), staying + "  \"moves\": [[1,null,2],[2,3]]\n}\n");
}

/// A sound plan with one piece of text replaced; the message of its refusal.
std::string refusal(const std::string& old_text, const std::string& new_text, bool with_moves = false) {
  const Grid mesh = Grid::mesh({2, 3});
  const std::vector<Packet> packets = {{0, 5, 1, 0}, {1, 3, 1, 0}, {2, 0, 1, 0}, {4, 4, 1, 0}};
  OneBendPlanner planner(mesh, {});
  Plan plan = journeys(mesh, packets, planner.plan(packets));
  if (with_moves) plan.journeys[0].moves = {1, 2, 1};
  std::string text = saved_plan_text(mesh, packets, plan);
  const std::size_t at = text.find(old_text);
  if (at == std::string::npos) return "no " + old_text + " in " + text;
  text.replace(at, old_text.size(), new_text);
  try {
    read_saved_plan(text, "plan.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SavedPlan, RefusesDamage) {
  ASSERT_EQ(refusal("", ""), "accepted");
  ASSERT_EQ(refusal("", "", true), "accepted");
  EXPECT_THAT(refusal("\"length\": 3,", "\"length\": 3"), HasSubstr("plan.json:6:11: this is not JSON"));
  EXPECT_THAT(refusal("\"schema\": 1", "\"schema\": 2"), HasSubstr("plan.json: schema: 2 is not between 1 and 1"));
  EXPECT_THAT(refusal("\"starts\"", "\"start\""), HasSubstr("start: is not a key of a plan (did you mean starts?)"));
  EXPECT_THAT(refusal("\"flits\": 1,\n", ""), HasSubstr("flits: is missing"));
  EXPECT_THAT(refusal("\"flits\": 1", "\"flits\": 0"), HasSubstr("flits: 0 is not between 1 and"));
  EXPECT_THAT(refusal("\"mesh\"", "\"ring\""), HasSubstr("network.topology: \"ring\" is neither"));
  EXPECT_THAT(refusal("[2,3]", "[2,0]"), HasSubstr("network.shape[1]: 0 is not between 1 and"));
  EXPECT_THAT(refusal("[2,3]", "[]"), HasSubstr("network.shape: "));
  EXPECT_THAT(refusal("[2,3]", "[6]"), HasSubstr("first: paths with one bend need a two-dimensional mesh"));
  EXPECT_THAT(refusal("[0,1,2,4]", "[0,1,2,6]"), HasSubstr("sources[3]: 6 is not between 0 and 5"));
  EXPECT_THAT(refusal("[0,1,2,4]", "[0,1,2.5,4]"), HasSubstr("sources[2]: 2.5 is not an integer between 0 and 5"));
  EXPECT_THAT(refusal("[0,1,2,4]", "[0,1,2,99999999999999999999]"), HasSubstr("sources[3]: "));
  EXPECT_THAT(refusal("[0,1,2,4]", "7"), HasSubstr("sources: 7 is not a list"));
  EXPECT_THAT(refusal("\"destinations\": [5,", "\"destinations\": ["),
              HasSubstr("destinations: 3 entries for 4 sources"));
  EXPECT_THAT(refusal("\"starts\": [0,", "\"starts\": [-1,"), HasSubstr("starts[0]: -1 is not between 0 and"));
  EXPECT_THAT(refusal("\"starts\": [0,", "\"starts\": [9,"),
              HasSubstr("length: 3 is not the last arrival, which is 12"));
  EXPECT_THAT(refusal("\"H\"", "\"D\""), HasSubstr("first[0]: \"D\" is neither \"H\" nor \"V\""));
  EXPECT_THAT(refusal("\"H\"]", "\"V\"]"), HasSubstr("first[3]: the path has no bend"));
  EXPECT_THAT(refusal("\"length\": 3", "\"length\": 4"), HasSubstr("length: 4 is not the last arrival, which is 3"));
  EXPECT_THAT(refusal("\"length\": 3", "\"length\": 3, \"moves\": []"), HasSubstr("either first or moves"));
}

TEST(SavedPlan, RefusesDamagedMoves) {
  EXPECT_THAT(refusal("[[1,2,1]", "[[1,1,1]", true), HasSubstr("moves[0][2]: node 2 has no link east"));
  EXPECT_THAT(refusal("[[1,2,1]", "[[1,2]", true), HasSubstr("moves[0]: the packet ends in node 4"));
  EXPECT_THAT(refusal("[[1,2,1]", "[[1,2,4]", true), HasSubstr("moves[0][2]: 4 is not between 0 and 3"));
  EXPECT_THAT(refusal("[[1,2,1]", "[[1,2,1,null]", true), HasSubstr("moves[0]: a path begins and ends with a link"));
  EXPECT_THAT(refusal("[[1,2,1]", "[3", true), HasSubstr("moves[0]: 3 is not a list of ports"));
  EXPECT_THAT(refusal("\"starts\": [0,0,0,0]", "\"starts\": [0,0,0,1]", true),
              HasSubstr("starts[3]: a packet for its own node has start 0"));
  EXPECT_THAT(refusal("\"moves\"", "\"paths\"", true), HasSubstr("paths: is not a key of a plan"));
}

TEST(SavedPlan, RefusesWhatIsNoPlanAtAll) {
  for (const std::string text : {"", "[]", "7", "{", "{}", "\xff", "{\"schema\": 1}", "null"})
    EXPECT_THROW(read_saved_plan(text, "plan.json"), InputError) << text;
}

TEST(SavedPlan, AnIncompletePlanIsNotSaved) {
  const Plan plan{{{no_step, {}}}, 1};
  EXPECT_THROW(saved_plan_text(Grid::mesh({1, 2}), {{0, 1, 1, 0}}, plan), InputError);
}

}  // namespace
}  // namespace starloom::links
