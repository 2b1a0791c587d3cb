// SPDX-License-Identifier: Apache-2.0
/// \file User-defined parts of routers, added to the catalogue: the algorithms that are made of parts accept them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <starloom/commands/explain.hpp>
#include <starloom/commands/list.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "support/networks.hpp"
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using routing::Choices;
using routing::FunctionContext;
using routing::FunctionEntry;
using routing::Head;
using routing::RoutingFunction;
using testing::HasSubstr;

/// Faults of a routing function, which show in node 5.
enum class Flaw {
  none,
  nothing,
  no_link,
  no_port,
  huge_port,
  local,
  channels,
  far_channels,
  priority,
  no_escape,
  crowd
};

/// Dimension order on meshes of rows and columns, rows or columns first.
class AxisOrder final : public RoutingFunction {
 public:
  AxisOrder(const FunctionContext& context, int first, Flaw flaw)
      : grid_(*context.network->as<Grid>()), channels_(context.all_channels()), first_(first), flaw_(flaw) {}

  void route(const Head& head, Choices& choices) const override {
    if (flaw_ != Flaw::none && head.node == 5) return offer_wrongly(choices);
    for (const int axis : {first_, 1 - first_})
      if (const std::int32_t offset = grid_.offset(head.node, head.destination, axis); offset != 0)
        return choices.add(grid_.port_along(axis, offset), channels_.first, channels_.count);
    choices.add(grid_.ports(), channels_.first, channels_.count);
  }

 private:
  void offer_wrongly(Choices& choices) const {
    constexpr int most = std::numeric_limits<int>::max();
    switch (flaw_) {
      case Flaw::none:
      case Flaw::nothing: return;
      case Flaw::no_link: return choices.add(2, 0, 1);
      case Flaw::no_port: return choices.add(no_port, 0, 1);
      case Flaw::huge_port: return choices.add(12345, 0, 1);
      case Flaw::local: return choices.add(grid_.ports(), 0, 1);
      case Flaw::channels: return choices.add(1, 0, channels_.count + 1);
      case Flaw::far_channels: return choices.add(1, most, most);
      case Flaw::priority: return choices.add(1, 0, 1, -1);
      case Flaw::no_escape: return choices.add(1, 0, 1, 1);
      case Flaw::crowd:
        for (int i = 0; i < 5000; ++i) choices.add(1, 0, 1);
    }
  }

  const Grid& grid_;
  routing::ChannelRange channels_;
  int first_;
  Flaw flaw_;
};

FunctionEntry axis_order_entry(Flaw flaw = Flaw::none) {
  FunctionEntry entry;
  entry.name = "axis-order";
  entry.meaning = "rows or columns first";
  entry.serves = {{"mesh"}};
  entry.rows_and_columns = true;
  entry.fixed = true;
  entry.keys = {choice_key("first", {"rows", "columns"}, "where packets go first").by_default(std::string("rows"))};
  entry.refuse = [](const NetworkKeys& network, const KeyValues&) {
    if (network.grid()->nodes() == 1)
      throw ConfigError("first", "a single node has no rows and columns to choose from");
  };
  entry.make = [flaw](const FunctionContext& context, const KeyValues& keys) {
    return std::make_unique<AxisOrder>(context, keys.text("first") == "rows" ? 1 : 0, flaw);
  };
  return entry;
}

Catalogue with(const FunctionEntry& entry) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(entry);
  return catalogue;
}

const std::string mesh = "topology: mesh, shape: [3, 4]";

class OwnFunction : public CatalogueRuns {};

TEST_F(OwnFunction, IsFollowedByRoutersAndByGreedy) {
  const Catalogue catalogue = with(axis_order_entry());
  for (const std::string algorithm : {"vc-wormhole", "greedy"})
    for (const auto& [own, standard] :
         {std::pair("axis-order", "dimension-order"), std::pair("axis-order, first: columns", "yx")}) {
      SCOPED_TRACE(algorithm + " with " + own);
      const auto ours = run(catalogue, experiment(mesh, algorithm + ", function: " + own), "own");
      const auto theirs = run(catalogue, experiment(mesh, algorithm + ", function: " + standard), "standard");
      EXPECT_TRUE(same_rows(ours, theirs));
      EXPECT_TRUE(open_run_folder(ours, {topology_table()})->verify().ok());
    }
}

// Its key is not in the results of others, nor where it has its default value.
TEST_F(OwnFunction, HasAKeyThatOthersDoNotSee) {
  const Catalogue catalogue = with(axis_order_entry()), standard = standard_catalogue();
  const auto result = [&](const Catalogue& known, const std::string& routing) {
    return read(run(known, experiment(mesh, "vc-wormhole" + routing), "out") / "result.json");
  };
  EXPECT_EQ(result(catalogue, ""), result(standard, ""));
  EXPECT_THAT(result(catalogue, ", function: axis-order"), testing::Not(HasSubstr("\"first\"")));
  EXPECT_THAT(result(catalogue, ", function: axis-order, first: columns"), HasSubstr("\"first\": \"columns\""));
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "greedy, first: columns")),
            "e.yaml:3:37: routing.first: only axis-order has the key first, not dimension-order");
  EXPECT_THAT(
      refusal(catalogue, experiment(mesh, "vc-wormhole, first: rows, function: axis-order, root: \"1\"")),
      HasSubstr("routing.root: only up-down, up-down-adaptive and legal-ways have the key root, not axis-order"));
  EXPECT_THAT(refusal(catalogue, experiment("topology: mesh, shape: [1, 1]", "greedy, function: axis-order")),
              HasSubstr("routing.first: a single node has no rows and columns to choose from"));
}

TEST_F(OwnFunction, IsListedAndExplained) {
  EXPECT_THAT(explain_text(with(axis_order_entry()), "axis-order"),
              testing::StartsWith("axis-order: rows or columns first (routing.function)\n"
                                  "  on       mesh\n"
                                  "\n"
                                  "routing.first\n"
                                  "  meaning  where packets go first\n"));
  const auto list = list_json(with(axis_order_entry()));
  EXPECT_EQ(list["functions"].back(),
            nlohmann::ordered_json::parse(R"({"name": "axis-order", "needs": ["mesh"], "keys": ["first"]})"));
  for (const auto& algorithm : list["algorithms"])
    EXPECT_EQ(algorithm["keys"].dump().find("\"first\"") != std::string::npos,
              algorithm["name"] == "vc-wormhole" || algorithm["name"] == "greedy");
}

TEST_F(OwnFunction, ThatIsWrongEndsInASentence) {
  const std::string name = "routing function axis-order: ", at = ", at node_r01_c01 for packets to ";
  for (const auto& [flaw, text] : {std::pair(Flaw::nothing, name + "it offers nothing" + at),
                                   std::pair(Flaw::no_link, name + "it offers port 2, which has no link" + at),
                                   std::pair(Flaw::no_port, name + "it offers port -1, which has no link" + at),
                                   std::pair(Flaw::huge_port, name + "it offers port 12345, which has no link" + at),
                                   std::pair(Flaw::local, name +
                                                              "it offers the local port, but that is not the "
                                                              "destination" +
                                                              at),
                                   std::pair(Flaw::channels, name +
                                                                 "it offers port 1 with 3 channels from 0 on, but "
                                                                 "has 2 channels from 0 on" +
                                                                 at),
                                   std::pair(Flaw::far_channels, name + "it offers port 1 with 2147483647 channels "
                                                                        "from 2147483647 on, but has 2 channels"),
                                   std::pair(Flaw::priority, name + "it offers port 1 with priority -1" + at),
                                   std::pair(Flaw::no_escape, name + "it offers nothing of priority 0" + at),
                                   std::pair(Flaw::crowd, name + "it offers more than 2050 choices" + at)})
    for (const char* algorithm : {"vc-wormhole, channels: 2", "greedy"}) {
      if (flaw == Flaw::channels && algorithm == std::string("greedy")) continue;  // it has one
      if (flaw == Flaw::far_channels && algorithm == std::string("greedy")) continue;
      SCOPED_TRACE(text);
      // Node 5 has all four links in a mesh of 3 x 4, and none to the south in one of 2 x 4.
      const std::string network = flaw == Flaw::no_link ? "topology: mesh, shape: [2, 4]" : mesh;
      const std::string routing = std::string(algorithm) + ", function: axis-order";
      const Catalogue catalogue = with(axis_order_entry(flaw));
      EXPECT_THAT(refusal(catalogue, experiment(network, routing), ExitStatus::contract), HasSubstr(text));
      testing::internal::CaptureStderr();
      int status = 0;
      try {
        status = status_of_run(catalogue, experiment(network, routing), "out");
      } catch (const Error& error) {  // found before the run
        status = static_cast<int>(error.status());
        std::fputs(error.what(), stderr);
      }
      EXPECT_EQ(status, 3);
      EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(text));
    }
  FunctionEntry none = axis_order_entry();
  none.make = [](const FunctionContext&, const KeyValues&) { return nullptr; };
  EXPECT_EQ(refusal(with(none), experiment(mesh, "greedy, function: axis-order")),
            "e.yaml:3:22: routing: routing function axis-order: its entry makes none");
}

/// The built-in selections, implemented again, and one that takes the candidate with a given index.
class PlainSelection final : public Selection {
 public:
  PlainSelection(std::string rule, std::size_t place) : rule_(std::move(rule)), place_(place) {}

  std::size_t select(const Candidate* candidates, std::size_t count, NodeId node,
                     const std::function<std::uint32_t()>& word) const override {
    EXPECT_GE(count, 2u);
    EXPECT_GE(node, 0);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(candidates[i].choice.priority, candidates[0].choice.priority);
      EXPECT_GE(candidates[i].open_channels, 1);
      EXPECT_LE(candidates[i].open_channels, candidates[i].choice.count);
    }
    if (rule_ == "place") return place_;
    if (rule_ == "last") return count - 1;
    if (rule_ == "random") return std::uint64_t{word()} * count >> 32;
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (candidates[i].credits > candidates[best].credits) best = i;
    return best;
  }

 private:
  std::string rule_;
  std::size_t place_;
};

SelectionEntry plain_selection_entry() {
  SelectionEntry entry;
  entry.name = "plain";
  entry.meaning = "as its rule says";
  entry.keys = {choice_key("rule", {"least-occupied", "random", "place", "last"}, "how it selects")
                    .by_default(std::string("least-occupied")),
                integer_key("place", "which candidate").within(0, 9).by_default(0)};
  entry.make = [](const KeyValues& keys) {
    return std::make_unique<PlainSelection>(keys.text("rule"), static_cast<std::size_t>(keys.integer("place")));
  };
  return entry;
}

class OwnSelection : public CatalogueRuns {};

// Random choices that depend on source and destination, and decisions by load.
TEST(OwnRandomChoices, ThatAreWrongEndInASentence) {
  class Wrong final : public RoutingFunction {
   public:
    void route(const Head&, Choices& choices) const override { choices.add(0, 0, 1); }
    std::uint32_t random_choices() const override { return 4; }
    std::uint32_t random_choices_between(NodeId source, NodeId) const override { return source == 0 ? 0 : 2; }
    std::uint32_t random_choice_between(NodeId, NodeId, std::uint32_t number) const override { return 3 + number; }
    bool decides() const override { return true; }
    std::uint32_t decision(const Head& head, const routing::PortLoad& load) const override {
      return head.random_choice + static_cast<std::uint32_t>(load.used_places(0));
    }
  };
  class Load final : public routing::PortLoad {
   public:
    int used_places(Port) const override { return 2; }
  };
  FunctionEntry entry;
  entry.name = "wrong";
  entry.make = [](const FunctionContext&, const KeyValues&) { return std::make_unique<Wrong>(); };
  const LinkNetwork& network = network_of(Grid::mesh({3, 4}));
  const auto function = routing::checked(entry).make({&network}, {});
  const auto error = [](const auto& call) -> std::string {
    try {
      call();
      return "";
    } catch (const ContractError& refused) {
      return refused.what();
    }
  };
  const std::string is_4 =
      "routing function wrong: the random choice of packets in node_r00_c01 to node_r00_c02 is 4, "
      "but must be below 4";
  EXPECT_EQ(error([&] { function->random_choices_between(0, 2); }),
            "routing function wrong: packets from node_r00_c00 to node_r00_c02 have no random choice");
  EXPECT_EQ(function->random_choices_between(1, 2), 2u);
  EXPECT_EQ(function->random_choice_between(1, 2, 0), 3u);
  EXPECT_EQ(error([&] { function->random_choice_between(1, 2, 1); }), is_4);
  EXPECT_TRUE(function->decides());
  EXPECT_EQ(function->decision({1, 4, 0, 2, 1}, Load()), 3u);
  EXPECT_EQ(error([&] { function->decision({1, 4, 0, 2, 2}, Load()); }), is_4);
}

TEST_F(OwnSelection, SelectsAsTheBuiltInOnes) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(plain_selection_entry());
  for (const std::string router : {"vc-wormhole, function: adaptive, channels: 4, buffer: 2",
                                   "vc-wormhole, function: up-down-adaptive, channels: 15, buffer: 1"}) {
    const auto selected_by = [&](const std::string& selection, const std::string& out) {
      const auto folder = run(catalogue,
                              experiment("topology: torus, shape: [4, 4]", router + ", selection: " + selection,
                                         "uniform, rate: 0.3, flits: 4, warmup: 10, measure: 60"),
                              out);
      EXPECT_TRUE(open_run_folder(folder, {topology_table()})->verify().ok());
      return folder;
    };
    for (const auto& [own, standard] :
         {std::pair("plain", "least-occupied"), std::pair("plain, rule: random", "random"),
          std::pair("plain, rule: place", "first")}) {
      SCOPED_TRACE(router + " with " + own);
      const auto ours = selected_by(own, "own");
      EXPECT_TRUE(same_rows(ours, selected_by(standard, "standard")));
      EXPECT_FALSE(same_rows(ours, selected_by("plain, rule: last", "last")));
    }
  }
}

TEST_F(OwnSelection, HasKeysOfItsOwn) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(plain_selection_entry());
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "vc-wormhole, function: adaptive, channels: 2, place: 3")),
            "e.yaml:3:75: routing.place: only plain has the key place, not least-occupied");
  EXPECT_THAT(explain_text(catalogue, "plain"), testing::StartsWith("plain: as its rule says (routing.selection)\n"));
  EXPECT_EQ(list_json(catalogue)["selections"].back(),
            nlohmann::ordered_json::parse(R"({"name": "plain", "keys": ["rule", "place"]})"));
  EXPECT_THAT(list_text(catalogue), HasSubstr("\n  plain                  as its rule says\n"));
}

TEST_F(OwnSelection, ThatIsWrongEndsInASentence) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(plain_selection_entry());
  const std::string text =
      experiment(mesh, "vc-wormhole, function: adaptive, channels: 2, selection: plain, rule: place, place: 7");
  testing::internal::CaptureStderr();
  EXPECT_EQ(status_of_run(catalogue, text, "out"), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("has a part that broke its contract: selection plain: it returns 7, but the 2 candidates "
                        "have the numbers 0 to 1"));
  SelectionEntry none = plain_selection_entry();
  none.make = [](const KeyValues&) { return nullptr; };
  Catalogue empty = standard_catalogue();
  empty.add(none);
  EXPECT_EQ(refusal(empty, experiment(mesh, "vc-wormhole, selection: plain")),
            "e.yaml:3:22: routing: selection plain: its entry makes none");
}

TEST(OwnParts, GoTogetherWithOthers) {
  EXPECT_EQ(catalogue_refusal(with(routing::standard_functions().front())),
            "starloom: there is a routing function called dimension-order already; rename your own entry");
  FunctionEntry rooted = axis_order_entry();
  rooted.keys = {integer_key("root", "a number")};
  EXPECT_EQ(
      catalogue_refusal(with(rooted)),
      "starloom: the routing functions up-down and axis-order have different keys called root; rename your own key");
  FunctionEntry tied = axis_order_entry();
  tied.keys = routing::standard_functions().front().keys;
  EXPECT_EQ(catalogue_refusal(with(tied)), "");
  FunctionEntry crowded = axis_order_entry();
  crowded.keys = {integer_key("buffer", "a number")};
  EXPECT_EQ(catalogue_refusal(with(crowded)), "starloom: vc-wormhole has two keys called buffer; rename your own key");
}

}  // namespace
}  // namespace starloom
