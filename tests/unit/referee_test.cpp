// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/referee.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <stdexcept>
#include <tuple>

#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/network_graph_builder.hpp>

#include "sample_traces.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;
using Event = TraceEvent;

// ---- Sound traces ---------------------------------------------------------------------------------------------------

struct Model {
  const char* name;
  SampleRun (*make)();
};
constexpr Model store_and_forward_model{"store_and_forward", bounded_sample};
constexpr Model virtual_channels_model{"virtual_channels", virtual_channels_sample};
constexpr Model links_only_model{"links_only", links_only_sample};
constexpr Model never_standing_model{"never_standing", never_standing_sample};
constexpr Model models[] = {store_and_forward_model, virtual_channels_model, links_only_model, never_standing_model};

TEST(Referee, AcceptsSoundTraces) {
  for (const Model& model : models) EXPECT_EQ(verdict(model.make()), "") << model.name;
}

TEST(Referee, AcceptsStoreAndForwardAtAnyLatencyOnAnyGrid) {
  for (std::int32_t latency = 1; latency <= 4; ++latency)
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      for (const Grid& grid : {Grid::mesh({4, 5}), Grid::torus({5, 4}), Grid::mesh({2, 3, 4}), Grid::torus({2, 2, 3}),
                               Grid::torus({1, 7})}) {
        std::int32_t most = 0;
        SampleRun run = store_and_forward_sample(grid, seed, latency, &most);
        run.rules.bound = most;
        EXPECT_EQ(verdict(run), "") << "seed " << seed << ", latency " << latency;
        if (most < 2) continue;
        run.rules.bound = most - 1;
        EXPECT_THAT(verdict(run), HasSubstr("more than the bound of " + std::to_string(most - 1)));
      }
}

TEST(Referee, AcceptsTheExampleOfTheInterface) {
  SampleRun run{Grid::mesh({1, 3})};
  run.packets = {{0, 2, 1, 0}, {1, 2, 1, 0}};
  run.delivered = {2, 2};
  run.rows = {{0, Event::inject, 0, 0, 0, -1, -1}, {0, Event::inject, 1, 0, 1, -1, -1},
              {0, Event::hop, 0, 0, 0, 1, 1},      {0, Event::hop, 1, 0, 1, 1, 2},
              {1, Event::hop, 0, 0, 1, 1, 2},      {1, Event::eject, 1, 0, 2, -1, -1},
              {2, Event::eject, 0, 0, 2, -1, -1}};
  EXPECT_THAT(verdict(run), HasSubstr("packet 1, flit 0 is reported delivered in step 2, but by the rows it arrives in "
                                      "step 1"));
  run.delivered = {2, 1};
  EXPECT_EQ(verdict(run), "");
  // The lowest packet may be left as little as others.
  run.rows.pop_back();
  run.delivered[0] = no_step;
  EXPECT_EQ(verdict(run, false), "");
  EXPECT_THAT(verdict(run, true), HasSubstr("packet 0, flit 0 never arrives"));
}

TEST(Referee, AcceptsAnIncompleteRunWhereNothingIsWrong) {
  for (const Model& model : models) {
    SampleRun run = model.make();
    const Step cut = 3;
    run.rows.erase(std::find_if(run.rows.begin(), run.rows.end(), [](const TraceRow& row) { return row.step >= cut; }),
                   run.rows.end());
    for (Step& step : run.delivered)
      if (step >= cut) step = no_step;
    EXPECT_EQ(verdict(run, false), "") << model.name;
    EXPECT_THAT(verdict(run, true), HasSubstr("never arrives; it remains in node_")) << model.name;
  }
}

TEST(Referee, AcceptsARunWithoutTravel) {
  SampleRun run{Grid::mesh({2, 2})};
  run.add({1, 1, 1, 0});
  EXPECT_EQ(verdict(run), "");
  EXPECT_EQ(verdict(SampleRun{Grid::mesh({2, 2})}), "");
}

TEST(Referee, PacketsMayBeAnnouncedAsTheyAreCreated) {
  const SampleRun run = never_standing_sample();
  Referee referee(make_grid_graph(run.topology, run.latency), run.rules);
  std::size_t announced = 0;
  for (Step step = 0; step <= 10; ++step) {
    std::vector<Packet> next;
    while (announced < run.packets.size() && run.packets[announced].created <= step)
      next.push_back(run.packets[announced++]);
    referee.packets(next);
    std::vector<TraceRow> rows;
    for (const TraceRow& row : run.rows)
      if (row.step == step) rows.push_back(row);
    referee.rows(rows);
  }
  referee.finish(run.delivered, true);
  EXPECT_TRUE(referee.ok());
  EXPECT_EQ(referee.rows_seen(), static_cast<std::int64_t>(run.rows.size()));
}

TEST(Referee, KeepsTheBoundOfEachNode) {
  SampleRun run = bounded_sample();
  const std::int32_t most = run.rules.bound;
  run.rules.residents.assign(static_cast<std::size_t>(run.topology.nodes()), most);
  run.rules.bound = 0;
  EXPECT_EQ(verdict(run), "");
  int rejected = 0;
  for (std::int32_t& residents : run.rules.residents) {
    --residents;
    const std::string said = verdict(run);
    if (!said.empty()) {
      EXPECT_THAT(said, HasSubstr("packets stay at the end of the step, more than the bound of "));
      ++rejected;
    }
    ++residents;
  }
  EXPECT_GE(rejected, 1);
  EXPECT_LT(rejected, run.topology.nodes());
}

TEST(Referee, AForeignNodeStoresAsMuchAsItLikes) {
  SampleRun run = bounded_sample();
  run.rules.bound = 1;
  ASSERT_NE(verdict(run), "");
  for (NodeId node = 0; node < run.topology.nodes(); ++node) run.rules.foreign.push_back(node);
  EXPECT_EQ(verdict(run), "");
}

TEST(Referee, NamesPlaceAndPacketInOneSentence) {
  SampleRun run = links_only_sample();
  for (TraceRow& row : run.rows)
    if (row.event == Event::hop && row.packet == 1 && row.flit == 1 && row.step == 3) row.node = 8, row.to = 9;
  run.sort();
  EXPECT_EQ(verdict(run), "step 3, link_r01_c03_east: packet 1, flit 1 moves, but it is in node_r01_c00");

  Referee referee(make_grid_graph(run.topology, run.latency), run.rules);
  referee.packets(run.packets);
  referee.rows({{7, Event::key, no_packet, -1, 2, 0, 1}});
  ASSERT_FALSE(referee.ok());
  EXPECT_EQ(referee.violation().step, 7);
  EXPECT_EQ(referee.violation().node, 2);
  EXPECT_EQ(referee.violation().text, "step 7, link_r00_c02_north: a key leaves through a port that has no link");
  referee.rows({{1, Event::key, no_packet, -1, 2, 0, 1}});
  referee.finish({}, true);
  EXPECT_EQ(referee.violation().step, 7) << "the first violation counts";
}

TEST(Referee, RefusesImpossibleRules) {
  const NetworkGraph slow = make_grid_graph(Grid::mesh({2, 2}), 2);
  RefereeRules rules;
  EXPECT_NO_THROW(Referee(slow, rules));
  rules.storage = RefereeRules::Storage::never_standing;
  EXPECT_THROW(Referee(slow, rules), std::invalid_argument);
}

// ---- Damaged traces -------------------------------------------------------------------------------------------------

/// A damage, and what the referee is to say about it.
struct Damage {
  const char* name;
  std::function<void(SampleRun&)> apply;
  const char* says;
};
struct Case {
  Model model;
  Damage damage;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.damage.name; }
};

/// The first row of an event from `step` on, of a packet and flit if they are given.
TraceRow& row_of(SampleRun& run, Event event, Step step = 0, PacketId packet = no_packet, std::int32_t flit = -1) {
  for (TraceRow& row : run.rows)
    if (row.event == event && row.step >= step && (packet == no_packet || row.packet == packet) &&
        (flit < 0 || row.flit == flit))
      return row;
  throw std::logic_error("the sample has no such row");
}
void remove(SampleRun& run, const TraceRow& row) { run.rows.erase(run.rows.begin() + (&row - run.rows.data())); }
void insert(SampleRun& run, const TraceRow& row) {
  run.rows.push_back(row);
  run.sort();
}
/// A packet that crosses at least two links, one in step 1.
PacketId traveller(SampleRun& run) {
  for (const TraceRow& row : run.rows)
    if (row.event == Event::hop && row.step == 1 && row.flit == 0 && run.packets[row.packet].destination != row.to)
      return row.packet;
  throw std::logic_error("nobody travels");
}
/// Another port of the row's node that has a link.
void turn(const SampleRun& run, TraceRow& row) {
  const Port old = row.port;
  do {
    row.port = (row.port + 1) % run.topology.ports();
    row.to = run.topology.neighbour(row.node, row.port);
  } while (row.to == no_node || row.port == old);
}

const std::vector<Damage>& common_damages() {
  static const std::vector<Damage> damages = {
      {"removed_inject", [](SampleRun& r) { remove(r, row_of(r, Event::inject)); }, "not injected"},
      {"removed_hop", [](SampleRun& r) { remove(r, row_of(r, Event::hop, 1, traveller(r), 0)); }, ""},
      {"removed_eject", [](SampleRun& r) { remove(r, row_of(r, Event::eject)); }, ""},
      {"doubled_row", [](SampleRun& r) { insert(r, row_of(r, Event::hop, 1)); }, "same row twice"},
      {"doubled_inject", [](SampleRun& r) { insert(r, row_of(r, Event::inject)); }, "same row twice"},
      {"changed_link",
       [](SampleRun& r) {
         turn(r, row_of(r, Event::hop, 1, traveller(r), 0));
         r.sort();
       },
       ""},
      {"changed_step",
       [](SampleRun& r) {
         ++row_of(r, Event::hop, 1, traveller(r), 0).step;
         r.sort();
       },
       ""},
      {"earlier_step",
       [](SampleRun& r) {
         --row_of(r, Event::hop, 1, traveller(r), 0).step;
         r.sort();
       },
       ""},
      {"swapped_rows",
       [](SampleRun& r) {
         TraceRow& hop = row_of(r, Event::hop, 1);
         std::swap(hop, *(&hop + 1));
       },
       "out of order"},
      {"swapped_steps", [](SampleRun& r) { std::swap(r.rows.front(), r.rows.back()); }, ""},
      {"steps_backwards",
       [](SampleRun& r) {
         TraceRow late = r.rows.front();
         late.step = 1;
         r.rows.push_back(late);
       },
       "after the rows of step"},
      {"two_flits_on_a_link",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::hop, 1);
         copy.packet = copy.packet == 0 ? 1 : 0;
         copy.flit = 0;
         insert(r, copy);
       },
       ""},
      {"key_on_a_used_link",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::hop, 1);
         copy.event = Event::key;
         copy.packet = no_packet;
         copy.flit = -1;
         insert(r, copy);
       },
       "a key is the second object on the link"},
      {"two_tokens_on_a_link",
       [](SampleRun& r) {
         insert(r, {1, Event::token, no_packet, -1, 0, r.topology.port_along(r.topology.dimensions() - 1, 1),
                    r.topology.neighbour(0, r.topology.port_along(r.topology.dimensions() - 1, 1))});
         TraceRow copy = row_of(r, Event::token, 1);
         copy.event = Event::key;
         insert(r, copy);
       },
       "second object on the link"},
      {"key_with_a_packet",
       [](SampleRun& r) {
         TraceRow key = row_of(r, Event::hop, 1);
         key.event = Event::key;
         insert(r, key);
       },
       "names a packet"},
      {"eject_elsewhere",
       [](SampleRun& r) {
         TraceRow& eject = row_of(r, Event::eject);
         eject.node = eject.node == 0 ? 1 : 0;
         r.sort();
       },
       "ejected, but its destination is"},
      {"early_eject",
       [](SampleRun& r) {
         --row_of(r, Event::eject, 0, traveller(r)).step;
         r.sort();
       },
       ""},
      {"late_eject",
       [](SampleRun& r) {
         ++row_of(r, Event::eject, 0, traveller(r)).step;
         r.sort();
       },
       ""},
      {"eject_as_store",
       [](SampleRun& r) {
         row_of(r, Event::eject).event = Event::store;
         r.sort();
       },
       "stored, but it is at its destination"},
      {"teleported",
       [](SampleRun& r) {
         TraceRow& hop = row_of(r, Event::hop, 1, traveller(r), 0);
         do {
           hop.node = (hop.node + 1) % r.topology.nodes();
           hop.to = r.topology.neighbour(hop.node, hop.port);
         } while (hop.to == no_node);
         r.sort();
       },
       ""},
      {"lost_flit",
       [](SampleRun& r) {
         const PacketId lost = traveller(r);
         r.rows.erase(std::remove_if(r.rows.begin(), r.rows.end(),
                                     [lost](const TraceRow& row) { return row.packet == lost && row.step > 1; }),
                      r.rows.end());
       },
       ""},
      {"lost_packet_reported_undelivered",
       [](SampleRun& r) {
         const PacketId lost = traveller(r);
         r.rows.erase(
             std::remove_if(r.rows.begin(), r.rows.end(), [lost](const TraceRow& row) { return row.packet == lost; }),
             r.rows.end());
         r.delivered[lost] = no_step;
       },
       "never arrives"},
      {"delivered_altered", [](SampleRun& r) { ++r.delivered[traveller(r)]; }, "but by the rows it arrives in step"},
      {"delivered_denied", [](SampleRun& r) { r.delivered[traveller(r)] = no_step; }, "is reported undelivered"},
      {"delivered_too_many", [](SampleRun& r) { r.delivered.push_back(3); }, "packets are reported"},
      {"delivered_too_few", [](SampleRun& r) { r.delivered.pop_back(); }, "packets are reported"},
      {"inject_before_created", [](SampleRun& r) { r.packets[traveller(r)].created = 4; }, "is injected before step 4"},
      {"inject_at_the_wrong_source",
       [](SampleRun& r) {
         TraceRow& inject = row_of(r, Event::inject);
         inject.node = (inject.node + 1) % r.topology.nodes();
         r.sort();
       },
       "is injected, but it is in the memory of"},
      {"injected_again",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::inject, 0, 0, 0);
         copy.step = r.delivered[0] + 1;
         insert(r, copy);
       },
       "injected a second time"},
      {"moves_after_eject",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::hop, 0, 0, 0);
         copy.step = r.delivered[0] + 1;
         insert(r, copy);
       },
       "ejected before"},
      {"ejected_again",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::eject, 0, 0, 0);
         copy.step = r.delivered[0] + 1;
         insert(r, copy);
       },
       "ejected before"},
      {"hop_across_the_border",
       [](SampleRun& r) {
         TraceRow& hop = row_of(r, Event::hop, 1);
         if (r.topology.kind() == GridKind::torus) hop.port = r.topology.ports();
         else hop = {hop.step, Event::hop, hop.packet, hop.flit, 0, 0, 1};
         r.sort();
       },
       ""},
      {"wrong_to", [](SampleRun& r) { ++row_of(r, Event::hop, 1).to; }, "but the link leads to"},
      {"hop_without_port",
       [](SampleRun& r) {
         row_of(r, Event::hop, 1).port = no_port;
         r.sort();
       },
       "uses port -1"},
      {"hop_without_to", [](SampleRun& r) { row_of(r, Event::hop, 1).to = no_node; }, "goes to node -1"},
      {"inject_with_a_port",
       [](SampleRun& r) {
         row_of(r, Event::inject).port = 0;
         r.sort();
       },
       "but does not cross a link"},
      {"eject_with_a_far_node", [](SampleRun& r) { row_of(r, Event::eject).to = 0; }, "but does not cross a link"},
      {"no_node",
       [](SampleRun& r) {
         row_of(r, Event::hop, 1).node = no_node;
         r.sort();
       },
       "names node -1"},
      {"node_outside",
       [](SampleRun& r) {
         row_of(r, Event::hop, 1).node = 1000;
         r.sort();
       },
       "names node 1000"},
      {"no_packet",
       [](SampleRun& r) {
         row_of(r, Event::eject).packet = no_packet;
         r.sort();
       },
       "is unknown"},
      {"packet_unknown",
       [](SampleRun& r) {
         row_of(r, Event::eject).packet = 99;
         r.sort();
       },
       "is unknown"},
      {"no_flit",
       [](SampleRun& r) {
         row_of(r, Event::hop, 1).flit = -1;
         r.sort();
       },
       "is unknown"},
      {"flit_unknown",
       [](SampleRun& r) {
         row_of(r, Event::hop, 1).flit = 7;
         r.sort();
       },
       "is unknown: its packet has"},
      {"packet_at_home_has_rows",
       [](SampleRun& r) {
         r.rules.routes_own = false;
         const PacketId home = r.add({0, 0, 1, 0});
         r.consume(9, home, 0, 0);
         r.sort();
       },
       "are the same node"},
      {"packet_at_home_is_late",
       [](SampleRun& r) {
         r.rules.routes_own = false;
         r.rows.erase(std::remove_if(r.rows.begin(), r.rows.end(),
                                     [&r](const TraceRow& row) {
                                       return row.packet >= 0 &&
                                              r.packets[row.packet].source == r.packets[row.packet].destination;
                                     }),
                      r.rows.end());
         for (std::size_t i = 0; i < r.packets.size(); ++i)
           if (r.packets[i].source == r.packets[i].destination) r.delivered[i] = r.packets[i].created;
         r.delivered[r.add({0, 0, 1, 0})] = 1;
       },
       "so it is delivered at its creation, in step 0"},
      {"empty_trace", [](SampleRun& r) { r.rows.clear(); }, "but the trace is empty"},
      {"source_outside", [](SampleRun& r) { r.packets[0].source = 1000; },
       "packet 0 has source 1000, but nodes are 0 to "},
      {"no_destination", [](SampleRun& r) { r.packets[0].destination = no_node; },
       "packet 0 has destination -1, but nodes are 0 to "},
      {"packet_without_flits", [](SampleRun& r) { r.packets[0].flits = 0; }, "has 0 flits"},
      {"foreign_destination_changed",
       [](SampleRun& r) {
         Packet& p = r.packets[traveller(r)];
         p.destination = p.source == 0 ? 1 : 0;
       },
       ""},
  };
  return damages;
}

const std::vector<Damage>& store_and_forward_damages() {
  static const std::vector<Damage> damages = {
      {"bound_exceeded", [](SampleRun& r) { --r.rules.bound; },
       "packets stay at the end of the step, more than the bound"},
      {"bound_exceeded_in_a_step_without_rows",
       [](SampleRun& r) {
         r = SampleRun{Grid::mesh({1, 3})};
         r.rules.bound = 1;
         for (const NodeId node : {0, 2}) {
           r.add({node, 1, 1, 0});
           r.row(0, Event::inject, node / 2, 0, node);
           r.row(0, Event::hop, node / 2, 0, node, node == 0 ? 1 : 3);
           r.consume(7, node / 2, 0, 1);
         }
         r.sort();
       },
       "step 1, node_r00_c01: 2 packets stay"},
      {"several_flits", [](SampleRun& r) { r.packets[3].flits = 2; }, "store-and-forward moves single-flit packets"},
      {"latency", [](SampleRun& r) { r.latency = 2; }, "when it is readable"},
      {"waiting_packet_jumps",
       [](SampleRun& r) {
         // The packet moves on from the node that it will only reach with its next hop.
         TraceRow& hop = row_of(r, Event::hop, 1, traveller(r), 0);
         hop.node = hop.to;
         hop.port = hop.port ^ 2;
         hop.to = r.topology.neighbour(hop.node, hop.port);
         r.sort();
       },
       "moves, but it is in"},
      {"injected_in_the_step_it_was_stored",
       [](SampleRun& r) {
         r = SampleRun{Grid::mesh({1, 3})};
         r.add({0, 2, 1, 0});
         r.row(0, Event::inject, 0, 0, 0);
         r.row(0, Event::hop, 0, 0, 0, 1);
         r.consume(1, 0, 0, 1);
         r.row(1, Event::inject, 0, 0, 1);
         r.row(1, Event::hop, 0, 0, 1, 1);
         r.consume(2, 0, 0, 2);
         r.sort();
       },
       ""},
  };
  return damages;
}

const std::vector<Damage>& virtual_channels_damages() {
  static const std::vector<Damage> damages = {
      {"over_capacity", [](SampleRun& r) { r.rules.channels = r.rules.capacity = 1; },
       "wait in buffers of 1 times 1 places"},
      {"latency", [](SampleRun& r) { r.latency = 2; }, "when it is readable"},
      {"second_ejection",
       [](SampleRun& r) {
         // Two packets arrive at node 1 in the same step.
         r = SampleRun{Grid::mesh({1, 3}), r.rules};
         for (const NodeId node : {0, 2}) {
           r.add({node, 1, 1, 0});
           r.row(0, Event::inject, node / 2, 0, node);
           r.row(0, Event::hop, node / 2, 0, node, node == 0 ? 1 : 3);
           r.consume(1, node / 2, 0, 1);
         }
         r.sort();
       },
       "second flit that its node consumes"},
      {"flits_exchanged_on_a_link",
       [](SampleRun& r) {
         std::swap(row_of(r, Event::hop, 0, 0, 1).flit, row_of(r, Event::hop, 0, 0, 2).flit);
         r.sort();
       },
       ""},
      {"body_overtakes",
       [](SampleRun& r) {
         // Flit 1 of packet 1 comes over the first link two steps before flit 0 leaves its far end.
         remove(r, row_of(r, Event::hop, 7, 1, 1));
         insert(r, {5, Event::hop, 1, 1, 1, 1, 2});
       },
       ""},
      {"body_leaves_the_path",
       [](SampleRun& r) {
         TraceRow& hop = row_of(r, Event::hop, 7, 1, 1);
         hop.port = 2;
         hop.to = hop.node + 5;
         r.sort();
       },
       "leaves the path of its head, which took link_r00_c01_east"},
      {"body_injected_before_its_head",
       [](SampleRun& r) {
         std::swap(row_of(r, Event::inject, 0, 1, 0).flit, row_of(r, Event::inject, 0, 1, 1).flit);
         r.sort();
       },
       "is injected before flit 0"},
      {"body_ejected_before_its_head",
       [](SampleRun& r) {
         std::swap(row_of(r, Event::eject, 0, 1, 1).flit, row_of(r, Event::eject, 0, 1, 2).flit);
         r.sort();
       },
       ""},
      {"body_not_injected", [](SampleRun& r) { remove(r, row_of(r, Event::inject, 0, 1, 2)); }, "was not injected"},
      {"body_injected_again",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::inject, 0, 1, 1);
         copy.step += 4;
         insert(r, copy);
       },
       "is injected a second time"},
      {"tail_lost", [](SampleRun& r) { remove(r, row_of(r, Event::eject, 0, 1, 2)); },
       "by the rows it has not arrived"},
      {"ejected_on_the_way",
       [](SampleRun& r) {
         // The head passes its destination and comes back; the body is consumed in passing.
         r = SampleRun{Grid::mesh({1, 3}), r.rules};
         r.add({0, 1, 2, 0});
         for (const std::int32_t flit : {0, 1}) {
           r.row(flit, Event::inject, 0, flit, 0);
           r.row(flit, Event::hop, 0, flit, 0, 1);
         }
         r.row(1, Event::hop, 0, 0, 1, 1);
         r.row(2, Event::hop, 0, 0, 2, 3);
         r.consume(3, 0, 0, 1);
         r.consume(4, 0, 1, 1);
         r.sort();
       },
       "before it has followed the whole path"},
  };
  return damages;
}

/// Damages of both worm models. Packet 0 has three flits and crosses at least three links.
const std::vector<Damage>& worm_damages() {
  static const std::vector<Damage> damages = {
      {"body_leaves_the_path",
       [](SampleRun& r) {
         turn(r, row_of(r, Event::hop, 2, 0, 1));
         r.sort();
       },
       ""},
      {"gap",
       [](SampleRun& r) {
         ++row_of(r, Event::hop, 2, 0, 2).step;
         r.sort();
       },
       ""},
      {"tail_left_behind", [](SampleRun& r) { remove(r, row_of(r, Event::hop, 2, 0, 2)); },
       "packet 0, flit 2 does not move, but other flits of its worm do"},
      {"inject_without_hop",
       [](SampleRun& r) {
         --row_of(r, Event::inject, 0, 0, 2).step;
         r.sort();
       },
       "injected out of turn"},
      {"body_not_injected", [](SampleRun& r) { remove(r, row_of(r, Event::inject, 0, 0, 2)); },
       "enters the network without being injected"},
      {"body_before_its_head",
       [](SampleRun& r) {
         remove(r, row_of(r, Event::inject, 0, 0, 0));
         row_of(r, Event::inject, 0, 0, 1).step = 0;
         r.sort();
       },
       "is injected before the head"},
      {"head_crosses_two_links",
       [](SampleRun& r) {
         TraceRow copy = row_of(r, Event::hop, 2, 0, 0);
         turn(r, copy);
         insert(r, copy);
       },
       ""},
      {"two_ejections_in_a_step",
       [](SampleRun& r) {
         --row_of(r, Event::eject, 0, 0, 2).step;
         r.sort();
       },
       ""},
      {"flit_ejected_before_the_head_arrives",
       [](SampleRun& r) {
         std::swap(row_of(r, Event::eject, 0, 0, 0).flit, row_of(r, Event::eject, 0, 0, 1).flit);
         r.sort();
       },
       ""},
      {"tail_ejected_late",
       [](SampleRun& r) {
         ++row_of(r, Event::eject, 0, 0, 2).step;
         r.sort();
       },
       ""},
      {"tail_lost", [](SampleRun& r) { remove(r, row_of(r, Event::eject, 0, 0, 2)); }, ""},
  };
  return damages;
}

const std::vector<Damage>& links_only_damages() {
  static const std::vector<Damage> damages = {
      {"enters_a_held_register",
       [](SampleRun& r) {
         // Packet 4 starts while the held worm's tail is in the register behind the first link.
         r.rows.erase(std::remove_if(r.rows.begin(), r.rows.end(), [](const TraceRow& row) { return row.packet == 4; }),
                      r.rows.end());
         add_worm(r, 4, 0, {1, 1}, 4, {5});
         r.sort();
       },
       "enters a register that a flit of packet 0 does not leave"},
      {"key_into_a_held_register",
       [](SampleRun& r) {
         insert(r, {3, Event::key, no_packet, -1, 1, 1, 2});
       },
       "a key enters a register that a flit of packet 0 does not leave"},
      {"part_of_a_held_worm_moves",
       [](SampleRun& r) {
         --row_of(r, Event::hop, 5, 0, 0).step;
         r.sort();
       },
       "does not move, but other flits of its worm do"},
      {"restart_before_all_is_stored",
       [](SampleRun& r) {
         row_of(r, Event::inject, 4, 2, 0).step = 3;
         r.sort();
       },
       ""},
      {"restart_elsewhere",
       [](SampleRun& r) {
         TraceRow& inject = row_of(r, Event::inject, 4, 2, 0);
         inject.node = 11;
         r.sort();
       },
       "it is in the memory of node_r02_c03"},
      {"consumed_without_a_hop",
       [](SampleRun& r) {
         const PacketId packet = r.add({7, 8, 1, 0});
         r.row(9, Event::inject, packet, 0, 7);
         r.row(9, Event::store, packet, 0, 7);
         r.sort();
       },
       "has not crossed a link"},
  };
  return damages;
}

const std::vector<Damage>& never_standing_damages() {
  static const std::vector<Damage> damages = {
      {"the_network_stands",
       [](SampleRun& r) {
         for (TraceRow& row : r.rows) row.step += row.step >= 4 ? 1 : 0;
         for (Step& step : r.delivered) step += step >= 4 ? 1 : 0;
       },
       "step 4, node_"},
      {"a_worm_stands",
       [](SampleRun& r) {
         r.rows.erase(std::remove_if(r.rows.begin(), r.rows.end(), [](const TraceRow& row) { return row.packet == 2; }),
                      r.rows.end());
         add_worm(r, 2, 4, {1, 1, 1}, 1, {3});
         r.sort();
       },
       "stops in the network"},
      {"a_consumed_worm_stands",
       [](SampleRun& r) {
         r.rows.erase(std::remove_if(r.rows.begin(), r.rows.end(), [](const TraceRow& row) { return row.packet == 2; }),
                      r.rows.end());
         add_worm(r, 2, 4, {1, 1, 1}, 1, {5});
         r.sort();
       },
       "packet 2, flit 1 stops in the network"},
      {"a_single_flit_stands_at_the_end",
       [](SampleRun& r) {
         for (TraceRow& row : r.rows) row.step += row.packet == 3 && row.flit == 1 && row.step == 10 ? 1 : 0;
         r.sort();
       },
       "step 10"},
  };
  return damages;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const Model& model, const std::vector<Damage>& damages) {
    for (const Damage& damage : damages) cases.push_back({model, damage});
  };
  for (const Model& model : models) add(model, common_damages());
  add(store_and_forward_model, store_and_forward_damages());
  add(virtual_channels_model, virtual_channels_damages());
  add(links_only_model, worm_damages());
  add(links_only_model, links_only_damages());
  add(never_standing_model, worm_damages());
  add(never_standing_model, never_standing_damages());
  return cases;
}

class DamagedTrace : public testing::TestWithParam<Case> {};

TEST_P(DamagedTrace, IsRejected) {
  SampleRun run = GetParam().model.make();
  ASSERT_EQ(verdict(run), "");
  GetParam().damage.apply(run);
  const std::string said = verdict(run);
  EXPECT_THAT(said, HasSubstr("step "));
  EXPECT_THAT(said, HasSubstr(GetParam().damage.says));
  RecordProperty("said", said);
}

INSTANTIATE_TEST_SUITE_P(Referee, DamagedTrace, testing::ValuesIn(all_cases()), [](const auto& test) {
  return std::string(test.param.model.name) + "_" + test.param.damage.name;
});

// ---- networks with switches, links of their own times

/// A fat tree of arity 2 and two levels: packets 0 -> 3 and 1 -> 0, and 2 -> 2 at home.
NetworkGraph small_tree() { return make_fat_tree(FatTree(2, 2)); }

struct TreeRun {
  std::vector<Packet> packets = {{0, 3, 1, 0}, {1, 0, 1, 0}, {2, 2, 1, 0}};
  std::vector<Step> delivered = {4, 2, 0};
  std::vector<TraceRow> rows = {{0, Event::inject, 0, 0, 0, no_port, no_node},
                                {0, Event::inject, 1, 0, 1, no_port, no_node},
                                {0, Event::hop, 0, 0, 0, 0, 4},
                                {0, Event::hop, 1, 0, 1, 0, 4},
                                {1, Event::hop, 1, 0, 4, 0, 0},
                                {1, Event::hop, 0, 0, 4, 3, 7},
                                {2, Event::hop, 0, 0, 7, 1, 5},
                                {2, Event::eject, 1, 0, 0, no_port, no_node},
                                {3, Event::hop, 0, 0, 5, 1, 3},
                                {4, Event::eject, 0, 0, 3, no_port, no_node}};
};

std::string verdict(TreeRun run, const NetworkGraph& graph, bool complete = true) {
  std::sort(run.rows.begin(), run.rows.end());
  Referee referee(graph, {});
  referee.packets(run.packets);
  std::vector<TraceRow> batch;
  for (std::size_t i = 0; i < run.rows.size();) {
    batch.clear();
    do batch.push_back(run.rows[i++]);
    while (i < run.rows.size() && run.rows[i].step == batch.front().step);
    referee.rows(batch);
  }
  referee.finish(run.delivered, complete);
  return referee.ok() ? "" : referee.violation().text;
}

TEST(referee_of_graphs, accepts_a_sound_run_on_a_fat_tree) { EXPECT_EQ(verdict(TreeRun(), small_tree()), ""); }

TEST(referee_of_graphs, rejects_damaged_runs_on_a_fat_tree) {
  const std::tuple<const char*, std::function<void(TreeRun&)>, const char*> damages[] = {
      {"eject_at_a_switch", [](TreeRun& r) { r.rows.back() = {3, Event::eject, 0, 0, 5, no_port, no_node}; },
       "step 3, switch_l0_01: packet 0, flit 0 is injected, ejected or stored by a switch"},
      {"store_at_a_switch", [](TreeRun& r) { r.rows[8] = {3, Event::store, 0, 0, 5, no_port, no_node}; },
       "is injected, ejected or stored by a switch"},
      {"inject_at_a_switch", [](TreeRun& r) { r.rows[0].node = 4; }, "is injected, ejected or stored by a switch"},
      {"packet_of_a_switch", [](TreeRun& r) { r.packets[0].source = 6; }, "comes from a switch"},
      {"packet_for_a_switch", [](TreeRun& r) { r.packets[0].destination = 6; }, "goes to a switch"},
      {"wrong_far_end", [](TreeRun& r) { r.rows[5].to = 6; }, "but the link leads to switch_l1_01"},
      {"no_such_link", [](TreeRun& r) { r.rows[2].port = 1; }, "leaves through a port that has no link"},
      {"no_such_port", [](TreeRun& r) { r.rows[2].port = 4; }, "which the node does not have"},
      {"no_such_node", [](TreeRun& r) { r.rows[6].node = 8; }, "which is not in the network"},
      {"jump",
       [](TreeRun& r) {
         r.rows[8].node = 4;
         r.rows[8].to = 1;
       },
       "moves, but it is in switch_l0_01"},
      {"lost", [](TreeRun& r) { r.rows.pop_back(); }, "by the rows it has not arrived"},
  };
  for (const auto& [name, damage, text] : damages) {
    TreeRun run;
    damage(run);
    EXPECT_THAT(verdict(run, small_tree()), HasSubstr(text)) << name;
  }
}

/// Three processors in a ring of one-way links; the first link has latency 3 and takes one flit per two steps.
NetworkGraph slow_ring() {
  NetworkGraphBuilder ring;
  for (const char* name : {"a", "b", "c"}) ring.add_node(NodeRole::processor, name);
  ring.add_link({0, 0}, {1, 1}, {3, 2});
  ring.add_link({1, 2}, {2, 0});
  ring.add_link({2, 1}, {0, 0});
  return ring.build();
}

TEST(referee_of_graphs, latency_and_interval_are_those_of_each_link) {
  TreeRun run;
  run.packets = {{0, 2, 1, 0}, {0, 1, 1, 0}};
  run.delivered = {4, 5};
  run.rows = {{0, Event::inject, 0, 0, 0, no_port, no_node},
              {0, Event::inject, 1, 0, 0, no_port, no_node},
              {0, Event::hop, 0, 0, 0, 0, 1},
              {2, Event::hop, 1, 0, 0, 0, 1},
              {3, Event::hop, 0, 0, 1, 2, 2},
              {4, Event::eject, 0, 0, 2, no_port, no_node},
              {5, Event::eject, 1, 0, 1, no_port, no_node}};
  EXPECT_EQ(verdict(run, slow_ring()), "");
  TreeRun early = run;
  early.rows[4].step = 2;
  EXPECT_THAT(verdict(early, slow_ring()), HasSubstr("moves before step 3, when it is readable"));
  TreeRun dense = run;
  dense.rows[3].step = 1;
  EXPECT_THAT(
      verdict(dense, slow_ring()),
      HasSubstr(
          "step 1, link_a_port0: packet 1, flit 0 crosses a link that carries one object per 2 steps, before step 2"));
  TreeRun back = run;
  back.rows[4] = {3, Event::hop, 0, 0, 1, 1, 0};
  EXPECT_THAT(verdict(back, slow_ring()), HasSubstr("leaves through a port that has no link")) << "an in-port only";
}

}  // namespace
}  // namespace starloom::links
