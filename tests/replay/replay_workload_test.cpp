// SPDX-License-Identifier: Apache-2.0
// The messages and operations in the page of `replay` are those of the files of the run.
#include <algorithm>
#include <map>
#include <set>

#include <starloom/commands/known_entries.hpp>
#include <starloom/inspection/links/replay.hpp>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/trace_io/links/operations_csv.hpp>
#include "cli/child_run.hpp"
#include "page_numbers.hpp"
#include "probes/probe_catalogue.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

class ReplayWorkload : public ChildTest {
 protected:
  ReplayContent content_of(const char* scenario, TraceWindow window = {}) const {
    EXPECT_EQ(starloom("run '" + scenario_file(scenario).string() + "' --trace --quiet --force --out out").status, 0);
    static const Catalogue catalogue = probe_catalogue();
    return links::replay_content(scratch_.file("out"), known_entries(catalogue), window);
  }
};

TEST_F(ReplayWorkload, HasTheMessagesOfTheWindowAndThoseThatReleasedThem) {
  for (const TraceWindow& window : {TraceWindow{0, no_step}, TraceWindow{400, 420}}) {
    const ReplayContent content = content_of("training_step", window);
    const std::vector<links::MessageRow> rows = links::read_messages(scratch_.file("out/messages.csv"));
    const Step to = window.to == no_step ? 1'000'000 : window.to;
    std::set<std::int64_t> wanted;
    for (const links::CriticalMessage& entry : links::read_critical_path(scratch_.file("out/critical_path.csv")))
      wanted.insert(entry.message);
    for (std::size_t number = rows.size(); number-- > 0;) {
      const auto id = static_cast<std::int64_t>(number);
      if (rows[number].created < to && rows[number].delivered >= window.from) wanted.insert(id);
      if (wanted.count(id) > 0 && rows[number].released_by >= 0) wanted.insert(rows[number].released_by);
    }
    EXPECT_EQ(wanted.size() == rows.size(), window.to == no_step);
    PageNumbers numbers(content, "messages");
    ASSERT_EQ(numbers.number(), static_cast<std::int64_t>(wanted.size()));
    std::int64_t last = 0, packet = 0;
    Step created = 0;
    for (const std::int64_t id : wanted) {
      const links::MessageRow& row = rows[static_cast<std::size_t>(id)];
      last += numbers.number();
      EXPECT_EQ(last, id);
      EXPECT_EQ(content.facts["workload"]["flows"][static_cast<std::size_t>(numbers.number())][0], row.flow);
      EXPECT_EQ(numbers.number(), row.source);
      EXPECT_EQ(numbers.number(), row.destination);
      EXPECT_EQ(numbers.number(), row.flits);
      EXPECT_EQ(created += numbers.difference(), row.created);
      EXPECT_EQ(numbers.number(), row.delivered - row.created + 1);
      EXPECT_EQ(numbers.number(), row.released_by < 0 ? 0 : id - row.released_by);
      EXPECT_EQ(packet += numbers.number(), id);  // a message is a packet
      EXPECT_EQ(numbers.number(), 1);
    }
    EXPECT_TRUE(numbers.done());
  }
}

TEST_F(ReplayWorkload, HasTheOperationsOfRanks) {
  const ReplayContent content = content_of("training_step");
  std::map<std::int64_t, std::vector<std::string>> wanted, found;  // [rank]
  for (const links::OperationRow& row : links::read_operations(scratch_.file("out/operations.csv"))) {
    if (row.start >= 490) continue;  // the trace ends in step 489
    wanted[row.rank].push_back(row.name + "," + std::to_string(row.instance) + "," + (row.op == "compute" ? "1" : "0") +
                               "," + std::to_string(row.start) + "," + std::to_string(row.finish));
  }
  const auto& facts = content.facts["workload"];
  PageNumbers numbers(content, "operations");
  for (std::int64_t left = numbers.number(); left > 0; --left) {
    const std::int64_t rank = numbers.number();
    EXPECT_EQ(facts["rows"][static_cast<std::size_t>(rank)][0], "rank " + std::to_string(rank));
    std::string text = facts["operations"][static_cast<std::size_t>(numbers.number())].get<std::string>() + ",";
    text += std::to_string(numbers.number()) + ",";
    text += std::to_string(numbers.number()) + ",";
    const Step start = numbers.number();
    found[rank].push_back(text + std::to_string(start) + "," + std::to_string(start + numbers.number()));
  }
  EXPECT_TRUE(numbers.done());
  for (auto* const lists : {&wanted, &found})
    for (auto& [rank, list] : *lists) std::sort(list.begin(), list.end());
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(found.size(), 4U);
  EXPECT_EQ(facts["rows"][2][1], 3);  // rank 2 is in node 3
  EXPECT_EQ(facts["operations"][0], "gradients1");
}

TEST_F(ReplayWorkload, HasARowForEachSourceOfOtherMessages) {
  const ReplayContent content = content_of("memory_controllers");
  const auto& facts = content.facts["workload"];
  EXPECT_EQ(facts["program"], false);
  EXPECT_EQ(facts["rows"].size(), 16U);
  EXPECT_EQ(facts["rows"][1].dump(), R"(["node_r00_c01",1])");
  PageNumbers numbers(content, "operations");
  EXPECT_EQ(numbers.number(), 0);
  EXPECT_TRUE(content_of("demo").facts["workload"].is_null());
}

}  // namespace
}  // namespace starloom
