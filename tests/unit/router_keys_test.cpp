// SPDX-License-Identifier: Apache-2.0
/// \file The keys of allocators, arbiters and priorities in an experiment (docs/router-family.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

class RouterKeys : public CatalogueRuns {
 protected:
  static std::string mesh(const std::string& keys) {
    return experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, " + keys,
                      "uniform, rate: 0.3, flits: 3, warmup: 10, measure: 60");
  }
  std::string error(const std::string& keys) const { return refusal(standard_catalogue(), mesh(keys)); }
  /// The keys in `result.json` that are not in that of the default router.
  std::string kept(const std::string& keys) const {
    const auto routing = [this](const std::filesystem::path& folder) {
      return nlohmann::ordered_json::parse(read(folder / "result.json"))["experiment"]["routing"];
    };
    const auto folder = run(standard_catalogue(), mesh(keys), "out");
    EXPECT_TRUE(open_run_folder(folder, {topology_table()})->verify().ok()) << keys;
    nlohmann::ordered_json ours = routing(folder);
    const nlohmann::ordered_json standard = routing(run(standard_catalogue(), mesh("buffer: 8"), "standard"));
    for (const auto& [key, value] : standard.items()) ours.erase(key);
    return ours.dump();
  }
};

TEST_F(RouterKeys, AreKeptAsGivenWithTheirDefaults) {
  EXPECT_EQ(kept("allocator: islip, arbiter: round-robin, priority: none, donate: false"), "{}");
  EXPECT_EQ(kept("allocator: {islip: 1}"), "{}");
  EXPECT_EQ(kept("allocator: {islip: 2}"), R"({"allocator":{"islip":2}})");
  EXPECT_EQ(kept("channel_allocator: input-first, switch_allocator: islip"),
            R"({"channel_allocator":{"input-first":"round-robin"},"switch_allocator":{"islip":1}})");
  EXPECT_EQ(kept("channel_allocator: {output-first: {tree: 2, of: {tree: 1, of: matrix}}}"),
            R"({"channel_allocator":{"output-first":{"tree":2,"of":{"tree":1,"of":"matrix"}}}})");
  EXPECT_EQ(kept("arbiter: {tree: 1}"), R"({"arbiter":{"tree":1,"of":"round-robin"}})");
  EXPECT_EQ(kept("speculation: {allocator: wavefront}"),
            R"({"speculation":{"allocator":"wavefront","mask":"grants","check":"credit"}})");
  EXPECT_EQ(kept("stages: {channel: 2}"), R"({"stages":{"routing":0,"channel":2,"switch":1,"crossbar":1}})");
  EXPECT_EQ(kept("speedup: {input: 2}"), R"({"speedup":{"input":2,"output":1,"internal":1}})");
  EXPECT_EQ(kept("speedup: {output: 2, fifo: 3}"), R"({"speedup":{"input":1,"output":2,"internal":1,"fifo":3}})");
  EXPECT_EQ(kept("buffers: {places: 16}"), R"({"buffers":{"policy":"shared","places":16}})");
  EXPECT_EQ(kept("buffers: {policy: limited, places: 16, private: 2, limit: 5}"),
            R"({"buffers":{"policy":"limited","places":16,"private":2,"limit":5}})");
  EXPECT_EQ(kept("hold_switch: true, shuffle_requests: true, busy_when_full: false, wait_for_tail_credit: true"),
            R"({"hold_switch":true,"wait_for_tail_credit":true,"shuffle_requests":true})");
  EXPECT_EQ(kept("priority: age, donate: true, prefer_empty: true, allocator: wavefront"),
            R"({"allocator":"wavefront","priority":"age","donate":true,"prefer_empty":true})");
}

TEST_F(RouterKeys, AreRefusedWithAPlaceAndASuggestion) {
  for (
      const auto& [keys, text] : std::initializer_list<std::pair<const char*, const char*>>{
          {"allocator: wavfront",
           "59: routing.allocator: unknown allocator wavfront (did you mean wavefront?); known: islip, priority-islip, "
           "input-first, output-first, wavefront, wavefront-skip, lonely-output, piggyback"},
          {"switch_allocator: piggyback",
           "66: routing.switch_allocator: unknown switch_allocator piggyback; known: islip, priority-islip, "
           "input-first, output-first, wavefront, wavefront-skip, lonely-output"},
          {"allocator: {islip: 99}", "59: routing.allocator: islip: 99 is out of range (1 to 64)"},
          {"allocator: [islip]",
           "59: routing.allocator: a name, or a section such as {islip: 2}, is expected, not a list"},
          {"allocator: {islip: 2, islip: 3}",
           "59: routing.allocator: a name, or a section such as {islip: 2}, is expected, not a section"},
          {"allocator: {tree: 4, of: matrix}",
           "59: routing.allocator: unknown allocator tree; known: islip, "
           "priority-islip, input-first, output-first, wavefront, wavefront-skip, "
           "lonely-output, piggyback"},
          {"allocator: {input-first: {tree: 3}}", "48: routing.allocator: tree: 3 groups do not divide 10 requesters"},
          {"switch_allocator: {input-first: {tree: 2}}",
           "48: routing.switch_allocator: tree: 2 groups do not divide 5 requesters"},
          {"arbiter: {tree: 3}", "48: routing.arbiter: tree: 3 groups do not divide 2 requesters"},
          {"pipeline: 5, channel_allocator: piggyback",
           "80: routing.channel_allocator: piggyback needs a router with speculative: true, because heads get their "
           "channel with the switch"},
          {"allocator: wavefront, channel_allocator: islip, switch_allocator: islip",
           "59: routing.allocator: allocator has no effect, because channel_allocator and switch_allocator are given; "
           "remove it"},
          {"speculation: {mask: requests}",
           "68: routing.speculation.mask: a mask needs speculation.allocator, which grants speculative requests apart"},
          {"pipeline: 5, speculation: {allocator: islip}",
           "61: routing.speculation: speculation needs a router with speculative: true"},
          {"priority: oldest",
           "58: routing.priority: unknown priority oldest; known: none, class, age, network-age, local-age, hop-count, "
           "queue-length, sequence"},
          {"stages: {routing: 1}, pipeline: 4",
           "80: routing.pipeline: pipeline and stages give the same; remove one of them"},
          {"stages: {channel: 2}, speculative: true",
           "83: routing.speculative: speculative: true needs stages.channel: 1 and stages.switch: 1, because both "
           "allocations take place in one step"},
          {"stages: {switch: 0}", "65: routing.stages.switch: 0 is out of range (1 to 16)"},
          {"stages: {traversal: 2}",
           "57: unknown key routing.stages.traversal; known: routing, channel, switch, crossbar"},
          {"stages: 4",
           "56: routing.stages: a section with the keys routing, channel, switch, crossbar is expected, not 4"},
          {"speedup: {input: 3}",
           "65: routing.speedup.input: speedup.input: 3 needs at least as many channels, one for each sub-port, but "
           "channels is 2"},
          {"speedup: {output: 6}",
           "66: routing.speedup.output: speedup.output: 6 has no effect beyond the number of ports of a router, which "
           "is 5 here"},
          {"speedup: {internal: 5}", "68: routing.speedup.internal: 5 is out of range (1 to 4)"},
          {"speedup: {internal: 2}, stages: {crossbar: 2}",
           "68: routing.speedup.internal: speedup.internal: 2 needs stages.channel, stages.switch and stages.crossbar "
           "of 1 step, because a step then has several rounds of them"},
          {"speedup: {queue: 2}", "58: unknown key routing.speedup.queue; known: input, output, internal, fifo"},
          {"speedup: 2",
           "57: routing.speedup: a section with the keys input, output, internal, fifo is expected, not 2"},
          {"buffers: {places: 16}, buffer: 4",
           "79: routing.buffer: buffer and buffers give the same; remove one of them"},
          {"buffers: {policy: dynamic}",
           "57: routing.buffers.places is missing (places for flits of an in-port, "
           "for all its channels)"},
          {"buffers: {policy: adaptive, places: 16}",
           "66: routing.buffers.policy: unknown buffers.policy adaptive; known: shared, limited, dynamic, private"},
          {"buffers: {places: 5, private: 3}",
           "66: routing.buffers.places: an in-port with 2 channels and 3 private places for each has at least 6 "
           "places, "
           "but buffers.places is 5"},
          {"buffers: {places: 8, private: 0}", "78: routing.buffers.private: 0 is out of range (1 to 4096)"},
          {"buffers: {policy: private, places: 5}",
           "83: routing.buffers.places: with policy private, places is a multiple of the number of channels, but it is "
           "5 for 2 channels"},
          {"buffers: {policy: private, places: 8, private: 2}",
           "95: routing.buffers.private: with policy private all places are private; remove buffers.private"},
          {"buffers: {policy: limited, places: 8}",
           "66: routing.buffers.policy: policy limited needs buffers.limit, the most flits of a channel"},
          {"buffers: {places: 8, limit: 3}",
           "76: routing.buffers.limit: buffers.limit needs policy limited, not shared"},
          {"buffers: {places: 8}, speedup: {output: 2}",
           "88: routing.speedup.output: speedup.output: 2 needs private buffers, because the flits of one step would "
           "take the same shared place"},
          {"flow: store-and-forward",
           "54: routing.flow: unknown flow store-and-forward; known: wormhole, cut-through, bubble"},
          {"flow: cut-through, buffers: {places: 8}",
           "54: routing.flow: flow: cut-through needs buffers of its own for each channel, because packets of other "
           "channels could take the room of a packet; remove buffers, or set buffers.policy to private"},
          {"flow: bubble, function: dimension-order-plain",
           "54: routing.flow: flow: bubble needs a network of rings, such as a torus; others have no use for it"},
          {"stages: {switch: 2}, hold_switch: true",
           "82: routing.hold_switch: hold_switch needs stages.switch: 1, because a packet that holds its ports sends a "
           "flit per step"},
          {"next_hop_channels: true",
           "67: routing.next_hop_channels: next_hop_channels needs at least 5 channels, one for each of 5 ports, but "
           "there are 2"},
          {"next_hop_channels: true, function: odd-even",
           "67: routing.next_hop_channels: next_hop_channels needs a function whose next port depends on node and "
           "destination only, such as dimension-order, not odd-even"},
          {"next_hop_channels: true, pipeline: 5",
           "67: routing.next_hop_channels: next_hop_channels needs a router without a routing stage, because a head "
           "knows its next port on arrival"},
          {"donate: true", "56: routing.donate: flits have no priorities to donate; set priority"}}) {
    SCOPED_TRACE(keys);
    const std::string refused = error(keys);
    EXPECT_EQ(refused, std::string("e.yaml:3:") + text);
  }
}

TEST_F(RouterKeys, OfFlowControlNeedRoomForPackets) {
  EXPECT_EQ(
      error("flow: cut-through, buffer: 2"),
      "e.yaml:4:47: traffic: packets of 3 flits, but vc-wormhole moves only packets of at most 2 flits with flow: "
      "cut-through and buffers of 2; raise routing.buffer");
  const auto torus = [this](const std::string& keys, const std::string& more = "") {
    return refusal(standard_catalogue(),
                   experiment("topology: torus, shape: [4, 4]", "vc-wormhole, flow: bubble, " + keys,
                              "uniform, rate: 0.1, warmup: 10, measure: 60, flits: " + more));
  };
  EXPECT_EQ(
      torus("function: dimension-order-plain, buffer: 7", "{uniform: [1, 4]}"),
      "e.yaml:4:65: traffic: packets of 4 flits, but vc-wormhole moves only packets of at most 3 flits with flow: "
      "bubble and buffers of 7; raise routing.buffer");
  EXPECT_EQ(
      torus("function: dimension-order-plain, buffer: 9", "3, reply: {flits: 5, service: 2}"),
      "e.yaml:4:72: traffic: packets of 5 flits, but vc-wormhole moves only packets of at most 4 flits with flow: "
      "bubble and buffers of 9; raise routing.buffer");
  EXPECT_EQ(torus("channels: 2", "3"),
            "e.yaml:3:41: routing.flow: flow: bubble needs function: dimension-order-plain, which is free of deadlock "
            "with it, not dimension-order");
  EXPECT_EQ(torus("function: dimension-order-plain, wait_for_tail_credit: true", "3"),
            "e.yaml:3:104: routing.wait_for_tail_credit: wait_for_tail_credit: true does not work with flow: bubble, "
            "because a buffer then never takes a packet behind another; remove one of them");
}

TEST_F(RouterKeys, DivideChannelsByTheNextHopOnlyWhereThereAreRouters) {
  EXPECT_EQ(
      refusal(standard_catalogue(),
              experiment("topology: torus, shape: [4, 4]", "vc-wormhole, channels: 9, next_hop_channels: true",
                         "uniform, rate: 0.3, flits: 3, warmup: 10, measure: 60")),
      "e.yaml:3:67: routing.next_hop_channels: next_hop_channels needs at least 10 channels, one for each of 5 ports "
      "in each of 2 classes, but there are 9");
  // The function divides the channels of short rings, too, although these need only one.
  EXPECT_EQ(
      refusal(standard_catalogue(),
              experiment("topology: torus, shape: [3, 3]", "vc-wormhole, channels: 9, next_hop_channels: true",
                         "uniform, rate: 0.3, flits: 3, warmup: 10, measure: 60")),
      "e.yaml:3:67: routing.next_hop_channels: next_hop_channels needs at least 10 channels, one for each of 5 ports "
      "in each of 2 classes, but there are 9");
  EXPECT_EQ(refusal(standard_catalogue(),
                    experiment("topology: fat-tree, arity: 2, levels: 2",
                               "vc-wormhole, function: nearest-ancestor, channels: 8, next_hop_channels: true",
                               "uniform, rate: 0.3, flits: 3, warmup: 10, measure: 60")),
            "e.yaml:3:95: routing.next_hop_channels: next_hop_channels needs a router in every node, but proc_p00 is a "
            "terminal");
}

// The section of a function is refused with another function, even if it says what would be so anyway.
TEST_F(RouterKeys, OfOneFunctionAreRefusedWithAnother) {
  const auto with = [&](const std::string& routing) {
    return experiment("topology: fat-tree, arity: 2, levels: 2", routing, "uniform, rate: 0.1, warmup: 0, measure: 9");
  };
  for (const char* ascent : {"digits", "random", "adaptive"})
    EXPECT_EQ(refusal(standard_catalogue(),
                      with("vc-wormhole, function: up-down, nearest-ancestor: {ascent: " + std::string(ascent) + "}")),
              "e.yaml:3:81: routing.nearest-ancestor.ascent: only nearest-ancestor has the key "
              "nearest-ancestor.ascent, not up-down");
  EXPECT_EQ(
      refusal(standard_catalogue(), with("greedy, function: nearest-ancestor, nearest-ancestor: {ascent: adaptive}")),
      "e.yaml:3:40: routing.function: greedy follows one route, but nearest-ancestor, with its keys, has several "
      "ports for a node and a destination");
}

TEST_F(RouterKeys, WarnWhereAnAllocatorIgnoresPriorities) {
  const auto remark = [this](const std::string& keys) {
    const std::string file = scratch_.write("e.yaml", mesh(keys)).string();
    testing::internal::CaptureStdout();
    run_command(standard_catalogue(), {"run", file, "--out", scratch_.file("out").string(), "--force"});
    const std::string text = testing::internal::GetCapturedStdout();
    const std::size_t at = text.find("warning: ");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(remark("allocator: islip"), "");
  EXPECT_EQ(remark("allocator: wavefront, priority: age"), "");
  EXPECT_EQ(remark("prefer_empty: true"), "warning: channel_allocator islip ignores prefer_empty");
  const std::string then = " priorities, which then decide only the channel that requests the switch for its in-port";
  EXPECT_EQ(remark("priority: age"), "warning: channel_allocator islip and switch_allocator islip ignore" + then);
  EXPECT_EQ(remark("priority: age, allocator: wavefront, speculation: {allocator: lonely-output}"),
            "warning: speculation.allocator lonely-output ignores" + then);
}

}  // namespace
}  // namespace starloom
