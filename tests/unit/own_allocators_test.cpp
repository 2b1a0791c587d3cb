// SPDX-License-Identifier: Apache-2.0
/// \file Arbiters and allocators of a user's own, added to the catalogue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <starloom/commands/explain.hpp>
#include <starloom/commands/list.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "support/places.hpp"
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

/// `round-robin` in loops, others that pick otherwise, and some that are wrong from the tenth pick of an arbiter on.
class LoopArbiter final : public Arbiter {
 public:
  LoopArbiter(std::string rule, int requesters) : rule_(std::move(rule)), requesters_(requesters) {}

  std::unique_ptr<Arbiter> clone() const override {
    return rule_ == "no clone" ? nullptr : std::make_unique<LoopArbiter>(*this);
  }
  int pick(const std::uint64_t* requests, int words) const override {
    EXPECT_EQ(words, (requesters_ + 63) / 64);
    if (served_ >= 10) {
      if (rule_ == "none") return -1;
      if (rule_ == "far") return 1 << 30;
      if (rule_ == "behind the last") return 64 * words;
    }
    const bool wrong = served_ >= 10 && rule_ == "not asked";
    for (int k = 0; k < requesters_; ++k) {
      const int requester = (first_ + k) % requesters_;
      if (((requests[requester / 64] >> requester % 64 & 1) != 0) != wrong) return requester;
    }
    return wrong ? requesters_ : -1;
  }
  void granted(int requester) override {
    ++served_;
    if (rule_ != "lowest") first_ = (requester + 1) % requesters_;
  }

 private:
  std::string rule_;
  int requesters_;
  int first_ = 0, served_ = 0;
};

ArbiterEntry loop_arbiter_entry() {
  ArbiterEntry entry;
  entry.name = "loop";
  entry.meaning = "as its rule says";
  entry.keys = {
      choice_key("rule",
                 {"round-robin", "lowest", "none", "far", "behind the last", "not asked", "no clone", "no part"},
                 "how it picks")
          .by_default(std::string("round-robin"))};
  entry.make = [](int requesters, const KeyValues& keys) {
    return keys.text("rule") == "no part" ? nullptr : std::make_unique<LoopArbiter>(keys.text("rule"), requesters);
  };
  return entry;
}

/// `islip` with `round-robin` in loops, others that allocate otherwise, and some that are wrong from their tenth
/// step on.
class LoopAllocator final : public Allocator {
 public:
  LoopAllocator(std::string rule, const PartSize& size)
      : rule_(std::move(rule)), size_(size), of_output_(size.outputs), of_input_(size.inputs) {}

  std::unique_ptr<Allocator> clone() const override {
    return rule_ == "no clone" ? nullptr : std::make_unique<LoopAllocator>(*this);
  }
  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    ++steps_;
    EXPECT_GT(count, 0u);
    EXPECT_TRUE(grants.empty());
    std::map<int, std::set<int>> requesters, picked_by;  // by output, by input
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = [](const Request& request) { return std::pair(request.out, request.in); };
      EXPECT_TRUE(i == 0 || number(requests[i - 1]) < number(requests[i]));
      EXPECT_TRUE(requests[i].in < size_.inputs && requests[i].out < size_.outputs);
      requesters[requests[i].out].insert(requests[i].in);
    }
    if (rule_ == "every third step" && steps_ % 3 != 0) return;
    for (const auto& [out, inputs] : requesters) picked_by[first_from(of_output_[out], inputs)].insert(out);
    for (const auto& [in, outputs] : picked_by) {
      const int out = first_from(of_input_[in], outputs);
      of_output_[out] = in + 1;
      of_input_[in] = out + 1;
      grants.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), false});
    }
    if (rule_ == "backwards") std::reverse(grants.begin(), grants.end());
    if (steps_ >= 10) spoil(requests, count, grants);
  }

 private:
  void spoil(const Request* requests, std::size_t count, std::vector<Request>& grants) const {
    if (rule_ == "not asked") grants = {{static_cast<std::uint16_t>(size_.inputs - 1), 0, false}};
    if (rule_ == "far") grants = {{65535, 65535, false}};
    if (rule_ == "twice") grants.push_back(grants.front());
    for (std::size_t i = 1; i < count; ++i) {
      const Request &one = requests[i - 1], &other = requests[i];
      if (rule_ == "output twice" && one.out == other.out) grants = {one, other};
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (rule_ == "input twice" && requests[i].in == requests[j].in) grants = {requests[i], requests[j]};
  }
  static int first_from(int first, const std::set<int>& numbers) {
    const auto behind = numbers.lower_bound(first);
    return behind != numbers.end() ? *behind : *numbers.begin();
  }

  std::string rule_;
  PartSize size_;
  std::vector<int> of_output_, of_input_;
  int steps_ = 0;
};

AllocatorEntry loop_allocator_entry(bool channels = true, bool switches = true) {
  AllocatorEntry entry;
  entry.name = "loops";
  entry.meaning = "as its way says";
  entry.keys = {choice_key("way",
                           {"islip", "backwards", "every third step", "not asked", "far", "twice", "output twice",
                            "input twice", "no clone", "no part"},
                           "how it allocates")
                    .by_default(std::string("islip"))};
  entry.channels = channels;
  entry.switches = switches;
  entry.make = [](const PartSize& size, const MakeArbiter& make_arbiter, const KeyValues& keys) {
    EXPECT_NE(make_arbiter(size.inputs), nullptr);
    return keys.text("way") == "no part" ? nullptr : std::make_unique<LoopAllocator>(keys.text("way"), size);
  };
  return entry;
}

Catalogue with_own(const AllocatorEntry& allocator = loop_allocator_entry()) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(loop_arbiter_entry());
  catalogue.add(allocator);
  return catalogue;
}

class OwnAllocators : public CatalogueRuns {
 protected:
  const std::string mesh = "topology: mesh, shape: [4, 4]";
  const std::string busy = "uniform, rate: 0.4, flits: 3, warmup: 10, measure: 60";

  /// `result.json` without the two keys.
  std::string result(const std::filesystem::path& folder) const {
    std::string text = read(folder / "result.json");
    for (const char* line : {"      \"allocator\": \"loops\",\n", "      \"arbiter\": \"loop\",\n"})
      if (const std::size_t at = text.find(line); at != std::string::npos) text.erase(at, std::string(line).size());
    return text;
  }
};

TEST_F(OwnAllocators, WrittenOnceMoreGiveTheSameBytesInAllScenarios) {
  const Catalogue catalogue = with_own();
  int compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(testbenches() / "scenarios")) {
    if (file.path().extension() != ".yaml") continue;
    const std::string text = read(file.path());
    if (text.find("algorithm: vc-wormhole") == std::string::npos) continue;
    if (text.find("allocator: ") != std::string::npos) continue;  // it has other rules than these
    if (text.find("-timed") != std::string::npos || text.find("loosely") != std::string::npos) continue;  // no routers
    SCOPED_TRACE(file.path());
    const auto run_with = [&](const std::string& out, const std::vector<std::string>& sets) {
      std::vector<std::string> words{
          "run", file.path().string(), "--out", scratch_.file(out).string(), "--trace", "--quiet", "--force"};
      for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
      EXPECT_EQ(static_cast<int>(run_command(catalogue, words).status), 0);
      return scratch_.file(out);
    };
    const auto standard = run_with("standard", {});
    for (const std::vector<std::string>& own : {std::vector<std::string>{"routing.arbiter=loop"},
                                                {"routing.allocator=loops"},
                                                {"routing.allocator=loops", "routing.arbiter=loop"}}) {
      const auto ours = run_with("own", own);
      EXPECT_TRUE(same_rows(ours, standard));
      EXPECT_EQ(result(ours), result(standard));
    }
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

// Beyond 64 channels sets have many words.
TEST_F(OwnAllocators, ServeRoutersOfManyChannels) {
  const Catalogue catalogue = with_own();
  for (const std::string router : {"channels: 16, buffer: 2", "channels: 90, buffer: 1, pipeline: 5"}) {
    const auto rows = [&](const std::string& own, const std::string& out) {
      return run(catalogue, experiment(mesh, "vc-wormhole, " + router + own, busy), out);
    };
    const auto standard = rows("", "standard");
    EXPECT_TRUE(same_rows(rows(", arbiter: loop", "own"), standard));
    EXPECT_TRUE(same_rows(rows(", allocator: loops", "own"), standard));
    EXPECT_FALSE(same_rows(rows(", arbiter: loop, rule: lowest", "own"), standard));
  }
}

TEST_F(OwnAllocators, DecideTheRunAndAreTheSameForAnyOrder) {
  const Catalogue catalogue = with_own();
  // Without speculation a head may wait for a channel in a router without any other event.
  for (const std::string router : {"vc-wormhole, channels: 2, buffer: 3", "vc-wormhole, pipeline: 5"}) {
    const auto standard = run(catalogue, experiment(mesh, router, busy), "standard");
    for (const std::string own : {", arbiter: loop, rule: lowest", ", allocator: loops, way: every third step"}) {
      SCOPED_TRACE(router + own);
      const std::string text = experiment(mesh, router + own, busy);
      const auto ours = run(catalogue, text, "ours");
      EXPECT_FALSE(same_rows(ours, standard));
      EXPECT_TRUE(open_run_folder(ours, {topology_table()})->verify().ok());
      for (const std::vector<std::string>& options :
           {std::vector<std::string>{"--wake", "all"}, {"--shuffle", "7"}, {"--threads", "2"}})
        EXPECT_TRUE(same_rows(run(catalogue, text, "again", options), ours)) << options.front();
    }
    // Grants may come in any order.
    EXPECT_TRUE(same_rows(run(catalogue, experiment(mesh, router + ", allocator: loops, way: backwards", busy), "ours"),
                          standard));
  }
}

TEST_F(OwnAllocators, MayServeChannelsOrTheSwitchAlone) {
  const std::string text = experiment(mesh, "vc-wormhole, channels: 2, allocator: loops, way: every third step", busy);
  const auto rows = [&](bool channels, bool switches, const std::string& out) {
    return run(with_own(loop_allocator_entry(channels, switches)), text, out);
  };
  const auto both = rows(true, true, "both"), channels = rows(true, false, "channels"),
             switches = rows(false, true, "switches");
  EXPECT_FALSE(same_rows(both, channels));
  EXPECT_FALSE(same_rows(both, switches));
  EXPECT_FALSE(same_rows(channels, switches));
  EXPECT_EQ(
      catalogue_refusal(with_own(loop_allocator_entry(false, false))),
      "starloom: the allocator loops gives neither channels nor the switch; set channels or switches of its entry");
}

TEST_F(OwnAllocators, HaveKeysOfTheirOwn) {
  const Catalogue catalogue = with_own();
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "vc-wormhole, rule: lowest")),
            "e.yaml:3:41: routing.rule: only loop has the key rule, not round-robin");
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "vc-wormhole, arbiter: loop, way: twice")),
            "e.yaml:3:55: routing.way: only loops has the key way, not islip");
  EXPECT_THAT(refusal(catalogue, experiment(mesh, "greedy, arbiter: loop")),
              HasSubstr("routing.arbiter: the algorithm greedy does not have this key"));
  EXPECT_THAT(explain_text(catalogue, "loop"), testing::StartsWith("loop: as its rule says (routing.arbiter)\n"));
  EXPECT_THAT(explain_text(catalogue, "loops"), testing::StartsWith("loops: as its way says (routing.allocator)\n"));
  EXPECT_THAT(list_text(catalogue), HasSubstr("\n  loops                  as its way says\n"));
  const auto list = list_json(catalogue);
  EXPECT_EQ(list["arbiters"].front().dump(), R"({"name":"round-robin","keys":[]})");
  EXPECT_EQ(list["arbiters"].back().dump(), R"({"name":"loop","keys":["rule"]})");
  EXPECT_EQ(list["allocators"].front().dump(), R"({"name":"islip","keys":[]})");
  EXPECT_EQ(list["allocators"].back().dump(), R"({"name":"loops","keys":["way"]})");

  const auto with_twice = [](const auto& entry) {
    Catalogue twice = with_own();
    twice.add(entry);
    return catalogue_refusal(twice);
  };
  EXPECT_EQ(with_twice(loop_arbiter_entry()),
            "starloom: there is an arbiter called loop already; rename your own entry");
  EXPECT_EQ(with_twice(loop_allocator_entry()),
            "starloom: there is an allocator called loops already; rename your own entry");
}

TEST_F(OwnAllocators, ThatAreWrongEndInASentence) {
  const Catalogue catalogue = with_own();
  const std::string many = "vc-wormhole, channels: 16", few = "vc-wormhole, channels: 3";
  for (const auto& [own, text] :
       {std::pair("arbiter: loop, rule: none", "arbiter loop: it picks -1, which is not one of the "),
        std::pair("arbiter: loop, rule: far", "arbiter loop: it picks 1073741824, which is not one of the "),
        std::pair("arbiter: loop, rule: behind the last", "arbiter loop: it picks "),
        std::pair("arbiter: loop, rule: not asked", "arbiter loop: it picks "),
        std::pair("allocator: loops, way: not asked", ", which does not request it"),
        std::pair("allocator: loops, way: far", " it gives output 65535 to input 65535, which does not request it"),
        std::pair("allocator: loops, way: twice", ", which has another output in the same step"),
        std::pair("allocator: loops, way: input twice", ", which has another output in the same step"),
        std::pair("allocator: loops, way: output twice", ", and to another input in the same step")})
    for (const std::string& router : {few, many}) {
      SCOPED_TRACE(router + " " + own);
      testing::internal::CaptureStderr();
      EXPECT_EQ(status_of_run(catalogue, experiment(mesh, router + ", " + own, busy), "out"), 3);
      const std::string message = testing::internal::GetCapturedStderr();
      EXPECT_THAT(message, HasSubstr("has a part that broke its contract: a"));
      EXPECT_THAT(message, HasSubstr(text));
    }
  for (const auto& [own, text] :
       {std::pair("arbiter: loop, rule: no clone", "arbiter loop: its clone() returns none"),
        std::pair("allocator: loops, way: no clone", "allocator loops: its clone() returns none")})
    try {
      status_of_run(catalogue, experiment(mesh, "vc-wormhole, " + std::string(own)), "out");
      ADD_FAILURE() << own;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::contract);
      EXPECT_STREQ(error.what(), text);
    }
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "vc-wormhole, arbiter: loop, rule: no part")),
            "e.yaml:3:44: routing.arbiter: arbiter loop: its entry makes none");
  EXPECT_EQ(refusal(catalogue, experiment(mesh, "vc-wormhole, allocator: loops, way: no part")),
            "e.yaml:3:46: routing.allocator: allocator loops: its entry makes none");
}

}  // namespace
}  // namespace starloom
