// SPDX-License-Identifier: Apache-2.0
/// \file What the referee finds in runs with replies, and with processors that limit requests: every rule, broken once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/control/links/make_algorithm.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"
#include "unit/router_run.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;
using Keys = std::map<std::string, KeyValue>;

/// Requests of class 0, and their replies of class 1. The steps of the replies follow from those of a run without them,
/// whose requests then arrive in other steps; so this is repeated until they fit.
RouterRun answered_run(const LinkNetwork& network, const std::vector<Packet>& requests, std::int32_t places,
                       Keys keys = {}) {
  RouterRun run;
  run.graph = network.graph;
  keys["channels"] = std::int64_t{2};
  keys["buffer"] = std::int64_t{2};
  AlgorithmContext context{&network, 1};
  context.classes = {{"ask", routing::ChannelRange{0, 1}}, {"answer", routing::ChannelRange{1, 1}}};
  context.classes[0].reply = ReplyRules{3, 4, 0, 1, places};
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
  StepperOptions options;
  options.rules = plain_rules(keys);
  options.rules.classes = {{0, 0, 0, places}, {1, 1}};
  std::vector<Step> replied;
  for (std::vector<Packet> packets = requests;;) {
    ListSource source(packets);
    StepperResult result = run_stepper(network, *algorithm, source, options);
    packets = requests;
    std::vector<Step> due;
    for (std::size_t i = 0; i < result.record.packets.size(); ++i) {
      const Packet& request = result.record.packets[i];
      const Step delivered = result.record.delivered[i];
      if (request.reply || delivered == no_step) continue;
      packets.push_back({request.destination, request.source, 3, delivered + 4, true, 1, 0});
      due.push_back(delivered + 4);
    }
    if (std::exchange(replied, due) != due) continue;
    run.packets = result.record.packets;
    run.delivered = result.record.delivered;
    run.rows = std::move(result.rows);
    run.credits = std::move(result.credits);
    break;
  }
  run.rules.storage = RefereeRules::Storage::virtual_channels;
  run.rules.channels = 2;
  run.rules.capacity = 2;
  run.rules.routes_own = true;
  run.rules.router = router_rules(algorithm->declaration().pipelines);
  run.rules.classes = {{0, 0, RefereeRules::Reply{1, 3, 4, places}}, {1, 1}};
  return run;
}

/// Every node sends two requests to the same node.
std::vector<Packet> requests_to(NodeId target, const std::vector<NodeId>& sources) {
  std::vector<Packet> packets;
  for (const NodeId source : sources)
    for (int k = 0; k < 2; ++k) packets.push_back(packet_of_class(0, source, target, 1 + k, k));
  return packets;
}

RouterRun run_on_mesh(std::int32_t places, Keys keys = {}) {
  return answered_run(network_of(Grid::mesh({2, 3})), requests_to(4, {0, 1, 2, 3, 4, 5}), places, std::move(keys));
}
/// The processors are nodes 0 to 5.
RouterRun run_on_terminals(std::int32_t places) {
  return answered_run(concentrated_mesh({1, 2}, 3), requests_to(0, {0, 1, 2, 3, 4, 5}), places);
}

TEST(ReplyAudit, AcceptsSoundRuns) {
  for (const std::int32_t places : {0, 1, 3})
    for (RouterRun run :
         {run_on_mesh(places), run_on_terminals(places), run_on_mesh(places, {{"speedup.output", std::int64_t{2}}}),
          run_on_mesh(places, {{"speedup.internal", std::int64_t{2}}})}) {
      EXPECT_EQ(run.packets.size() % 2, 0u);
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
}

TEST(ReplyAudit, FindsRequestsWithoutAReply) {
  for (const auto& change : std::initializer_list<std::function<void(RefereeRules::Reply&)>>{
           [](RefereeRules::Reply& reply) { reply.service = 5; }, [](RefereeRules::Reply& reply) { reply.flits = 2; },
           [](RefereeRules::Reply& reply) { reply.traffic_class = 0; }}) {
    RouterRun run = run_on_mesh(0);
    change(*run.rules.classes[0].reply);
    EXPECT_THAT(run.verdict(), HasSubstr("has no reply of "));
  }
}

TEST(ReplyAudit, FindsMoreRequestsThanPlaces) {
  for (RouterRun run : {run_on_mesh(3), run_on_terminals(3)}) {
    run.rules.classes[0].reply->places = 2;
    EXPECT_THAT(run.verdict(),
                HasSubstr("is consumed although the replies to 2 requests of its class have not left the node"));
  }
}

/// A place is free in the step after that in which the tail of the reply leaves, not before.
TEST(ReplyAudit, FindsARequestThatTakesAPlaceOneStepEarly) {
  const RouterRun sound = run_on_mesh(1);
  std::size_t found = 0;
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    const TraceRow& tail = sound.rows[i];
    if (tail.event != TraceEvent::inject || !sound.packets[static_cast<std::size_t>(tail.packet)].reply ||
        tail.flit != 2)
      continue;
    RouterRun run = sound;
    for (TraceRow& row : run.rows)
      if (row.event == TraceEvent::eject && row.step == tail.step + 1 && row.node == tail.node && row.flit == 0) {
        --row.step;
        ++found;
        run.sort();
        EXPECT_NE(run.verdict(), "");
      }
  }
  EXPECT_GT(found, 3u);
}

/// Flits that left their buffers long ago, but are not consumed, need more room than the processor has.
TEST(ReplyAudit, FindsFlitsWithoutRoomAtTheirProcessor) {
  RouterRun run = answered_run(network_of(Grid::mesh({1, 2})), requests_to(1, {0, 0, 0, 0}), 100);
  for (TraceRow& row : run.rows)
    if (row.event == TraceEvent::eject && row.node == 1) row.step += 1000;
  run.sort();
  EXPECT_THAT(run.verdict(),
              HasSubstr("more than 4 flits wait for the processor, which is all the room of its channels"));
}

/// Two packets that wait at a terminal are consumed in each other's steps.
TEST(ReplyAuditOfTerminals, FindsFlitsThatAreConsumedOutOfOrder) {
  const RouterRun sound = run_on_terminals(1);
  std::size_t found = 0;
  for (std::size_t i = 0; i < sound.rows.size(); ++i)
    for (std::size_t j = i + 1; j < sound.rows.size(); ++j) {
      const TraceRow &first = sound.rows[i], &second = sound.rows[j];
      const auto is_single = [&](const TraceRow& row) {
        return row.event == TraceEvent::eject && row.node == 0 &&
               sound.packets[static_cast<std::size_t>(row.packet)].flits == 1;
      };
      if (!is_single(first) || !is_single(second)) continue;
      RouterRun run = sound;
      std::swap(run.rows[i].packet, run.rows[j].packet);
      std::swap(run.delivered[static_cast<std::size_t>(first.packet)],
                run.delivered[static_cast<std::size_t>(second.packet)]);
      EXPECT_NE(run.verdict(), "");
      found += run.verdict().find("is consumed before another flit of its channel") != std::string::npos ? 1 : 0;
    }
  EXPECT_GT(found, 0u);
}

}  // namespace
}  // namespace starloom::links
