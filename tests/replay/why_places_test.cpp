// SPDX-License-Identifier: Apache-2.0
/// \file The waits of requests for processors that limit them, against a count of the requests without a reply.
#include <map>
#include <numeric>

#include <starloom/commands/known_entries.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>

#include "cli/child_run.hpp"

namespace starloom::links {
namespace {

class WhyPlaces : public ChildTest {
 protected:
  /// Runs requests of class 0, whose replies are the only packets of class 1.
  void compare(const std::string& network, int places, bool terminals) {
    SCOPED_TRACE(network);
    scratch_.write("e.yaml", "schema: 1\nnetwork: {" + network +
                                 "}\nrouting: {algorithm: vc-wormhole, channels: 2, buffer: 3}\ntraffic: {warmup: 0, "
                                 "measure: 300, classes: [{name: ask, pattern: uniform, rate: 0.06, flits: {uniform: "
                                 "[1, 3]}, channels: [0, 0], reply: {class: answer, flits: 2, service: 6, places: " +
                                 std::to_string(places) +
                                 "}}, {name: answer, channels: [1, 1]}]}\nlimits: {latency: off}\n");
    const ProgramRun made = starloom("run e.yaml --trace --quiet --force --out out");
    ASSERT_EQ(made.status, 0) << made.err;
    const KnownEntries known = known_entries(catalogue_);
    const RunFiles run = read_run_files(scratch_.file("out"), known);
    const std::vector<Packet>& packets = run.packets.packets;
    std::vector<Step> head(packets.size(), no_step), left(packets.size(), no_step);
    TraceReader trace(find_trace(run.folder));
    for (std::vector<TraceRow> rows; trace.next(rows);)
      for (const TraceRow& row : rows) {
        const auto packet = static_cast<std::size_t>(row.packet);
        if (row.event == TraceEvent::eject && row.flit == 0) head[packet] = row.step;
        if (row.event == TraceEvent::inject && row.flit + 1 == packets[packet].flits) left[packet] = row.step;
      }
    // By node: the steps in which requests take and give places.
    std::map<NodeId, std::map<Step, int>> changes;
    for (std::size_t i = 0; i < packets.size(); ++i) {
      if (packets[i].traffic_class == 0 && head[i] != no_step) ++changes[packets[i].destination][head[i] + 1];
      if (packets[i].traffic_class == 1 && left[i] != no_step) --changes[packets[i].source][left[i] + 1];
    }
    const auto open = [&](NodeId node, Step step) {
      int sum = 0;
      for (const auto& [from, change] : changes[node]) sum += from <= step ? change : 0;
      return sum;
    };
    std::vector<PacketId> numbers(packets.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<PacketHistory> histories = open_run_folder(scratch_.file("out"), known)->histories(numbers);
    const Step to_processor = terminals ? 0 : run.timeline->longest_delay();
    for (std::size_t i = 0; i < packets.size(); ++i) {
      if (packets[i].traffic_class == 0 && head[i] != no_step) {
        ASSERT_LT(open(packets[i].destination, head[i]), places) << "packet " << i;
      }
      for (const Wait& wait : histories[i].waits) {
        if (wait.cause != WaitCause::places) continue;
        ASSERT_EQ(packets[i].traffic_class, 0);
        ASSERT_EQ(wait.node, packets[i].destination);
        ASSERT_EQ(wait.behind.empty(), false);
        for (Step step = wait.from; step < wait.to; ++step, ++steps_)
          ASSERT_GE(open(wait.node, step + to_processor), places) << "packet " << i << ", step " << step;
      }
    }
  }
  Step steps_ = 0;  ///< of waits for places

 private:
  const Catalogue catalogue_ = standard_catalogue();
};

TEST_F(WhyPlaces, AreTakenByAsManyRequests) {
  compare("topology: mesh, shape: [3, 3]", 1, false);
  compare("topology: mesh, shape: [2, 4]", 2, false);
  EXPECT_GT(steps_, 100);
}

/// A damaged folder is a fault of the input.
TEST_F(WhyPlaces, NeedPacketsOfKnownClasses) {
  compare("topology: mesh, shape: [2, 2]", 1, false);
  const std::string packets = scratch_.read("out/packets.csv");
  const std::size_t end = packets.find('\n', packets.find('\n') + 1);
  scratch_.write("out/packets.csv", packets.substr(0, end - 1) + "9" + packets.substr(end));
  const ProgramRun asked = starloom("why out --packet 3");
  EXPECT_EQ(asked.status, 2);
  EXPECT_NE(asked.err.find("packets.csv: packet 0 is of class 9, but result.json has 2 classes"), std::string::npos)
      << asked.err;
}

TEST_F(WhyPlaces, OfTerminalsAreTakenByAsManyRequests) {
  compare("topology: concentrated-mesh, shape: [2, 2], concentration: 3", 1, true);
  EXPECT_GT(steps_, 100);
}

}  // namespace
}  // namespace starloom::links
