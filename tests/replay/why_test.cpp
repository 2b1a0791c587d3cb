// SPDX-License-Identifier: Apache-2.0
// Why packets took as long as they did: causes are what the rows of the trace say. That the parts of every latency
// add up is in tests/system, EveryScenario.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/child_run.hpp"
#include "support/packet_stories.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class Why : public ChildTest {
 protected:
  /// Runs a scenario with its trace into a folder of its name.
  std::filesystem::path run(const std::string& name, const std::string& options = "") const {
    const ProgramRun run =
        starloom("run '" + scenario_file(name).string() + "' --trace --quiet --force --out " + name + " " + options);
    EXPECT_EQ(run.status, 0) << name << run.err;
    return scratch_.file(name);
  }
};

/// A row of trace.csv or packets.csv; what the file does not have is -1.
struct Row {
  bool hop = false;
  std::int64_t step = -1, packet = -1, node = -1, port = -1, destination = -1;
};

std::vector<Row> rows_of(const std::filesystem::path& file) {
  static const std::map<std::string, std::int64_t Row::*> columns = {{"step", &Row::step},
                                                                     {"packet", &Row::packet},
                                                                     {"node", &Row::node},
                                                                     {"port", &Row::port},
                                                                     {"destination", &Row::destination}};
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',') cells.emplace_back();
      else cells.back() += c;
    return cells;
  };
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = split(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line);
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "event") row.hop = cells[i] == "hop";
      const auto column = columns.find(names[i]);
      if (column != columns.end() && !cells[i].empty()) row.*(column->second) = std::stoll(cells[i]);
    }
  }
  return rows;
}

/// The events on links, from the rows alone and with loops over all of them.
class PlainRows {
 public:
  explicit PlainRows(const std::filesystem::path& folder)
      : trace_(rows_of(folder / "trace.csv")), packets_(rows_of(folder / "packets.csv")) {}
  /// The packet that enters a link in a step, or -1.
  std::int64_t crosses(NodeId node, Port port, Step step) const {
    for (const auto& row : trace_)
      if (row.hop && row.node == node && row.port == port && row.step == step) return row.packet;
    return -1;
  }
  /// The out-port through which a packet leaves a node from a step on.
  Port leaves(PacketId packet, NodeId node, Step from) const {
    for (const auto& row : trace_)
      if (row.hop && row.node == node && row.packet == packet && row.step >= from) return static_cast<Port>(row.port);
    return no_port;
  }
  NodeId destination(PacketId packet) const {
    return static_cast<NodeId>(packets_[static_cast<std::size_t>(packet)].destination);
  }

 private:
  std::vector<Row> trace_, packets_;
};

// The packet that had the link had a greater remaining distance, or an equal one and a lower number; and in each step
// of a wait some packet crossed.
TEST_F(Why, QueuesServeByTheirDiscipline) {
  const auto folder = run("open_loop_uniform");
  const PlainRows rows(folder);
  const auto distance = [](NodeId a, NodeId b) { return std::abs(a / 8 - b / 8) + std::abs(a % 8 - b % 8); };
  int contended = 0;
  for (const PacketHistory& history : packet_histories(folder))
    for (const Wait& wait : history.waits) {
      if (wait.cause == WaitCause::open) continue;  // in flight when the run ends
      ASSERT_EQ(name_of(wait.cause), "contention") << history_text(history, "step");
      const Port port = rows.leaves(history.packet, wait.node, wait.to);
      std::vector<PacketId> winners;
      for (Step step = wait.from; step < wait.to; ++step) {
        const auto winner = static_cast<PacketId>(rows.crosses(wait.node, port, step));
        ASSERT_GE(winner, 0) << history_text(history, "step");
        const int its = distance(wait.node, rows.destination(winner));
        const int own = distance(wait.node, rows.destination(history.packet));
        EXPECT_TRUE(its > own || (its == own && winner < history.packet)) << history_text(history, "step");
        winners.push_back(winner);
        ++contended;
      }
      EXPECT_EQ(wait.behind, winners);
      EXPECT_THAT(wait.reason,
                  HasSubstr("furthest-destination: packet " + std::to_string(winners.front()) + " has still to go "));
    }
  EXPECT_GT(contended, 300);
}

TEST_F(Why, CollisionsNameThePartners) {
  const auto folder = run("pops_4x4_dead_couplers");
  int collisions = 0;
  for (const PacketHistory& history : packet_histories(folder))
    for (const Wait& wait : history.waits) {
      if (wait.cause != WaitCause::collision) continue;
      ++collisions;
      const auto& others = wait.behind;
      EXPECT_FALSE(others.empty() || std::count(others.begin(), others.end(), history.packet) > 0);
      EXPECT_EQ(wait.what.rfind("coupler_to", 0), 0u);
    }
  EXPECT_GT(collisions, 0);
}

TEST_F(Why, DeadlocksNameTheHolder) {
  const auto folder = run("vc_torus_deadlock");
  const ProgramRun one = starloom("why vc_torus_deadlock --packet 7");
  EXPECT_THAT(one.out, HasSubstr("deadlock for link_a00_00_plus1, behind packet 0\n"));
  EXPECT_THAT(one.out, HasSubstr("\nnever delivered: distance "));
  EXPECT_EQ(one.status, 0);
}

TEST_F(Why, TheTextAndTheJsonOfALine) {
  scratch_.write("line.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [1, 3]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: packets, file: line.csv}\n");
  scratch_.write("line.csv", "cycle,source,destination,flits\n0,0,2,1\n1,0,2,1\n1,1,2,1\n");
  ASSERT_EQ(starloom("run line.yaml --trace --quiet --out out").status, 0);
  const ProgramRun text = starloom("why out --packet 2");
  EXPECT_EQ(
      text.out,
      "packet 2, 1 flit, from node_r00_c01 to node_r00_c02: created in step 1, delivered in step 4\n\n"
      "  step      1      2  contention for link_r00_c01_east, behind packets 0, 1: furthest-destination: packet 0 has "
      "still to go 1, this one 1, the lower number first\n"
      "  step      3         over link_r00_c01_east\n\n"
      "latency 3 = distance 1 + contention 2\n");
  const auto json = nlohmann::json::parse(starloom("why out --packet 2 --json").out);
  EXPECT_EQ(json.at("latency"), 3);
  EXPECT_EQ(json.at("distance"), 1);
  const nlohmann::json& wait = json.at("waits").at(0);
  EXPECT_EQ(wait.at("node"), 1);
  EXPECT_EQ(wait.at("from"), 1);
  EXPECT_EQ(wait.at("to"), 3);
  EXPECT_EQ(wait.at("for"), "link_r00_c01_east");
  EXPECT_EQ(wait.at("cause"), "contention");
  EXPECT_EQ(wait.at("behind"), nlohmann::json({0, 1}));
  const auto all = nlohmann::json::parse(starloom("why out --json").out);
  EXPECT_EQ(all.at("latest").size(), 3u);
  EXPECT_EQ(all.at("latest").at(0).at("packet"), 2);
  EXPECT_EQ(all.at("links").at(0).at("name"), "link_r00_c01_east");
  EXPECT_THAT(starloom("why out").out, HasSubstr("nodes with the most waiting:\n"));
}

TEST_F(Why, PageExplainsEveryCause) {
  std::ifstream in(project() / "docs/replay.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  for (const std::string_view cause : wait_cause_names)
    EXPECT_THAT(page, HasSubstr("| `" + std::string(cause) + "` | "));
}

}  // namespace
}  // namespace starloom
