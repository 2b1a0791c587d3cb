// SPDX-License-Identifier: Apache-2.0
#include "support/stepper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/function_algorithm.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Port east = 1;
constexpr Port west = 3;

StepperResult run(const Grid& topology, const Algorithm& algorithm, std::vector<Packet> packets,
                  const StepperOptions& options = {}, std::int32_t latency = 1) {
  ListSource source(std::move(packets));
  return run_stepper(network_of(topology, latency), algorithm, source, options);
}

// The example of docs/output.md, row by row.
TEST(Stepper, WritesTheExampleOfTheInterface) {
  const Grid mesh = Grid::mesh({1, 3});
  const auto result = run(mesh, *named_algorithm("greedy", mesh), {{0, 2, 1, 0}, {1, 2, 1, 0}});
  EXPECT_THAT(row_texts(result.rows),
              ElementsAre("0,inject,0,0,0,,", "0,inject,1,0,1,,", "0,hop,0,0,0,1,1", "0,hop,1,0,1,1,2",
                          "1,hop,0,0,1,1,2", "1,eject,1,0,2,,", "2,eject,0,0,2,,"));
  EXPECT_EQ(result.end, StepperEnd::all_delivered);
  EXPECT_THAT(result.record.delivered, ElementsAre(2, 1));
  EXPECT_EQ(result.record.steps_run, 3);
  EXPECT_EQ(result.record.flit_hops, 3);
  EXPECT_EQ(result.record.link_load[1 * 4 + east], 2);
  // At the end of step 0 packet 0 has just arrived at node 1; packet 1 has just arrived where it is consumed.
  EXPECT_EQ(result.record.queue.max, 1);
  EXPECT_EQ(result.record.queue.node, 1);
  EXPECT_EQ(result.record.queue.step, 0);
}

TEST(Stepper, LatencyDelaysEveryHop) {
  const Grid mesh = Grid::mesh({1, 4});
  const auto result = run(mesh, *named_algorithm("greedy", mesh), {{0, 3, 1, 5}}, {}, 3);
  EXPECT_THAT(result.record.delivered, ElementsAre(5 + 9));
  // On a link it is in no node; it has arrived at the end of the step before it is readable.
  EXPECT_EQ(result.record.queue.step, 7);
  EXPECT_EQ(result.record.queue.node, 1);
}

TEST(Stepper, DeliversAPacketForItsOwnNodeAtOnceWithoutRows) {
  const Grid mesh = Grid::mesh({2, 2});
  const auto result = run(mesh, *named_algorithm("greedy", mesh), {{1, 1, 1, 4}});
  EXPECT_THAT(result.rows, IsEmpty());
  EXPECT_THAT(result.record.delivered, ElementsAre(4));
  EXPECT_EQ(result.record.queue.max, 0);
}

TEST(Stepper, DoesNotQueueWhatIsAboutToBeConsumed) {
  const Grid mesh = Grid::mesh({1, 2});
  EXPECT_EQ(run(mesh, *named_algorithm("greedy", mesh), {{0, 1, 1, 0}}).record.queue.max, 0);
}

TEST(Stepper, LetsAnAlgorithmRouteItsOwnIfItAsksTo) {
  const Grid mesh = Grid::mesh({2, 2});
  Declaration declaration;
  declaration.routes_own = true;
  const FlitFunction algorithm(mesh, declaration, [](FlitView& view) {
    if (view.waiting() > 0) view.eject(view.accept());
  });
  EXPECT_THAT(row_texts(run(mesh, algorithm, {{1, 1, 1, 4}}).rows), ElementsAre("4,inject,0,0,1,,", "4,eject,0,0,1,,"));
}

TEST(Stepper, ReportsWhatStandsStill) {
  const Grid mesh = Grid::mesh({1, 2});
  const FlitFunction idle(mesh, {}, [](FlitView&) {});
  const auto result = run(mesh, idle, {{0, 1, 1, 0}});
  EXPECT_EQ(result.end, StepperEnd::nothing_pending);
  EXPECT_EQ(result.record.steps_run, 1);
  EXPECT_EQ(result.record.queue.max, 1) << "its own unsent packet";
}

TEST(Stepper, KeepsToTheStepLimit) {
  const Grid mesh = Grid::mesh({1, 2});
  const FlitFunction restless(mesh, {}, [](FlitView& view) { view.wake_at(view.step() + 2); });
  StepperOptions options;
  options.max_steps = 7;
  const auto result = run(mesh, restless, {{0, 1, 1, 0}}, options);
  EXPECT_EQ(result.end, StepperEnd::step_limit);
  EXPECT_EQ(result.record.steps_run, 7);
  EXPECT_EQ(result.record.activations, 4);
}

TEST(Stepper, DoesNothingWithoutPackets) {
  const Grid mesh = Grid::mesh({1, 2});
  const auto result = run(mesh, *named_algorithm("greedy", mesh), {});
  EXPECT_EQ(result.end, StepperEnd::all_delivered);
  EXPECT_EQ(result.record.steps_run, 0);
}

// A word is readable one latency later, in exactly that step, at the other end of the link it accompanies.
TEST(Stepper, CarriesSideWords) {
  const Grid mesh = Grid::mesh({1, 3});
  Declaration declaration;
  declaration.reverse_wire = declaration.forward_wire = true;
  std::vector<std::string> seen;
  const FlitFunction algorithm(mesh, declaration, [&seen](FlitView& view) {
    const std::string at = std::to_string(view.step()) + "@" + std::to_string(view.node());
    for (Port port = 0; port < 4; ++port) {
      if ((view.reverse_words() >> port & 1) != 0)
        seen.push_back(at + " reverse " + std::to_string(port) + ":" + std::to_string(view.reverse_word(port)));
      if ((view.forward_words() >> port & 1) != 0)
        seen.push_back(at + " forward " + std::to_string(port) + ":" + std::to_string(view.forward_word(port)));
    }
    if (view.step() > 0) return;
    view.write_reverse(west, 7);  // beside the link 0 -> 1: to its sender, node 0
    view.write_forward(west, 8);  // beside the link 1 -> 0
    view.write_forward(east, 9);  // beside the link 1 -> 2
  });
  run(mesh, algorithm, {{1, 0, 1, 0}}, {}, 2);
  EXPECT_THAT(seen, ElementsAre("2@0 reverse 1:7", "2@0 forward 1:8", "2@2 forward 3:9"));
}

TEST(Stepper, SeesStateOnlyWhenItChanges) {
  const Grid mesh = Grid::mesh({1, 2});
  const auto result = run(mesh, *named_algorithm("probe-sleeper", mesh, {{"delay", std::int64_t{3}}}), {{0, 1, 1, 2}});
  EXPECT_THAT(result.state, ElementsAre(StateChange{-1, 0, 0, 0}, StateChange{-1, 1, 0, 0}, StateChange{2, 0, 0, 1},
                                        StateChange{5, 0, 0, 0}));
}

// ---- broken rules of the flit models

class BrokenRule : public testing::Test {
 protected:
  /// The violation when node 0 of a line of two nodes does `deed` in step 0; it has two packets for node 1.
  std::string violation(const Declaration& declaration, const FlitFunction::Function& deed) const {
    const FlitFunction algorithm(line, declaration, [&deed](FlitView& view) {
      if (view.node() == 0 && view.step() == 0) deed(view);
    });
    const auto result = run(line, algorithm, {{0, 1, 1, 0}, {0, 1, 1, 0}});
    if (!result.violation) return "none";
    EXPECT_EQ(result.end, StepperEnd::violation);
    EXPECT_EQ(result.violation->step, 0);
    EXPECT_EQ(result.violation->node, 0);
    EXPECT_THAT(result.violation->text, HasSubstr("step 0: node_r00_c00 "));
    return result.violation->text;
  }

  static Declaration with_buffers() {
    Declaration declaration;
    declaration.buffers = BufferSide::out_ports;
    return declaration;
  }

  const Grid line = Grid::mesh({1, 2});
};

TEST_F(BrokenRule, LosesAFlit) {
  EXPECT_THAT(violation({}, [](FlitView& view) { view.accept(); }), HasSubstr("lost or doubled"));
}
TEST_F(BrokenRule, DoublesAFlit) {
  EXPECT_THAT(violation(with_buffers(),
                        [](FlitView& view) {
                          const Flit flit = view.accept();
                          view.send(east, flit);
                          view.push(0, flit, 0);
                        }),
              HasSubstr("lost or doubled"));
}
TEST_F(BrokenRule, PutsTwoOnALink) {
  EXPECT_THAT(violation({},
                        [](FlitView& view) {
                          view.send(east, view.accept());
                          view.send(east, view.accept());
                        }),
              HasSubstr("two flits on one link"));
}
TEST_F(BrokenRule, LeavesTheMesh) {
  EXPECT_THAT(violation({}, [](FlitView& view) { view.send(west, view.accept()); }), HasSubstr("no link"));
}
TEST_F(BrokenRule, KeepsWithoutABuffer) {
  EXPECT_THAT(violation({}, [](FlitView& view) { view.push(0, view.accept(), 0); }), HasSubstr("without a buffer"));
}
TEST_F(BrokenRule, ExceedsItsBound) {
  Declaration declaration = with_buffers();
  declaration.bound = 1;
  const auto keep = [](FlitView& view) { view.push(0, view.accept(), 0); };
  EXPECT_EQ(violation(declaration, keep), "none");
  EXPECT_THAT(violation(declaration,
                        [&keep](FlitView& view) {
                          keep(view);
                          keep(view);
                        }),
              HasSubstr("bound"));
}
TEST_F(BrokenRule, WritesAWireItHasNotGot) {
  EXPECT_THAT(violation({}, [](FlitView& view) { view.write_reverse(east, 1); }), HasSubstr("side wire"));
  EXPECT_THAT(violation({}, [](FlitView& view) { view.write_forward(east, 1); }), HasSubstr("side wire"));
}
TEST_F(BrokenRule, AsksForThePast) {
  EXPECT_THAT(violation({}, [](FlitView& view) { view.wake_at(0); }), HasSubstr("past"));
}
TEST_F(BrokenRule, SendsALongPacketWhereOnlyFlitsTravel) {
  ListSource source({{0, 1, 2, 0}});
  EXPECT_THROW(run_stepper(line, *named_algorithm("greedy", line), source), std::invalid_argument);
}

// ---- worms

Declaration worms(StorageModel storage) {
  Declaration declaration;
  declaration.storage = storage;
  declaration.most_flits = 0;
  return declaration;
}

/// East until the destination; starts whatever waits.
void go_east(WormView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    if (view.arrival(in).destination == view.node()) view.eject(in);
    else view.route(in, east);
  }
  if (view.waiting() > 0) view.inject(east);
}

TEST(StepperWorms, MoveWithAllTheirFlits) {
  const Grid mesh = Grid::mesh({1, 3});
  const WormFunction algorithm(mesh, worms(StorageModel::never_standing), go_east);
  const auto result = run(mesh, algorithm, {{0, 2, 3, 0}});
  EXPECT_THAT(row_texts(result.rows),
              ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1",                     //
                          "1,inject,0,1,0,,", "1,hop,0,1,0,1,1", "1,hop,0,0,1,1,2",  //
                          "2,inject,0,2,0,,", "2,hop,0,2,0,1,1", "2,hop,0,1,1,1,2", "2,eject,0,0,2,,",
                          "3,hop,0,2,1,1,2", "3,eject,0,1,2,,", "4,eject,0,2,2,,"));
  EXPECT_THAT(result.record.delivered, ElementsAre(0 + 2 + 3 - 1));
}

TEST(StepperWorms, BindTheLinksTheyStillHaveToPass) {
  const Grid mesh = Grid::mesh({1, 4});
  std::vector<std::string> bound;
  const WormFunction algorithm(mesh, worms(StorageModel::links_only), [&bound](WormView& view) {
    if (view.bound() != 0) bound.push_back(std::to_string(view.step()) + "@" + std::to_string(view.node()));
    EXPECT_EQ(view.bound() & ~(PortMask{1} << east), 0u);
    go_east(view);
  });
  StepperOptions options;
  options.wake_all = true;
  run(mesh, algorithm, {{0, 3, 3, 0}}, options);
  EXPECT_THAT(bound, ElementsAre("1@0", "2@0", "2@1", "3@1", "3@2", "4@2"));
}

// A held worm stays with all its flits, including those in its source, and leaves as a whole.
TEST(StepperWorms, HoldAndRelease) {
  const Grid mesh = Grid::mesh({1, 3});
  std::vector<std::string> heads;
  const WormFunction algorithm(mesh, worms(StorageModel::links_only), [&heads](WormView& view) {
    if (view.node() != 1) return go_east(view);
    heads.push_back(std::to_string(view.step()) + (view.arrived() != 0 ? " arrived" : "") +
                    (view.parked() != 0 ? " parked" : ""));
    if (view.arrived() != 0) {
      view.hold(west);
      view.wake_at(4);
    } else if (view.parked() != 0) {
      EXPECT_EQ(view.arrival(west).packet, 0);
      view.release(west, east);
    }
  });
  const auto result = run(mesh, algorithm, {{0, 2, 2, 0}});
  EXPECT_THAT(row_texts(result.rows), ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1",                     //
                                                  "4,inject,0,1,0,,", "4,hop,0,1,0,1,1", "4,hop,0,0,1,1,2",  //
                                                  "5,hop,0,1,1,1,2", "5,eject,0,0,2,,", "6,eject,0,1,2,,"));
  EXPECT_THAT(heads, ElementsAre("1 arrived", "4 parked"));
}

TEST(StepperWorms, AreStoredAndSetOutAgain) {
  const Grid mesh = Grid::mesh({1, 3});
  const WormFunction algorithm(mesh, worms(StorageModel::never_standing), [](WormView& view) {
    if (view.node() == 1 && view.arrived() != 0) {
      view.eject(west);
      view.wake_at(view.step() + 2);
    } else {
      go_east(view);
    }
  });
  const auto result = run(mesh, algorithm, {{0, 2, 2, 0}});
  EXPECT_THAT(row_texts(result.rows),
              ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1",                     //
                          "1,inject,0,1,0,,", "1,hop,0,1,0,1,1", "1,store,0,0,1,,",  //
                          "2,store,0,1,1,,",                                         //
                          "3,inject,0,0,1,,", "3,hop,0,0,1,1,2",                     //
                          "4,inject,0,1,1,,", "4,hop,0,1,1,1,2", "4,eject,0,0,2,,", "5,eject,0,1,2,,"));
}

TEST(StepperWorms, CarryTagAndHeaderAndTurnBack) {
  const Grid mesh = Grid::mesh({1, 3});
  const WormFunction algorithm(mesh, worms(StorageModel::never_standing), [](WormView& view) {
    if (view.waiting() > 0) view.inject(east, 5, {1, 2, 3});
    if (view.arrived() == 0) return;
    const Port in = lowest_port(view.arrived());
    const Flit head = view.arrival(in);
    if (view.node() == 0) {
      EXPECT_EQ(head.tag, 6);
      EXPECT_EQ(head.header[2], 9u);
      EXPECT_EQ(head.kind, FlitKind::head);
      return view.eject(in);
    }
    EXPECT_EQ(head.tag, 5);
    EXPECT_EQ(head.header[2], 3u);
    view.relabel(in, 6, {1, 2, 9});
    view.route(in, in);
  });
  const auto result = run(mesh, algorithm, {{0, 2, 2, 0}});
  EXPECT_EQ(row_texts(result.rows)[4], "1,hop,0,0,1,3,0");
  EXPECT_EQ(result.rows.back().event, TraceEvent::store);
}

TEST(StepperWorms, LeaveRoomForControlObjects) {
  const Grid mesh = Grid::mesh({1, 2});
  std::vector<std::string> seen;
  const WormFunction algorithm(mesh, worms(StorageModel::links_only), [&seen](WormView& view) {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1)
      if (view.arrival(lowest_port(left)).kind == FlitKind::token)
        seen.push_back(std::to_string(view.step()) + "@" + std::to_string(view.node()));
    if (view.step() > 0) return;
    Flit token;
    token.kind = FlitKind::token;
    view.send_control(east, token);
  });
  const auto result = run(mesh, algorithm, {{0, 1, 1, 0}});
  EXPECT_THAT(row_texts(result.rows), ElementsAre("0,token,,,0,1,1"));
  EXPECT_THAT(seen, ElementsAre("1@1"));
  EXPECT_EQ(result.record.control_hops, 1);
  EXPECT_EQ(result.record.flit_hops, 0);
}

/// The violation of a run on a line of three nodes with two single flits from node 0 to node 2.
std::string worm_violation(StorageModel storage, std::int32_t flits, const WormFunction::Function& function) {
  const Grid mesh = Grid::mesh({1, 3});
  const auto result = run(mesh, WormFunction(mesh, worms(storage), function), {{0, 2, flits, 0}, {0, 2, flits, 0}});
  return result.violation ? result.violation->text : "none";
}

TEST(StepperWorms, MayRefillARegisterInTheStepThatEmptiesIt) {
  EXPECT_EQ(worm_violation(StorageModel::links_only, 1,
                           [](WormView& view) {
                             go_east(view);
                             if (view.waiting() > 0) view.wake_at(view.step() + 1);
                           }),
            "none");
}
TEST(StepperWorms, MustBeDecidedUpon) {
  EXPECT_EQ(worm_violation(StorageModel::links_only, 1,
                           [](WormView& view) {
                             if (view.waiting() == 2) view.inject(east);
                           }),
            "step 1: node_r00_c01 left the head of a worm undecided");
}
TEST(StepperWorms, MayNotStandUnderNeverStanding) {
  EXPECT_THAT(worm_violation(StorageModel::never_standing, 1,
                             [](WormView& view) {
                               if (view.node() == 0) go_east(view);
                               if (view.node() == 1) view.hold(west);
                             }),
              HasSubstr("step 1: node_r00_c01 held"));
}
TEST(StepperWorms, MayNotEnterWhereOneStands) {
  EXPECT_THAT(worm_violation(StorageModel::links_only, 1,
                             [](WormView& view) {
                               if (view.node() == 1) return view.hold(west);
                               go_east(view);
                               if (view.waiting() > 0) view.wake_at(view.step() + 1);
                             }),
              HasSubstr("step 1: node_r00_c00 put a flit into the occupied register of link_r00_c00_east"));
}
TEST(StepperWorms, MayNotEnterWhereAnotherPasses) {
  EXPECT_THAT(worm_violation(StorageModel::never_standing, 3,
                             [](WormView& view) {
                               go_east(view);
                               if (view.waiting() > 0) view.wake_at(view.step() + 1);
                             }),
              HasSubstr("step 1: node_r00_c00 put a flit into the occupied register of link_r00_c00_east"));
}
TEST(StepperWorms, NeedLinksOfLatencyOne) {
  const Grid mesh = Grid::mesh({1, 3});
  EXPECT_THROW(run(mesh, WormFunction(mesh, worms(StorageModel::links_only), go_east), {}, {}, 2),
               std::invalid_argument);
}

}  // namespace
}  // namespace starloom::links
