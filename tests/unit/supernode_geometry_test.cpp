// SPDX-License-Identifier: Apache-2.0
// Supernodes by numbers and drawings: sizes, rings, folds, buffers, paths in and out, the timetable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include <starloom/algorithms/supernode_hot_potato/round_timetable.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>
#include <starloom/support/error.hpp>
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

using Lengths = std::pair<std::int32_t, std::int32_t>;  ///< f, k
const std::vector<Lengths> all_lengths = {{12, 4},  {12, 16}, {12, 36}, {12, 64}, {12, 100}, {32, 4},  {32, 16},
                                          {32, 36}, {60, 4},  {60, 16}, {60, 36}, {96, 4},   {140, 16}};

SupernodeGeometry geometry_of(Lengths lengths) {
  return SupernodeGeometry(SupernodeSize::of(lengths.first, lengths.second));
}

TEST(SupernodeSizes, FollowFromWormsAndFlits) {
  const SupernodeSize least = SupernodeSize::of(12, 4);
  EXPECT_EQ(std::make_tuple(least.s, least.m, least.h(), least.side(), least.slots(), least.delay()),
            std::make_tuple(2, 2, 4, 9, 6, 10));
  const std::vector<std::pair<Lengths, std::int32_t>> sides = {{{12, 4}, 9},   {{12, 16}, 17}, {{32, 4}, 13},
                                                               {{12, 36}, 25}, {{32, 16}, 25}, {{60, 36}, 49}};
  for (const auto& [lengths, side] : sides) EXPECT_EQ(geometry_of(lengths).size().side(), side);
}

TEST(SupernodeSizes, RefuseWhatFillsNoSquare) {
  for (const std::int64_t k : {-4, 0, 1, 2, 3, 5, 6, 8, 9, 25, 15, 17})
    EXPECT_THAT(input_error([k] { SupernodeSize::of(12, k); }), testing::StartsWith(std::to_string(k) + " flits"));
  for (const std::int64_t f : {-12, 0, 4, 5, 10, 11, 13, 14, 21, 45, 31, 33})
    EXPECT_THAT(input_error([f] { SupernodeSize::of(f, 4); }), testing::StartsWith(std::to_string(f) + " worms"));
  EXPECT_THAT(input_error([] { SupernodeSize::of(12, 17); }), HasSubstr("choose 36"));
  EXPECT_THAT(input_error([] { SupernodeSize::of(21, 4); }), HasSubstr("choose 32"));
  for (const std::int64_t huge : {std::int64_t{1} << 40, std::int64_t{1} << 62}) {
    EXPECT_NE(input_error([huge] { SupernodeSize::of(12, huge); }), "");
    EXPECT_NE(input_error([huge] { SupernodeSize::of(huge, 4); }), "");
  }
}

TEST(SupernodeSizes, FillAMeshOrAreRefused) {
  const SupernodeSize size = SupernodeSize::of(12, 4);
  EXPECT_EQ(supernodes_of_side(Grid::mesh({27, 27}), size), 3);
  EXPECT_THAT(input_error([&] { supernodes_of_side(Grid::mesh({20, 20}), size); }), HasSubstr("take 18 or 27"));
  EXPECT_THAT(input_error([&] { supernodes_of_side(Grid::mesh({8, 8}), size); }), HasSubstr("take 9"));
  EXPECT_THAT(input_error([&] {
                supernodes_of_side(Grid::mesh({9, 18}), size);
              }),
              HasSubstr("square two-dimensional mesh"));
  EXPECT_THAT(input_error([&] {
                supernodes_of_side(Grid::mesh({9, 9, 9}), size);
              }),
              HasSubstr("square two-dimensional mesh"));
}

TEST(SupernodeRings, AreAsLongAsTheyShouldBe) {
  const std::vector<std::pair<Lengths, std::int32_t>> rotations = {{{12, 4}, 42},   {{12, 16}, 134}, {{32, 4}, 86},
                                                                   {{12, 36}, 282}, {{32, 16}, 302}, {{60, 36}, 1170}};
  for (const auto& [lengths, rotation] : rotations) EXPECT_EQ(geometry_of(lengths).rotation(), rotation);
  for (const Lengths& lengths : all_lengths) {
    const SupernodeGeometry geometry = geometry_of(lengths);
    const SupernodeSize& size = geometry.size();
    EXPECT_EQ(geometry.base_cycle(), size.stored() + size.last());
    EXPECT_EQ(geometry.rotation(), size.stored() + size.last() + size.k + 6);
  }
}

TEST(SupernodeRings, TheLeastOneStepByStep) {
  const SupernodeGeometry geometry = geometry_of({12, 4});
  const std::vector<std::pair<int, int>> walk = {
      {7, 4}, {6, 4}, {5, 4}, {4, 4}, {3, 4}, {2, 4}, {1, 4}, {1, 3}, {1, 2}, {1, 3}, {0, 3}, {0, 2}, {0, 1}, {0, 2},
      {1, 2}, {1, 1}, {2, 1}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {1, 0}, {2, 0}, {3, 0}, {2, 0}, {2, 1}, {3, 1},
      {3, 0}, {4, 0}, {5, 0}, {5, 1}, {6, 1}, {6, 0}, {7, 0}, {8, 0}, {8, 1}, {7, 1}, {7, 2}, {8, 2}, {8, 3}, {7, 3}};
  std::vector<Cell> left, right;
  for (const auto& [row, column] : walk) {
    left.push_back(geometry.cell(row, column));
    right.push_back(geometry.cell(8 - row, 8 - column));
  }
  EXPECT_THAT(geometry.ring(left_ring), ElementsAreArray(left));
  EXPECT_THAT(geometry.ring(right_ring), ElementsAreArray(right));
}

TEST(SupernodeRings, TablesLeadAroundAndUseEachLinkOnce) {
  for (const Lengths& lengths : all_lengths) {
    SCOPED_TRACE(testing::Message() << "f " << lengths.first << ", k " << lengths.second);
    const SupernodeGeometry geometry = geometry_of(lengths);
    std::set<std::pair<Cell, Port>> used;
    const auto walk = [&](Cell at, Port in, std::int32_t steps) {
      const Cell first = at;
      const Port first_in = in;
      for (std::int32_t step = 0; step < steps; ++step) {
        const Port out = geometry.next(at, in);
        ASSERT_NE(out, no_port);
        ASSERT_TRUE(used.emplace(at, out).second) << "cell " << at << " port " << out;
        at = geometry.neighbour(at, out);
        in = opposite(out);
      }
      EXPECT_EQ(at, first);
      EXPECT_EQ(in, first_in);
    };
    for (const Ring ring : {left_ring, right_ring})
      walk(geometry.ring(ring).front(), geometry.ring_in(ring, 0), geometry.rotation());
    for (Port sends = 0; sends < 4; ++sends) {
      const SupernodeBuffer& buffer = geometry.buffer(sends);
      walk(buffer.cells[0], geometry.port_between(buffer.cells[0], buffer.cells.back()), geometry.size().k);
    }
  }
}

/// A letter for each cell.
std::vector<std::string> drawing(const SupernodeGeometry& geometry) {
  const std::int32_t side = geometry.size().side(), h = geometry.size().h();
  std::vector<std::string> rows(static_cast<std::size_t>(side), std::string(static_cast<std::size_t>(side), '?'));
  for (Cell cell = 0; cell < side * side; ++cell) {
    const std::int32_t row = geometry.row(cell), column = geometry.column(cell);
    char letter = '?';
    switch (geometry.role(cell)) {
      case SupernodeRole::storage: letter = column < h ? 'l' : 'r'; break;
      case SupernodeRole::buffer: letter = "nesw"[geometry.buffer_of(cell)]; break;
      case SupernodeRole::head: letter = "NESW"[geometry.buffer_of(cell)]; break;
      case SupernodeRole::lane: letter = column == h ? '|' : column % (side - 1) == 0 ? 'x' : '-'; break;
      case SupernodeRole::gate: letter = 'j'; break;
      case SupernodeRole::command: letter = row < h ? 'T' : 'B'; break;
      case SupernodeRole::centre: letter = '+'; break;
      case SupernodeRole::beside: letter = '-'; break;
    }
    rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = letter;
  }
  return rows;
}

TEST(SupernodeDrawing, OfTheLeast) {
  EXPECT_THAT(drawing(geometry_of({12, 4})), ElementsAreArray({
                                                 "llll|rrrr",
                                                 "lllljrrrr",
                                                 "llww|nnrr",
                                                 "llwWTNnrr",
                                                 "x---+---x",
                                                 "llsSBEerr",
                                                 "llss|eerr",
                                                 "lllljrrrr",
                                                 "llll|rrrr",
                                             }));
}

TEST(SupernodeDrawing, OfWormsOfSixteenFlits) {
  const std::vector<std::string> rows = drawing(geometry_of({12, 16}));
  const std::vector<std::string> upper = {"llllllll|rrrrrrrr", "lllllllljrrrrrrrr", "llllllll|rrrrrrrr",
                                          "llllllll|rrrrrrrr", "llllwwww|nnnnrrrr", "llllwwww|nnnnrrrr",
                                          "llllwwww|nnnnrrrr", "llllwwwWTNnnnrrrr", "x-------+-------x"};
  EXPECT_THAT(std::vector<std::string>(rows.begin(), rows.begin() + 9), ElementsAreArray(upper));
}

TEST(SupernodeFolds, LeadOutAndBackOverLinksOfTheirOwn) {
  for (const Lengths& lengths : all_lengths) {
    const SupernodeGeometry geometry = geometry_of(lengths);
    const std::vector<Cell>& ring = geometry.ring(left_ring);
    std::int32_t folds = 0;
    for (std::size_t p = 0; p + 2 < ring.size(); ++p) {
      if (ring[p] != ring[p + 2]) continue;
      ++folds;
      EXPECT_EQ(geometry.role(ring[p]), SupernodeRole::storage);
      EXPECT_EQ(geometry.role(ring[p + 1]), SupernodeRole::storage);
    }
    EXPECT_EQ(folds, geometry.size().k / 2 + 3);
  }
}

TEST(SupernodeAccess, LeadsFromEveryCellToARing) {
  for (const Lengths& lengths : all_lengths) {
    const SupernodeGeometry geometry = geometry_of(lengths);
    EXPECT_EQ(geometry.lead(), 1);
    for (Cell cell = 0; cell < geometry.size().cells(); ++cell) {
      const RingAccess& path = geometry.access(cell);
      Cell at = cell;
      for (std::int32_t length = path.length; length > 0; --length) {
        EXPECT_EQ(geometry.access(at).length, length);
        at = geometry.neighbour(at, geometry.access(at).towards);
      }
      EXPECT_EQ(at, geometry.ring(path.ring)[static_cast<std::size_t>(path.position)]);
    }
  }
  EXPECT_EQ(geometry_of({12, 4}).longest_access(), 2);
}

TEST(SupernodeStarts, SlotsBeginInCellsOfTheirOwn) {
  for (const Lengths& lengths : all_lengths) {
    const SupernodeGeometry geometry = geometry_of(lengths);
    std::set<Cell> cells;
    for (std::int32_t place = 0; place < geometry.size().f; ++place) {
      const Cell cell = geometry.start_of_slot(place);
      EXPECT_TRUE(cells.insert(cell).second);
      EXPECT_EQ(geometry.starting_slot(cell), place);
    }
    for (Cell cell = 0; cell < geometry.size().cells(); ++cell)
      EXPECT_EQ(geometry.starting_slot(cell) == -1, cells.count(cell) == 0);
  }
}

TEST(SupernodeTimetable, RoundsAreAsLongAsTheyShouldBe) {
  struct Known {
    Lengths lengths;
    std::int32_t side, round;
    std::int64_t steps;
  };
  for (const Known& known : std::vector<Known>{{{12, 4}, 2, 471, 3'090'231},
                                               {{12, 4}, 3, 807, 5'294'727},
                                               {{12, 4}, 4, 1143, 7'499'223},
                                               {{12, 4}, 8, 2487, 16'317'207},
                                               {{12, 16}, 2, 1496, 124'947'416},
                                               {{32, 4}, 2, 955, 27'275'755},
                                               {{32, 4}, 8, 5083, 145'175'563},
                                               {{12, 36}, 3, 5401, 2'109'765'625},
                                               {{12, 64}, 2, 5418, 6'425'319'978},
                                               {{12, 16}, 8, 7928, 662'154'488},
                                               {{32, 4}, 28, 18843, 538'174'923}}) {
    const SupernodeGeometry geometry = geometry_of(known.lengths);
    const auto router = row_first_router({known.side, 1, false});
    const RoundTimetable timetable(geometry, router->supersteps(), RoundTimetable::no_superstep);
    EXPECT_EQ(timetable.round_steps(), known.round);
    EXPECT_EQ(timetable.steps(), known.steps);
  }
}

TEST(SupernodeTimetable, MomentsFollowThePositions) {
  const SupernodeGeometry geometry = geometry_of({12, 4});
  const RoundTimetable timetable(geometry, 2, RoundTimetable::no_superstep);
  EXPECT_EQ(timetable.first_superstep(), 43);
  const auto at = [&](std::int32_t tau, std::int32_t position) {
    const RingMoment moment = timetable.at(tau, position);
    return std::make_tuple(moment.superstep, moment.rotation, moment.index);
  };
  EXPECT_EQ(at(1, 0), std::make_tuple(-1, Rotation::creation, 0));
  EXPECT_EQ(at(42, 0), std::make_tuple(-1, Rotation::creation, 41));
  EXPECT_EQ(at(43, 0), std::make_tuple(0, Rotation::review, 0));
  EXPECT_EQ(at(43, 3), std::make_tuple(-1, Rotation::creation, 39));
  EXPECT_EQ(at(43 + 42 + 3 + 4, 3), std::make_tuple(0, Rotation::balance, 4));
  EXPECT_EQ(at(43 + 84, 0), std::make_tuple(0, Rotation::extract, 0));
  EXPECT_EQ(at(43 + 126 + 41, 0), std::make_tuple(0, Rotation::queue, 41));
  EXPECT_EQ(at(43 + 168, 0), std::make_tuple(1, Rotation::review, 0));
  EXPECT_EQ(at(43 + 336, 0), std::make_tuple(2, Rotation::death, 0));
  EXPECT_FALSE(timetable.consumes(43 + 335));
  EXPECT_TRUE(timetable.consumes(43 + 336));
  EXPECT_TRUE(timetable.consumes(43 + 336 + 84 + 2));
}

TEST(SupernodeTimetable, SuperstepsMayEndInADeathPhase) {
  const SupernodeGeometry geometry = geometry_of({12, 4});
  const RoundTimetable timetable(geometry, 3, 1);
  EXPECT_EQ(timetable.superstep_steps(), 6 * 42);
  EXPECT_EQ(timetable.round_steps(), 43 + 3 * 252 + 2 + 4 + 2);
  EXPECT_EQ(timetable.at(43 + 168, 0).rotation, Rotation::death);
  EXPECT_EQ(timetable.at(43 + 251, 0).rotation, Rotation::death);
  EXPECT_EQ(timetable.at(43 + 252, 0).rotation, Rotation::review);
  EXPECT_FALSE(timetable.consumes(43 + 168)) << "not in the first superstep";
  EXPECT_TRUE(timetable.consumes(43 + 252 + 168));
  EXPECT_TRUE(timetable.consumes(43 + 252 + 168 + 86));
  EXPECT_FALSE(timetable.consumes(43 + 252 + 168 + 87));
  EXPECT_TRUE(timetable.consumes(43 + 504 + 168));
}

TEST(SupernodeTimetable, RefusesMoreStepsThanCanBeCounted) {
  const SupernodeGeometry geometry = geometry_of({12, 4});
  EXPECT_THAT(input_error([&] { RoundTimetable(geometry, 1 << 30, RoundTimetable::no_superstep); }),
              HasSubstr("overflow the step counter"));
}

}  // namespace
}  // namespace starloom::links
