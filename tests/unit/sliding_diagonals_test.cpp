// SPDX-License-Identifier: Apache-2.0
// The timetable of sliding diagonals by numbers: sizes, phases, positions, presets, and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <starloom/algorithms/sliding_diagonals/presets.hpp>
#include <starloom/algorithms/sliding_diagonals/timetable.hpp>
#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

DiagonalConstants constants(std::int32_t n, std::int32_t d, std::int32_t flits, std::int32_t a, std::int32_t b,
                            std::int32_t width) {
  DiagonalConstants c;
  c.side = n;
  c.dimensions = d;
  c.flits = flits;
  c.a = a;
  c.b = b;
  c.width = width;
  return c;
}

std::int64_t steps_of_a_run(const DiagonalTimetable& t) { return t.pass_steps(t.batches(t.n(), true)); }

TEST(DiagonalTimetable, KnownRuns) {
  const DiagonalTimetable small(constants(64, 2, 1, 6, 1, 8));
  EXPECT_EQ(small.stage_steps(), 477);
  EXPECT_EQ(small.batches(64, true), 7);
  EXPECT_EQ(steps_of_a_run(small), 3794);
  const DiagonalTimetable two_flits(constants(64, 2, 2, 6, 1, 8));
  EXPECT_EQ(two_flits.stage_steps(), 754);
  EXPECT_EQ(two_flits.batches(64, true), 13);
  EXPECT_EQ(steps_of_a_run(two_flits), 10660);
  EXPECT_EQ(steps_of_a_run(DiagonalTimetable(constants(256, 2, 1, 3, 1, 16))), 8408);
  const DiagonalTimetable cube(constants(32, 3, 1, 2, 1, 8));
  EXPECT_EQ(cube.stage_steps(), 381);
  EXPECT_EQ(cube.batches(32, true), 12);
  EXPECT_EQ(steps_of_a_run(cube), 9177);
}

TEST(DiagonalTimetable, LevelBCountsInEveryStageFromThreeDimensionsOn) {
  DiagonalConstants c = constants(32, 3, 1, 2, 1, 8);
  c.registers_only = true;
  EXPECT_EQ(DiagonalTimetable(c).stage_steps(), 381 + 33);
  c.dimensions = 2;
  EXPECT_EQ(DiagonalTimetable(c).stage_steps(), 381);
}

TEST(DiagonalTimetable, SettlesWhenABlockIsHigherThanARoundIsLong) {
  // n = 11, L = 2, w0 = 3: one block of 11 rows; F = 16, a round of 36 steps, and the last climb and fall take up to
  // 16 + 22 + 2.
  const DiagonalTimetable t(constants(11, 2, 2, 1, 1, 3));
  EXPECT_EQ(t.width(), 4);
  EXPECT_EQ(t.height(), 11);
  EXPECT_EQ(t.stage_steps(), 3 * 13 + 6 + 2 + 4 * 36 + 4);
}

TEST(DiagonalTimetable, BlocksAreCutEvenly) {
  const Blocks blocks(11, 3);  // 0..2, 3..6, 7..10
  const std::vector<std::int32_t> of = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  for (std::int32_t i = 0; i < 11; ++i) EXPECT_EQ(blocks.of(i), of[static_cast<std::size_t>(i)]);
  EXPECT_EQ(blocks.base(6), 3);
  EXPECT_EQ(blocks.size(0), 3);
  EXPECT_EQ(blocks.largest(), 4);
  EXPECT_EQ(blocks.count(), 3);
}

TEST(DiagonalTimetable, PhasesFollowEachOther) {
  const DiagonalTimetable t(constants(8, 2, 2, 1, 1, 2));  // w = 2, F = 8, a round of 20 steps
  const auto rule = [&t](std::int32_t tau) {
    const RowRule r = t.row_rule(tau);
    return std::make_pair(r.backwards, r.turn);
  };
  const auto on = [](Turn turn) { return std::make_pair(false, turn); };
  const auto back = std::make_pair(true, Turn::none);
  EXPECT_EQ(rule(0), on(Turn::none));
  EXPECT_EQ(rule(9), on(Turn::none));
  EXPECT_EQ(rule(10), on(Turn::own_block));
  EXPECT_EQ(rule(17), on(Turn::own_block));
  EXPECT_EQ(rule(18), on(Turn::none));
  EXPECT_EQ(rule(20), on(Turn::any));
  EXPECT_EQ(rule(27), on(Turn::any));
  EXPECT_EQ(rule(28), on(Turn::none));
  EXPECT_EQ(rule(30), back);
  EXPECT_EQ(rule(33), back);
  EXPECT_EQ(rule(34), on(Turn::none));
  EXPECT_EQ(rule(36), on(Turn::own_column));
  EXPECT_EQ(rule(43), on(Turn::own_column));
  EXPECT_EQ(rule(44), back);
  EXPECT_EQ(rule(53), back);
  EXPECT_EQ(rule(54), on(Turn::none));
  EXPECT_EQ(rule(56), on(Turn::own_column));
  EXPECT_EQ(t.stage_steps(), 36 + 2 * 20);
}

TEST(DiagonalTimetable, SlotsFollowEachOther) {
  const DiagonalTimetable flat(constants(8, 2, 2, 1, 1, 2));  // stages of 76 steps, final routings of 10
  EXPECT_EQ(flat.slot_start(1), 76);
  EXPECT_EQ(flat.slot_start(2), 86);
  EXPECT_EQ(flat.moment(75).slot, 0);
  EXPECT_EQ(flat.moment(76).slot, 1);
  EXPECT_EQ(flat.moment(85).tau, 9);
  EXPECT_EQ(flat.moment(86).slot, 2);
  const DiagonalTimetable cube(constants(8, 3, 2, 1, 1, 2));
  EXPECT_EQ(cube.moment(76).slot, 1);
  EXPECT_EQ(cube.slot_start(3), 3 * 76);
}

TEST(DiagonalTimetable, NextPlaceIsTheFirstUsableOne) {
  for (const DiagonalConstants& c : {constants(16, 2, 1, 3, 1, 4), constants(17, 2, 2, 2, 1, 3),
                                     constants(19, 2, 2, 1, 2, 4), constants(16, 2, 3, 1, 1, 2)}) {
    const DiagonalTimetable t(c);
    for (std::int32_t x = 0; x < c.side; ++x)
      for (std::int32_t y = 0; y < c.side; ++y)
        for (std::int32_t from = 0; from < c.side; ++from) {
          std::int32_t expected = -1;
          for (std::int32_t tau = c.side - 1; tau >= from; --tau) {
            const std::int32_t p = ((x + y - tau) % c.side + c.side) % c.side, k = p / (c.b * c.flits);
            if (p % (c.b * c.flits) == 0 && k < t.diagonals() && (k + y) % c.a == 0) expected = tau;
          }
          ASSERT_EQ(t.next_position(x, y, from), expected) << x << ' ' << y << ' ' << from;
        }
  }
}

TEST(DiagonalTimetable, RanksOfARowHavePlacesOfTheirOwn) {
  DiagonalConstants c = constants(17, 3, 2, 2, 1, 3);
  c.registers_only = true;
  const DiagonalTimetable t(c);
  for (std::int32_t y = 0; y < c.side; ++y) {
    std::set<std::int32_t> diagonals;
    std::int32_t usable = 0;
    for (; t.position_of_rank(3, y, usable) >= 0; ++usable) {
      const std::int32_t starts = t.position_of_rank(3, y, usable);
      EXPECT_EQ(t.next_position(3, y, starts), starts);
      diagonals.insert(t.diagonal(3, y, starts));
    }
    EXPECT_EQ(diagonals.size(), static_cast<std::size_t>(usable));
    EXPECT_GE(usable, t.ring_positions());
  }
}

std::string refusal(const DiagonalConstants& c) {
  try {
    const DiagonalTimetable t(c);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(DiagonalTimetable, RefusesWhatCannotWork) {
  EXPECT_THAT(refusal(constants(3, 2, 1, 1, 1, 2)), HasSubstr("at least 4 nodes"));
  EXPECT_THAT(refusal(constants(16, 1, 1, 1, 1, 2)), HasSubstr("two or more dimensions"));
  EXPECT_THAT(refusal(constants(16, 2, 3, 3, 2, 2)), HasSubstr("a*b*flits is 18"));
  EXPECT_THAT(refusal(constants(16, 2, 1, 1, 1, 9)), HasSubstr("w0 is 9"));
  EXPECT_THAT(refusal(constants(16, 2, 1, 1, 1, 1)), HasSubstr("w0 is at least 2"));
  EXPECT_THAT(refusal(constants(16, 2, 3, 1, 1, 6)), HasSubstr("flits*w0 is 18"));
  DiagonalConstants c = constants(64, 2, 1, 6, 1, 8);
  c.forward = 15;
  EXPECT_THAT(refusal(c), HasSubstr("F >= 2w"));
  c = constants(64, 2, 4, 1, 1, 13);  // one block of 64 rows: F + 2L >= 64 + L
  c.forward = 59;
  EXPECT_THAT(refusal(c), HasSubstr("a climb of 64 rows"));
  c.forward = 60;
  EXPECT_EQ(refusal(c), "");
}

std::string refusal_of(const std::string& algorithm, const std::vector<std::int64_t>& shape,
                       const std::vector<Packet>& packets) {
  const Grid torus = Grid::torus(shape);
  try {
    named_algorithm(algorithm, torus, {}, &packets);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(DiagonalTraffic, RefusesWhatTheTimetableDoesNotServe) {
  for (const std::string algorithm : {"sliding-diagonals", "direct-diagonals"}) {
    EXPECT_THAT(refusal_of(algorithm, {16, 8}, {}), HasSubstr("sides are all equal"));
    EXPECT_THAT(refusal_of(algorithm, {16, 16}, {{1, 2, 2, 0}, {1, 3, 2, 0}}), HasSubstr("one packet per node"));
    EXPECT_THAT(refusal_of(algorithm, {16, 16}, {{1, 2, 2, 3}}), HasSubstr("all created in step 0"));
    EXPECT_THAT(refusal_of(algorithm, {16, 16}, {{1, 2, 2, 0}, {2, 3, 1, 0}}), HasSubstr("worms of one length"));
    EXPECT_THAT(refusal_of(algorithm, {16, 16}, {{1, 2, 17, 0}}), testing::ContainsRegex("rings? (has|of) 16 nodes"));
    EXPECT_EQ(refusal_of(algorithm, {16, 16}, {{1, 2, 4, 0}}), "");
    EXPECT_THROW(named_algorithm(algorithm, Grid::torus({16, 16})), InputError) << "traffic without an end";
  }
}

// ---- presets

TEST(DiagonalPresets, ChooseTheConstantsOfTheKnownRuns) {
  const auto chosen = [](std::int32_t n, std::int32_t d, std::int32_t flits, DiagonalPreset preset) {
    return choose_constants(n, d, flits, false, preset, {});
  };
  DiagonalConstants c = chosen(64, 2, 1, DiagonalPreset::published);
  EXPECT_EQ(std::make_tuple(c.a, c.b, c.width), std::make_tuple(6, 1, 8));
  c = chosen(256, 2, 1, DiagonalPreset::published);
  EXPECT_EQ(std::make_tuple(c.a, c.b, c.width), std::make_tuple(3, 1, 16));
  EXPECT_EQ(steps_of_a_run(DiagonalTimetable(c)), 8408);
  c = chosen(256, 2, 1, DiagonalPreset::tuned);
  EXPECT_EQ(std::make_tuple(c.a, c.b, c.width, c.rounds), std::make_tuple(2, 1, 43, 7));
  EXPECT_EQ(steps_of_a_run(DiagonalTimetable(c)), 5104);
  c = chosen(32, 3, 1, DiagonalPreset::tuned);
  EXPECT_EQ(std::make_tuple(c.a, c.b, c.thinning), std::make_tuple(1, 1, 4));
  EXPECT_EQ(steps_of_a_run(DiagonalTimetable(c)), 4137);
}

TEST(DiagonalPresets, LeaveWhatIsFixed) {
  FixedConstants fixed;
  fixed.a = 2;
  fixed.forward = 40;
  const DiagonalConstants c = choose_constants(64, 2, 1, false, DiagonalPreset::tuned, fixed);
  EXPECT_EQ(c.a, 2);
  EXPECT_EQ(c.forward, 40);
  fixed.a = 65;
  EXPECT_THROW(choose_constants(64, 2, 1, false, DiagonalPreset::tuned, fixed), InputError);
}

TEST(DiagonalPresets, KeepExpectedFailuresLowWhereTheyCan) {
  for (const std::int32_t n : {64, 128})
    for (const std::int32_t flits : {1, 2, 4})
      for (const DiagonalPreset preset : {DiagonalPreset::published, DiagonalPreset::tuned}) {
        const DiagonalTimetable t(choose_constants(n, 2, flits, false, preset, {}));
        EXPECT_LE(expected_failures(t).all(), 0.05);
      }
}

// ---- one worm, step by step

TEST(SlidingDiagonals, OneWormKeepsTheTimetable) {
  // n = 8, L = 2: diagonals 2 apart, blocks of 2 columns and of 4 rows. The worm at (1, 0) is due in batch 1 of 2 (K
  // = 4 positions per ring), 86 steps after the first. Its position is 0 in tau 1.
  const Grid torus = Grid::torus({8, 8});
  const std::vector<Packet> packets = {{1, 6 + 8 * 5, 2, 0}};
  const auto number = [](std::int64_t value) { return KeyValue(value); };
  const auto algorithm =
      named_algorithm("sliding-diagonals", torus,
                      {{"a", number(1)}, {"b", number(1)}, {"w0", number(2)}, {"intermediate", "off"}}, &packets);
  ListSource source(packets);
  const StepperResult run = run_stepper(torus, *algorithm, source);
  ASSERT_EQ(run.end, StepperEnd::all_delivered) << (run.violation ? run.violation->text : "");
  std::map<Step, Port> head;
  for (const TraceRow& row : run.rows)
    if (row.event == TraceEvent::hop && row.flit == 0) head[row.step - 86] = row.port;
  constexpr Port right = 0, left = 1, up = 2, down = 3;
  EXPECT_EQ(head.begin()->first, 1);
  EXPECT_EQ(head.at(9), right);
  // In tau 10 it is in column 2, in tau 14 in column 6, the first of its block.
  EXPECT_EQ(head.at(13), right);
  EXPECT_EQ(head.at(14), up);
  EXPECT_EQ(head.at(29), up);
  // 16 rows up it is in row 0 again, 4 steps left and 2 right make 2 columns less.
  EXPECT_EQ(head.at(30), left);
  EXPECT_EQ(head.at(33), left);
  EXPECT_EQ(head.at(34), right);
  EXPECT_EQ(head.at(36), right);
  EXPECT_EQ(head.at(38), up);  // column 6
  EXPECT_EQ(head.at(41), up);
  EXPECT_EQ(head.at(42), down);  // the base of the next block
  EXPECT_EQ(head.at(45), down);
  EXPECT_EQ(head.count(46), 0u);  // waits at the bottom, row 0
  EXPECT_EQ(head.count(75), 0u);
  EXPECT_EQ(head.at(76), down);
  EXPECT_EQ(head.rbegin()->first, 78);  // row 5
  EXPECT_EQ(run.record.delivered.front(), 86 + 79 + 1);
}

}  // namespace
}  // namespace starloom::links
