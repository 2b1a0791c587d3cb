// SPDX-License-Identifier: Apache-2.0
// `queue` of routers is one figure: the same in result.json, in `show` and in `verify`.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include <starloom/core/links/run_record.hpp>
#include <starloom/inspection/links/snapshot.hpp>
#include <starloom/topologies/topology_table.hpp>

#include "cli/child_run.hpp"

namespace starloom::links {
namespace {

class QueueViews : public ChildTest {
 protected:
  void run(const std::string& network, const std::string& routing, const std::string& traffic,
           const std::string& more = "") {
    scratch_.write("e.yaml", fmt::format("schema: 1\nnetwork: {{{}}}\nrouting: {{algorithm: vc-wormhole, {}}}\n"
                                         "traffic: {{{}}}\n{}",
                                         network, routing, traffic, more));
    ASSERT_THAT(starloom("run e.yaml --trace --quiet --force --out out").status, testing::AnyOf(0, 4));
    result_ = nlohmann::json::parse(scratch_.read("out/result.json"));
  }
  /// The greatest number of packets in buffers that `show` has for a node, of all steps.
  QueueMaximum shown() const {
    const std::vector<TopologyEntry> topologies = topology_table();
    QueueMaximum most;
    const auto& deadlock = result_["deadlock"];
    const Step last = deadlock.is_null() ? result_["steps"].get<Step>() : deadlock["step"].get<Step>() + 4;
    for (Step step = 0; step <= last; ++step) {
      const Snapshot picture = take_snapshot(scratch_.file("out"), topologies, step);
      for (NodeId node = 0; node < picture.network.graph.nodes(); ++node)
        most.update(static_cast<std::int64_t>(picture.nodes[static_cast<std::size_t>(node)].in_buffers.size()), node,
                    step);
    }
    return most;
  }
  void expect_one_metric() {
    const auto& queue = result_["queue"];
    const QueueMaximum most = shown();
    EXPECT_EQ(queue["max"], most.max);
    if (most.max > 0) {
      EXPECT_EQ(queue["node"], most.node);
      EXPECT_EQ(queue["step"], most.step);
    }
    EXPECT_EQ(starloom("verify out").status, 0);
    auto changed = result_;
    changed["queue"] = {{"max", most.max + 1}, {"node", 0}, {"step", 0}};
    scratch_.write("out/result.json", changed.dump());
    const ProgramRun verified = starloom("verify out");
    EXPECT_EQ(verified.status, 3);
    EXPECT_THAT(verified.out + verified.err, testing::HasSubstr(fmt::format("queue.max is {}", most.max + 1)));
  }

  /// By the rows of a router of three cycles, flits are in a buffer until their last copy leaves.
  void expect_buffers_of_the_rows() const {
    std::map<std::tuple<NodeId, PacketId, int>, std::pair<Step, Step>> stays;  // [node, packet, flit] from, to
    std::istringstream trace(scratch_.read("out/trace.csv"));
    std::string line, cell;
    for (std::getline(trace, line); std::getline(trace, line);) {
      std::vector<std::string> cells;
      for (std::istringstream row(line); std::getline(row, cell, ',');) cells.push_back(cell);
      const Step step = std::stoll(cells[0]);
      const PacketId packet = std::stoi(cells[2]);
      const int flit = std::stoi(cells[3]);
      auto& here = stays[{std::stoi(cells[4]), packet, flit}];
      if (cells[1] == "inject") here.first = step + 2;
      else here.second = std::max(here.second, step - (cells[1] == "hop" ? 2 : 3));
      if (cells[1] == "hop") stays[{std::stoi(cells[6]), packet, flit}].first = step + 1;
    }
    const std::vector<TopologyEntry> topologies = topology_table();
    for (Step step = 0; step < result_["steps"].get<Step>(); ++step) {
      std::map<NodeId, std::set<PacketId>> packets;
      for (const auto& [flit, stay] : stays)
        if (stay.first <= step && step < stay.second) packets[std::get<0>(flit)].insert(std::get<1>(flit));
      const Snapshot picture = take_snapshot(scratch_.file("out"), topologies, step);
      for (NodeId node = 0; node < picture.network.graph.nodes(); ++node)
        EXPECT_THAT(picture.nodes[static_cast<std::size_t>(node)].in_buffers, testing::ElementsAreArray(packets[node]))
            << node << " in step " << step;
    }
  }

  nlohmann::json result_;
};

TEST_F(QueueViews, AgreeWithBacklogsInTheSources) {
  run("topology: mesh, shape: [4, 4]", "channels: 2, buffer: 4", "pattern: bit-complement, flits: 6");
  EXPECT_GT(result_["queue"]["max"], 1);
  expect_one_metric();
}

// With three cycles a flit that never waits is in no buffer at the end of any step.
TEST_F(QueueViews, AgreeOnFlitsThatNeverWait) {
  run("topology: mesh, shape: [1, 3]", "channels: 1", "pattern: shift, offset: 1");
  EXPECT_EQ(result_["queue"]["max"], 0);
  expect_one_metric();
}

TEST_F(QueueViews, AgreeWithTerminalsLongLinksAndIntervals) {
  scratch_.write(
      "net.yaml",
      "nodes: [{name: a}, {name: b}, {name: c}, {name: d}, {name: s, role: switch}, {name: t, role: switch}]\n"
      "links:\n"
      "  - {from: a, to: s, both: true, latency: 3}\n"
      "  - {from: b, to: s, both: true}\n"
      "  - {from: s, to: t, both: true, latency: 2, interval: 2}\n"
      "  - {from: t, to: c, both: true, interval: 3}\n"
      "  - {from: t, to: d, both: true, latency: 2}\n"
      "  - {from: c, to: d, both: true}\n");
  run("topology: graph, file: net.yaml", "channels: 2, buffer: 3, function: up-down, pipeline: 5",
      "pattern: uniform, rate: 0.2, flits: 4, warmup: 0, measure: 60", "stalls: {rate: 0.1}\nlimits: {latency: off}\n");
  EXPECT_GT(result_["queue"]["max"], 1);
  expect_one_metric();
}

TEST_F(QueueViews, AgreeInADeadlock) {
  run("topology: torus, shape: [4, 3]", "function: dimension-order-plain, buffer: 1",
      "pattern: shift, offset: 6, flits: 8");
  EXPECT_EQ(result_["outcome"], "deadlock");
  expect_one_metric();
}

// A packet to several destinations is in the buffers of several nodes at the same time.
TEST_F(QueueViews, AgreeOnCopies) {
  const std::string broadcast = "pattern: collective, op: broadcast, algorithm: multicast, root: 5, ";
  run("topology: mesh, shape: [3, 4]", "channels: 1, buffer: 4", broadcast + "flits: 24, chunk: 4");
  EXPECT_GT(result_["queue"]["max"], 1);
  expect_buffers_of_the_rows();
  expect_one_metric();
  run("topology: mesh, shape: [3, 4]", "channels: 2, buffer: 6, pipeline: 5, speculative: false",
      broadcast + "flits: 30, packet: 5");
  EXPECT_GT(result_["queue"]["max"], 1);
  expect_one_metric();
}

// A packet with flits in several nodes counts once in the line above the picture, and is in one list per node.
TEST_F(QueueViews, ShowDistinctPackets) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,2,9\n0,1,2,9\n0,1,2,1\n");
  run("topology: mesh, shape: [1, 3]", "channels: 1, buffer: 2, pipeline: 4", "pattern: packets, file: p.csv");
  std::set<std::string> heads;
  for (int step = 0; step < 12; ++step) {
    const std::string text = starloom(fmt::format("show out --step {}", step)).out;
    heads.insert(text.substr(text.find(':') + 2, text.find('\n') - text.find(':') - 2));
  }
  EXPECT_THAT(heads, testing::Contains("0 flits on links; 0 packets in buffers, 3 waiting in sources"));
  EXPECT_THAT(heads, testing::Contains("2 flits on links; 2 packets in buffers, 3 waiting in sources"));
  expect_one_metric();
}

// Below the picture of a large network are its first hundred busy nodes, and the number of the others.
TEST_F(QueueViews, ShowListsAHundredNodes) {
  run("topology: mesh, shape: [12, 12]", "channels: 1", "pattern: transpose, flits: 2");
  const std::string text = starloom("show out --step 0").out;
  const std::size_t nodes = text.find("\nin nodes:\n");
  ASSERT_NE(nodes, std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin() + static_cast<std::ptrdiff_t>(nodes), text.end(), '\n'), 2 + 100 + 1) << text;
  EXPECT_THAT(text, testing::EndsWith("\n  ... and 44 more\n"));
}

// That a flit has left its buffer is known from its next row, three steps later at most.
TEST_F(QueueViews, AWindowEndsThreeStepsEarlier) {
  run("topology: mesh, shape: [4, 4]", "channels: 2", "pattern: bit-complement, flits: 6");
  const std::string whole = starloom("show out --step 6").out;
  ASSERT_EQ(starloom("run e.yaml --trace 0:10 --quiet --force --out out").status, 0);
  EXPECT_EQ(starloom("show out --step 6").out, whole);
  refuses("show out --step 7", 2,
          "--step 7: the trace covers only part of the run, steps 0 to 9, and departures of flits from buffers are "
          "known 3 steps later; run with --trace, without FROM:TO");
}

}  // namespace
}  // namespace starloom::links
