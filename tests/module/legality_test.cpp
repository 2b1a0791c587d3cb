// SPDX-License-Identifier: Apache-2.0
/// \file The fabric, not the controller, enforces the contract: each broken rule ends the run with its step, its node
/// and its text, in whatever order nodes run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/router/router_declaration.hpp>

#include "support/fresh_context.hpp"
#include "support/function_algorithm.hpp"
#include "support/list_source.hpp"
#include "support/netlist_run.hpp"
#include "support/report_text.hpp"

namespace starloom::links {
namespace {

constexpr Port north = 0, east = 1, west = 3;

/// A row of four nodes; nodes 0 to 3.
const Grid& row_of_four() {
  static const Grid grid = Grid::mesh({1, 4});
  return grid;
}

/// Expects the violation of the netlist in any order of nodes, also from parts, and of the stepper where it knows the
/// rule.
void expect_violation(const Algorithm& algorithm, const std::vector<Packet>& packets, Step step, NodeId node,
                      const std::string& text, bool ask_stepper = true) {
  for (const std::uint64_t shuffle : {0, 1, 2, 3, 4}) {
    SCOPED_TRACE("shuffle " + std::to_string(shuffle));
    ListSource source(packets);
    NetlistRunOptions options;
    options.network.shuffle = shuffle;
    options.network.threads = shuffle > 2 ? 4 : 1;
    options.max_steps = 100;
    const NetlistRun run = run_netlist(row_of_four(), algorithm, source, options);
    EXPECT_EQ(run.end, StepperEnd::violation);
    EXPECT_EQ(run.violation.step, step);
    EXPECT_EQ(run.violation.node, node);
    EXPECT_EQ(run.violation.text, text);
    EXPECT_EQ(run.record.steps_run, step + 1) << "a step has run after the violation";
  }
  if (!ask_stepper) return;
  ListSource source(packets);
  const StepperResult plain = run_stepper(row_of_four(), algorithm, source);
  ASSERT_TRUE(plain.violation.has_value());
  EXPECT_EQ(plain.violation->step, step);
  EXPECT_EQ(plain.violation->node, node);
}

// ---- flits

const std::string conservation =
    "lost or doubled a flit: every arrival, and every flit taken from a buffer or the memory, must be sent, pushed or "
    "ejected in the same step";

/// Buffers at the out-ports; any wire may be declared.
Declaration flit_declaration() {
  Declaration declaration;
  declaration.buffers = BufferSide::out_ports;
  return declaration;
}

/// Sends what arrives on to its destination, east or west.
void pass_on(FlitView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Flit& flit = view.arrival(lowest_port(left));
    if (flit.destination == view.node()) view.eject(flit);
    else view.send(flit.destination > view.node() ? east : west, flit);
  }
}

/// Nodes 0 and 3 send their packets, one per step; the nodes between do `odd`.
FlitFunction with_odd_middle(FlitFunction::Function odd, Declaration declaration = flit_declaration()) {
  return {row_of_four(), std::move(declaration), [odd = std::move(odd)](FlitView& view) {
            if (view.node() == 1 || view.node() == 2) return odd(view);
            pass_on(view);
            if (view.waiting() > 0) view.send(view.node() == 0 ? east : west, view.accept());
            if (view.waiting() > 0) view.wake_at(view.step() + 1);
          }};
}

TEST(FlitLegality, WhatIsNotThereCannotBeTaken) {
  const FlitFunction acceptor(row_of_four(), flit_declaration(), [](FlitView& view) {
    view.send(east, view.accept());
    view.accept();
  });
  expect_violation(acceptor, {{0, 3, 1, 0}}, 0, 0, "accepted a flit although the memory is empty");
  const FlitFunction taker(row_of_four(), flit_declaration(), [](FlitView& view) { view.pop(east); });
  expect_violation(taker, {{0, 3, 1, 0}}, 0, 0, "took a flit from an empty buffer");
}

TEST(FlitLegality, TwoFlitsOnALink) {
  const FlitFunction algorithm(row_of_four(), flit_declaration(), [](FlitView& view) {
    while (view.waiting() > 0) view.send(east, view.accept());
  });
  expect_violation(algorithm, {{1, 2, 1, 3}, {1, 2, 1, 3}}, 3, 1, "put two flits on one link in one step");
}

TEST(FlitLegality, APortWithoutALink) {
  for (const Port port : {north, 4, 31, 32, -1}) {
    const FlitFunction algorithm(row_of_four(), flit_declaration(),
                                 [port](FlitView& view) { view.send(port, view.accept()); });
    expect_violation(algorithm, {{2, 0, 1, 0}}, 0, 2, "used a port that has no link");
  }
  const FlitFunction border(row_of_four(), flit_declaration(), [](FlitView& view) { view.send(west, view.accept()); });
  expect_violation(border, {{0, 3, 1, 2}}, 2, 0, "used a port that has no link");
}

TEST(FlitLegality, ALostArrival) {
  expect_violation(with_odd_middle([](FlitView&) {}), {{0, 3, 1, 0}}, 1, 1, conservation);
}

TEST(FlitLegality, AFlitLostFromTheMemory) {
  const FlitFunction algorithm(row_of_four(), flit_declaration(), [](FlitView& view) { view.accept(); });
  expect_violation(algorithm, {{3, 0, 1, 4}}, 4, 3, conservation);
}

TEST(FlitLegality, AFlitLostFromABuffer) {
  const auto odd = [](FlitView& view) {
    if (view.arrived() != 0) {
      view.push(east, view.arrival(west), 0);
      view.wake_at(view.step() + 2);
    } else if (!view.empty(east)) {
      view.pop(east);
    }
  };
  expect_violation(with_odd_middle(odd), {{0, 3, 1, 0}}, 3, 1, conservation);
}

TEST(FlitLegality, ADoubledFlit) {
  const auto send_and_keep = [](FlitView& view) {
    view.push(east, view.arrival(west), 0);
    view.send(east, view.arrival(west));
  };
  expect_violation(with_odd_middle(send_and_keep), {{0, 3, 1, 0}}, 1, 1, conservation);
  const auto both_ways = [](FlitView& view) {
    view.send(west, view.arrival(west));
    view.send(east, view.arrival(west));
  };
  expect_violation(with_odd_middle(both_ways), {{0, 3, 1, 0}}, 1, 1, conservation);
}

TEST(FlitLegality, AnInventedFlit) {
  for (const bool eject : {false, true}) {
    const auto invent = [eject](FlitView& view) {
      pass_on(view);
      Flit flit;
      flit.destination = eject ? view.node() : 3;
      flit.packet = eject ? no_packet : 0;
      if (eject) view.eject(flit);
      else view.push(west, flit, 0);
    };
    expect_violation(with_odd_middle(invent), {{0, 3, 1, 0}}, 1, 1, conservation);
  }
}

TEST(FlitLegality, AnExchangedFlit) {
  const auto other_packet = [](FlitView& view) {
    Flit flit = view.arrival(west);
    flit.packet = 1;
    view.send(east, flit);
  };
  expect_violation(with_odd_middle(other_packet), {{0, 3, 1, 0}, {3, 0, 1, 50}}, 1, 1, conservation);
}

/// Node 1 sends the first of what it has and gets, and then exchanges it for each other one; with what it gets back
/// it does `rest`.
FlitFunction exchanging(std::function<void(FlitView&, const Flit&)> rest) {
  return with_odd_middle([rest = std::move(rest)](FlitView& view) {
    pass_on(view);
    if (view.waiting() == 0) return;
    const Flit own = view.accept();
    if (view.sent() == 0) view.send(east, own);
    else rest(view, view.send_instead(east, own));
  });
}

TEST(FlitLegality, AFlitThatAnotherOneTookFromItsLink) {
  const std::vector<Packet> packets = {{0, 3, 1, 0}, {1, 3, 1, 1}};
  expect_violation(exchanging([](FlitView&, const Flit&) {}), packets, 1, 1, conservation);
  expect_violation(exchanging([](FlitView& view, const Flit& flit) {
                     view.push(east, flit, 0);
                     view.push(east, flit, 0);
                   }),
                   packets, 1, 1, conservation);
}

TEST(FlitLegality, AnExchangeOnALinkWithoutAPacket) {
  const std::string rule = "exchanged something that is not a packet's flit on a link";
  const auto first = [](FlitView& view) { view.send_instead(east, view.arrival(west)); };
  expect_violation(with_odd_middle(first), {{0, 3, 1, 0}}, 1, 1, rule);
  for (const bool key_first : {false, true}) {
    const auto key = [key_first](FlitView& view) {
      Flit flit = view.arrival(west), token;
      token.kind = FlitKind::token;
      view.send(east, key_first ? token : flit);
      view.send_instead(east, key_first ? flit : token);
    };
    expect_violation(with_odd_middle(key), {{0, 3, 1, 0}}, 1, 1, rule);
  }
}

TEST(FlitLegality, AnEjectedKey) {
  const FlitFunction algorithm(row_of_four(), flit_declaration(), [](FlitView& view) {
    Flit key;
    key.kind = FlitKind::key;
    if (view.node() == 0) view.send(east, key);
    if (view.node() == 1) view.eject(view.arrival(west));
  });
  expect_violation(algorithm, {{0, 3, 1, 0}}, 1, 1, conservation);
}

TEST(FlitLegality, MorePacketsThanTheBound) {
  Declaration declaration = flit_declaration();
  declaration.bound = 2;
  const auto keep = [](FlitView& view) {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1)
      view.push(east, view.arrival(lowest_port(left)), 0);
  };
  expect_violation(with_odd_middle(keep, declaration), {{0, 3, 1, 0}, {0, 3, 1, 0}, {0, 3, 1, 4}, {3, 0, 1, 50}}, 5, 1,
                   "keeps 3 packets, more than its bound of 2");
}

TEST(FlitLegality, TheBoundCountsWhatStaysOnly) {
  // A packet that has just arrived, and packets in their source's memory, do not count.
  Declaration declaration = flit_declaration();
  declaration.bound = 1;
  const auto one_step_each = [](FlitView& view) {
    if (!view.empty(east)) view.send(east, view.pop(east));
    if (view.arrived() != 0) {
      view.push(east, view.arrival(west), view.step());
      view.wake_at(view.step() + 1);
    }
  };
  ListSource source({{0, 3, 1, 0}, {0, 3, 1, 0}, {0, 3, 1, 0}});
  const NetlistRun run = run_netlist(row_of_four(), with_odd_middle(one_step_each, declaration), source);
  EXPECT_EQ(run.end, StepperEnd::all_delivered) << run.violation.text;
}

TEST(FlitLegality, SideWiresThatWereNotDeclared) {
  const auto reverse = [](FlitView& view) {
    pass_on(view);
    view.write_reverse(west, 1);
  };
  const auto forward = [](FlitView& view) {
    pass_on(view);
    view.write_forward(west, 1);
  };
  Declaration only_forward = flit_declaration(), only_reverse = flit_declaration();
  only_forward.forward_wire = only_reverse.reverse_wire = true;
  expect_violation(with_odd_middle(reverse, only_forward), {{0, 3, 1, 0}}, 1, 1,
                   "writes a reverse side wire that its algorithm did not declare");
  expect_violation(with_odd_middle(forward, only_reverse), {{0, 3, 1, 0}}, 1, 1,
                   "writes a forward side wire that its algorithm did not declare");
  const auto to_nowhere = [](FlitView& view) {
    pass_on(view);
    view.write_reverse(north, 1);
  };
  expect_violation(with_odd_middle(to_nowhere, only_reverse), {{0, 3, 1, 0}}, 1, 1, "used a port that has no link");
}

TEST(FlitLegality, APacketOfSeveralFlitsForAnAlgorithmOfSingleOnes) {
  // The packet of a higher node is refused in the same step.
  expect_violation(with_odd_middle(pass_on), {{0, 3, 1, 0}, {0, 3, 3, 6}, {3, 0, 3, 6}}, 6, 0,
                   "gets a packet of 3 flits, but its algorithm carries packets of one flit", false);
}

TEST(FlitLegality, OfSeveralViolationsTheEarliestStepThenTheLowestNodeCounts) {
  const FlitFunction algorithm(row_of_four(), flit_declaration(), [](FlitView& view) { view.accept(); });
  expect_violation(algorithm, {{0, 3, 1, 9}, {3, 1, 1, 5}, {1, 0, 1, 5}, {2, 1, 1, 5}}, 5, 1, conservation);
}

// ---- virtual channels

/// Two channels of two slots; ports of a row in the order of a mesh.
Declaration channel_declaration() { return router_declaration({1, 3, 2, 0}, 2, 2); }

/// Channels by name.
constexpr int east_0 = 0, west_0 = 2, local_0 = 8;

/// Sends what comes from the processor east in channel 0 and lets it out where it arrives; node 1 does `odd` first.
ChannelFunction with_odd_channels(ChannelFunction::Function odd, const router::Speedup& speedup = {},
                                  const std::vector<std::int32_t>& channels_of_nodes = {}) {
  Declaration declaration = channel_declaration();
  declaration.channels_of_nodes = channels_of_nodes;
  declaration.pipelines.common.speedup = speedup;
  return {row_of_four(), declaration, [odd = std::move(odd)](ChannelView<1>& view) {
            if (view.node() == 1) odd(view);
            const auto& channels = view.channels();
            channels.occupied().for_each([&](int in) {
              const int out = view.front(in).destination == view.node() ? local_0 : east_0;
              if (!channels.active().has(in) && channels.free().has(out)) view.allocate(in, out);
            });
            channels.ready().for_each([&](int in) { view.send(in); });
            if (view.waiting() > 0 && view.source_credits().has(0) && view.round() == 0) view.inject(0);
            view.run_again();
          }};
}

void expect_broken(const std::string& text, Step step, const ChannelFunction::Function& odd,
                   const router::Speedup& speedup = {}) {
  expect_violation(with_odd_channels(odd, speedup), {{1, 3, 3, 0}}, step, 1, text, false);
}

TEST(ChannelLegality, ASoundControllerIsLeftAlone) {
  ListSource source({{1, 3, 3, 0}});
  const NetlistRun run = run_netlist(row_of_four(), with_odd_channels([](ChannelView<1>&) {}), source);
  EXPECT_EQ(run.end, StepperEnd::all_delivered) << run.violation.text;
}

TEST(ChannelLegality, OutputChannelsGoToHeads) {
  const std::string no_head = "gave an output channel to a channel that has no head at its front, or that owns one";
  expect_broken(no_head, 0, [](ChannelView<1>& view) { view.allocate(local_0, east_0); });
  expect_broken(no_head, 3, [](ChannelView<1>& view) {
    if (view.channels().active().has(local_0)) view.allocate(local_0, east_0 + 1);
  });
  expect_broken(no_head, 0, [](ChannelView<1>& view) { view.allocate(99, east_0); });
  const std::string not_free = "gave away an output channel that is not free, or that its link does not have";
  expect_broken(not_free, 2, [](ChannelView<1>& view) {
    if (view.step() == 2) view.allocate(local_0, 5);
  });
  expect_broken(not_free, 2, [](ChannelView<1>& view) {
    if (view.step() == 2) view.allocate(local_0, 10);
  });
  const ChannelFunction::Function second = [](ChannelView<1>& view) {
    if (view.step() == 2) view.allocate(local_0, east_0 + 1);
  };
  expect_violation(with_odd_channels(second, {}, {2, 2, 1, 2}), {{1, 3, 3, 0}}, 2, 1, not_free, false);
}

TEST(ChannelLegality, TheSwitchTakesWhatIsReadyOncePerPort) {
  const std::string not_ready = "sent from a channel that has no flit, no output channel or no credit";
  expect_broken(not_ready, 0, [](ChannelView<1>& view) { view.send(west_0); });
  expect_broken(not_ready, 0, [](ChannelView<1>& view) { view.send(-1); });
  expect_broken("let two flits leave an in-port, or take an out-port, in one step, or used a stalled link", 3,
                [](ChannelView<1>& view) {
                  if (view.channels().ready().has(local_0)) view.send(local_0);
                });
  expect_broken("sent more flits than there are channels", 0, [](ChannelView<1>& view) {
    for (int i = 0; i <= most_channels; ++i) view.send(0);
  });
}

TEST(ChannelLegality, SpeedupsHaveLimits) {
  const ChannelFunction::Function twice = [](ChannelView<1>& view) {
    if (view.channels().ready().has(local_0)) view.send(local_0);
  };
  expect_broken("let two flits leave an in-port, or take an out-port, in one step, or used a stalled link", 3, twice,
                {2, 2, 1, 0});
  expect_broken("injected a flit in a later round of a step", 0,
                [](ChannelView<1>& view) {
                  if (view.round() > 0) view.inject(0);
                },
                {1, 1, 2, 0});
}

TEST(ChannelLegality, NothingGoesOverALinkThatStalls) {
  ListSource source({{1, 3, 3, 0}});
  NetlistRunOptions options;
  options.network.stall_rate = 1;
  const NetlistRun run = run_netlist(row_of_four(), with_odd_channels([](ChannelView<1>&) {}), source, options);
  EXPECT_EQ(run.violation.step, 3);
  EXPECT_EQ(run.violation.node, 1);
  EXPECT_EQ(run.violation.text,
            "let two flits leave an in-port, or take an out-port, in one step, or used a stalled link");
}

TEST(ChannelLegality, TheProcessorSendsWhatItHasWhereThereIsRoom) {
  const ChannelFunction nowhere(row_of_four(), channel_declaration(), [](ChannelView<1>& view) { view.inject(2); });
  expect_violation(nowhere, {{1, 3, 3, 0}}, 0, 1, "injected a flit into a channel that has no room for it", false);
  const ChannelFunction two_ways(row_of_four(), channel_declaration(), [](ChannelView<1>& view) {
    if (view.waiting() > 0) view.inject(static_cast<int>(view.step() % 2));
  });
  expect_violation(two_ways, {{1, 3, 3, 0}}, 1, 1, "injected the flits of a packet into two channels", false);
  const ChannelFunction greedy_source(row_of_four(), channel_declaration(), [](ChannelView<1>& view) {
    if (view.waiting() > 0) view.inject(0);
  });
  expect_violation(greedy_source, {{1, 3, 3, 0}}, 2, 1, "injected a flit into a channel that has no room for it",
                   false);
  const ChannelFunction empty_source(row_of_four(), channel_declaration(), [](ChannelView<1>& view) {
    view.inject(0);
    view.wake_at(view.step() + 1);
  });
  expect_violation(empty_source, {{1, 3, 1, 7}}, 8, 1, "injected a flit although the memory is empty", false);
}

TEST(FlitLegality, IsReportedWithStepAndInstance) {
  fresh_context();
  const FlitFunction algorithm(row_of_four(), flit_declaration(),
                               [](FlitView& view) { view.send(north, view.accept()); });
  ListSource source({{2, 0, 1, 7}});
  Network network("network", network_of(row_of_four()), algorithm);
  network.fabric.set_source(&source, no_step);
  EXPECT_EQ(report_text([] { sc_core::sc_start(); }),
            "/starloom/contract: step 7: node_r00_c02 used a port that has no link");
}

TEST(ControllerArray, OfTheWrongKindAreRefused) {
  fresh_context();
  Declaration worms;
  worms.storage = StorageModel::links_only;
  const FlitFunction flits_for_worms(row_of_four(), worms, [](FlitView&) {});
  const WormFunction worms_for_flits(row_of_four(), {}, [](WormView&) {});
  const Network network("network", network_of(row_of_four()), flits_for_worms);
  EXPECT_THROW(sc_core::sc_start(1, sc_core::SC_NS), std::invalid_argument);
  fresh_context();
  const Network other("network", network_of(row_of_four()), worms_for_flits);
  EXPECT_THROW(sc_core::sc_start(1, sc_core::SC_NS), std::invalid_argument);
}

TEST(ControllerArray, WithVirtualChannelsNeedAnEngine) {
  fresh_context();
  Declaration channels = channel_declaration();
  channels.make_engine = nullptr;
  const ChannelFunction algorithm(row_of_four(), channels, [](ChannelView<1>&) {});
  const Network network("network", network_of(row_of_four()), algorithm);
  try {
    sc_core::sc_start(1, sc_core::SC_NS);
    FAIL() << "ran without an engine";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("begin its declaration with router_declaration()"));
  }
}

// ---- worms

Declaration worm_declaration(StorageModel storage = StorageModel::links_only) {
  Declaration declaration;
  declaration.storage = storage;
  declaration.most_flits = 0;
  return declaration;
}

/// Nodes 0 and 3 start a worm whenever they have one; the nodes between do `odd`.
WormFunction with_odd_middle(WormFunction::Function odd, StorageModel storage = StorageModel::links_only) {
  return {row_of_four(), worm_declaration(storage), [odd = std::move(odd)](WormView& view) {
            if (view.node() == 1 || view.node() == 2) return odd(view);
            for (PortMask left = view.arrived(); left != 0; left &= left - 1) view.eject(lowest_port(left));
            if (view.waiting() > 0) view.inject(view.node() == 0 ? east : west);
          }};
}

const std::vector<Packet> one_worm = {{0, 3, 2, 1}};

TEST(WormLegality, AnUndecidedHead) {
  expect_violation(with_odd_middle([](WormView&) {}), one_worm, 2, 1,
                   "left the head of a worm undecided: route, eject or hold it");
}

TEST(WormLegality, HoldWhereNothingStands) {
  const auto hold = [](WormView& view) { view.hold(west); };
  expect_violation(with_odd_middle(hold, StorageModel::never_standing), one_worm, 2, 1,
                   "holds a worm, which must move in every step");
  ListSource source(one_worm);
  EXPECT_EQ(run_netlist(row_of_four(), with_odd_middle(hold), source).end, StepperEnd::nothing_pending);
}

TEST(WormLegality, TwoHeadsForOneLink) {
  const auto both_east = [](WormView& view) {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1)
      view.route(lowest_port(left), view.node() == 1 ? east : west);
  };
  // Both heads reach node 1 in step 3; that from node 3 through node 2.
  const auto meet_in_1 = [both_east](WormView& view) {
    if (view.node() == 2 && (view.arrived() >> west & 1) != 0) return view.eject(west);
    both_east(view);
  };
  expect_violation(with_odd_middle(meet_in_1), {{0, 3, 1, 2}, {3, 0, 1, 1}}, 3, 1,
                   "put two flits on one link in one step");
}

TEST(WormLegality, AHeadAndANewWormForOneLink) {
  const auto start_too = [](WormView& view) {
    if (view.arrived() == 0) return;
    view.route(west, east);
    view.inject(east);
  };
  expect_violation(with_odd_middle(start_too), {{0, 3, 2, 0}, {1, 3, 2, 0}}, 1, 1,
                   "put two flits on one link in one step");
}

TEST(WormLegality, AWormIntoARegisterWhereAnotherHolds) {
  const auto hold = [](WormView& view) {
    if (view.arrived() != 0) view.hold(west);
  };
  expect_violation(with_odd_middle(hold), {{0, 3, 1, 0}, {0, 3, 1, 4}}, 4, 0,
                   "sends packets 0 and 1 into one register, that of link_r00_c00_east");
}

TEST(WormLegality, AWormIntoTheMiddleOfAnother) {
  const auto on = [](WormView& view) { view.route(west, east); };
  // In steps 0 to 2 the first worm's flits cross the first link.
  expect_violation(with_odd_middle(on), {{0, 3, 3, 0}, {0, 3, 1, 2}}, 2, 0,
                   "sends packets 0 and 1 into one register, that of link_r00_c00_east");
  ListSource source({{0, 3, 3, 0}, {0, 3, 1, 3}});
  EXPECT_EQ(run_netlist(row_of_four(), with_odd_middle(on), source).end, StepperEnd::all_delivered);
}

TEST(WormLegality, AWormIntoItself) {
  const auto back_and_forth = [](WormView& view) {
    const Port in = lowest_port(view.arrived());
    view.route(in, view.node() == 1 ? east : in);
  };
  // The head turns back at node 2 and once more at node 1, while its first body flit leaves node 1 eastward.
  expect_violation(with_odd_middle(back_and_forth), {{0, 3, 4, 0}}, 3, 1,
                   "sends packets 0 and 0 into one register, that of link_r00_c01_east");
}

TEST(WormLegality, AControlObjectIntoAnOccupiedRegister) {
  const WormFunction algorithm(row_of_four(), worm_declaration(), [](WormView& view) {
    if (view.node() == 1 && (view.arrived() >> west & 1) != 0) view.hold(west);
    if (view.node() != 0) return;
    Flit token;
    token.kind = FlitKind::token;
    if (view.waiting() > 0) view.inject(east);
    else view.send_control(east, token);
    view.wake_at(view.step() + 3);
  });
  expect_violation(algorithm, {{0, 3, 1, 0}}, 3, 0,
                   "sends a control object into the register of link_r00_c00_east, which a worm occupies");
}

TEST(WormLegality, AFlitOfAWormSentAsAControlObject) {
  const auto forge = [](WormView& view) {
    view.route(west, east);
    view.send_control(west, view.arrival(west));
  };
  expect_violation(with_odd_middle(forge), one_worm, 2, 1, "sent a flit of a worm as if it were a control object");
}

TEST(WormLegality, DecidedTwice) {
  const auto twice = [](WormView& view) {
    view.route(west, east);
    view.eject(west);
  };
  expect_violation(with_odd_middle(twice), one_worm, 2, 1, "decided twice upon one worm");
}

TEST(WormLegality, AReleaseOfWhatDoesNotHold) {
  const auto release = [](WormView& view) { view.release(west, east); };
  expect_violation(with_odd_middle(release), one_worm, 2, 1, "released a worm that does not hold");
}

TEST(WormLegality, ADecisionAboutNothing) {
  const auto elsewhere = [](WormView& view) {
    view.route(west, east);
    view.eject(east);
  };
  expect_violation(with_odd_middle(elsewhere), one_worm, 2, 1, "decided upon a worm whose head is elsewhere");
}

TEST(WormLegality, AWormIntoAPortWithoutALink) {
  for (const Port port : {north, 31, -1}) {
    const auto off = [port](WormView& view) { view.route(west, port); };
    expect_violation(with_odd_middle(off), one_worm, 2, 1, "used a port that has no link");
  }
}

TEST(WormLegality, AnInjectionFromAnEmptyMemory) {
  const auto inject = [](WormView& view) {
    view.eject(west);
    view.inject(east);
  };
  expect_violation(with_odd_middle(inject), one_worm, 2, 1, "injected a worm although the memory is empty");
}

TEST(WormLegality, TwoInjectionsInAStep) {
  const WormFunction algorithm(row_of_four(), worm_declaration(), [](WormView& view) {
    view.inject(east);
    view.inject(west);
  });
  expect_violation(algorithm, {{1, 3, 2, 0}, {1, 0, 2, 0}}, 0, 1, "injected two worms in one step");
}

TEST(WormLegality, AnInjectionOfWhatIsElsewhere) {
  const auto inject = [](WormView& view) {
    view.eject(west);
    view.inject_packet(0, east, 0, {});
  };
  expect_violation(with_odd_middle(inject), one_worm, 2, 1, "injected a worm that is not in the memory");
}

TEST(WormLegality, AnyPacketOfTheMemoryMayGoFirst) {
  const WormFunction algorithm(row_of_four(), worm_declaration(), [](WormView& view) {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) view.eject(lowest_port(left));
    // The last of three packets, then the first, then the one between.
    constexpr PacketId order[] = {2, 0, 1};
    if (view.node() != 2 || view.step() > 2) return;
    view.inject_packet(order[view.step()], east, 0, {});
    view.wake_at(view.step() + 1);
  });
  ListSource source({{2, 3, 1, 0}, {2, 3, 1, 0}, {2, 3, 1, 0}});
  EXPECT_THAT(run_netlist(row_of_four(), algorithm, source).record.delivered, testing::ElementsAre(2, 3, 1));
}

TEST(WormLegality, SideWiresThatWereNotDeclared) {
  const auto write = [](WormView& view) {
    view.route(west, east);
    view.write_reverse(west, 1);
  };
  expect_violation(with_odd_middle(write), one_worm, 2, 1,
                   "writes a reverse side wire that its algorithm did not declare");
}

TEST(WormLegality, OfTwoViolationsTheOneOfADecisionCountsBeforeThatOfAMove) {
  // In step 4 node 0 sends a worm into an occupied register, and node 2 forgets a head.
  const auto odd = [](WormView& view) {
    if (view.node() == 1 && view.arrived() != 0) view.hold(west);
  };
  expect_violation(with_odd_middle(odd), {{0, 3, 1, 0}, {0, 3, 1, 4}, {3, 0, 1, 3}}, 4, 2,
                   "left the head of a worm undecided: route, eject or hold it");
}

}  // namespace
}  // namespace starloom::links
