// SPDX-License-Identifier: Apache-2.0
// Any failing call, at any moment, ends in a documented status with a sentence, without an incomplete file under its
// final name, and with a store that can be continued to the same rows.
#include <cerrno>
#include <csignal>
#include <functional>
#include <map>
#include <sstream>

#include "cli/child_run.hpp"
#include "faults/failing_calls.hpp"
#include "support/stored_rows.hpp"

namespace starloom {
namespace {

/// Names and contents of the files below a folder; not temporary ones, nor how long something took.
using Files = std::map<std::string, std::string>;

/// The files that the commands read.
class Calls : public ChildTest {
 protected:
  void SetUp() override {
    scratch_.write("e.yaml", small_experiment);
    scratch_.write("m.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: multistage}\n"
                   "traffic: {pattern: reversal}\n");
    scratch_.write(
        "c.yaml", std::string("schema: 1\nname: few\nbase:\n  schema: 1\n") +
                      "  network: {topology: mesh, shape: [3, 3]}\n  routing: {algorithm: greedy}\n" +
                      "  traffic: {pattern: random-permutation}\nruns: 2\n" +
                      "keep: [steps]\naxes: {seed: [1, 2, 3], routing.discipline: [fifo]}\n" +
                      "table: [{rows: seed, columns: routing.discipline, figure: steps, format: [markdown, " +
                      "csv, latex]}]\n" + "plot: [{x: seed, y: [steps], series: routing.discipline, format: [svg]}]\n");
    scratch_.write("s.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: greedy}\n"
                   "traffic: {pattern: uniform, rate: 0.1, warmup: 5, measure: 20, drain: 20}\n");
  }

  Files files(const std::string& folder) const {
    Files all;
    const std::filesystem::path top = scratch_.file(folder);
    if (!std::filesystem::is_directory(top)) return all;
    for (const auto& entry : std::filesystem::directory_iterator(top)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name[0] != '.' && name != "timing.json")
        all[name] = scratch_.read(folder + "/" + name);
    }
    return all;
  }
};

class EveryCall : public Calls, public testing::WithParamInterface<int> {
 protected:
  /// Lets the calls of a command fail, one after the other, until it makes no more of them.
  void fail_each(const std::string& words, const std::function<void(const std::string&)>& check) const {
    for (int call = 1;; ++call) {
      const ProgramRun run = starloom(words, [this, call] {
        without_programs();
        let_fail({call, GetParam(), scratch_.file("failed").string()});
      });
      interrupted_ = GetParam() < 0 && run.status == 4;
      const std::string place = words + ", call " + std::to_string(call) + ", error " + std::to_string(GetParam());
      if (GetParam() == ENOMEM) {
        ASSERT_THAT(run.status, testing::AnyOf(0, 1, 2, 5, 6)) << place << ": " << run.err;
        EXPECT_TRUE(run.status != 1 || run.err.find("there is not enough memory for this") != std::string::npos)
            << place << ": " << run.err;
      } else if (GetParam() < 0) {
        // If no work has to be ended, a signal has its default effect.
        ASSERT_THAT(run.status, testing::AnyOf(undisturbed_, 4, 6, -1)) << place << ": " << run.err;
      } else {
        ASSERT_THAT(run.status, testing::AnyOf(0, 2, 4, 5, 6)) << place << ": " << run.err;
      }
      EXPECT_TRUE(run.status <= 0 || run.err + run.out != "") << place;
      check(place);
      if (!exists("failed")) {
        // Few commands allocate much; each opens a file.
        EXPECT_TRUE(call > 1 || GetParam() == ENOMEM) << "no call of " << words << " failed";
        return;
      }
      std::filesystem::remove(scratch_.file("failed"));
      ASSERT_LT(call, 2000);
    }
  }
  /// Files that are there are those of an undisturbed command. A run that was interrupted has a result of its own.
  void are_whole(const Files& seen, const Files& whole, const std::string& place) const {
    if (interrupted_) return;
    for (const auto& [name, content] : seen) {
      const auto known = whole.find(name);
      ASSERT_NE(known, whole.end()) << place << " left " << name;
      EXPECT_EQ(content, known->second) << place << ": " << name;
    }
  }

  int undisturbed_ = 0;               ///< the status of commands of which no call fails
  mutable bool interrupted_ = false;  ///< the last command, which ended by itself
};

TEST_P(EveryCall, Run) {
  const std::string words = "run e.yaml --quiet --trace --waves --force --out o";
  ASSERT_EQ(starloom(words).status, 0);
  const Files whole = files("o");
  fail_each(words, [&](const std::string& place) {
    are_whole(files("o"), whole, place);
    for (const std::string& folder : ProgramTest::files("."))
      if (folder[0] == 'o') std::filesystem::remove_all(scratch_.file(folder));
  });
}

// Killed at any moment of the exchange, one of the two results is whole, or the next run puts the earlier one back.
TEST_P(EveryCall, TheEarlierResultOrTheNewOne) {
  scratch_.write("other.yaml",
                 std::string(small_experiment).replace(std::string(small_experiment).find("reversal"), 8, "transpose"));
  ASSERT_EQ(starloom("run e.yaml --quiet --waves --out earlier").status, 0);
  ASSERT_EQ(starloom("run other.yaml --quiet --trace --out newer").status, 0);
  const Files earlier = files("earlier"), newer = files("newer");
  int put_back = 0;
  std::filesystem::copy(scratch_.file("earlier"), scratch_.file("o"));
  scratch_.write("o/notes.txt", "mine");
  fail_each("run other.yaml --quiet --trace --force --out o", [&](const std::string& place) {
    const ProgramRun next = starloom("run e.yaml --quiet --out o");
    EXPECT_EQ(next.status, 5) << place;
    put_back += next.err.find(
                    "o: a run was killed while it replaced the result here; the earlier result is restored from "
                    "o/.earlier.partial-") == 0;
    Files seen = files("o");
    EXPECT_EQ(seen["notes.txt"], "mine") << place;
    seen.erase("notes.txt");
    EXPECT_TRUE(seen == earlier || seen == newer || interrupted_)
        << place << testing::PrintToString(ProgramTest::files("o"));
    for (const std::string& name : ProgramTest::files("o"))
      EXPECT_NE(name.rfind(".earlier.", 0), 0U) << place << ": " << name;
    std::filesystem::remove_all(scratch_.file("o"));
    std::filesystem::copy(scratch_.file("earlier"), scratch_.file("o"));
    scratch_.write("o/notes.txt", "mine");
  });
  if (GetParam() == -SIGKILL) {
    EXPECT_GT(put_back, 10);
  } else {
    EXPECT_EQ(put_back, 0);
  }
}

// So does the run after that, if the next one is killed while it puts the result back.
TEST_P(EveryCall, TheEarlierResultIsPutBack) {
  ASSERT_EQ(starloom("run e.yaml --quiet --waves --out earlier").status, 0);
  const Files earlier = files("earlier");
  const auto leave_in_the_middle = [this] {
    std::filesystem::remove_all(scratch_.file("o"));
    std::filesystem::create_directories(scratch_.file("o/.partial-1"));
    std::filesystem::copy(scratch_.file("earlier"), scratch_.file("o/.earlier.partial-1.complete"));
    for (const char* file : {"o/packets.csv", "o/trace.csv", "o/waves.vcd", "o/.partial-1/result.json"})
      scratch_.write(file, "newer");
  };
  leave_in_the_middle();
  undisturbed_ = 5;
  fail_each("run e.yaml --quiet --out o", [&](const std::string& place) {
    starloom("run e.yaml --quiet --out o");
    EXPECT_EQ(files("o"), earlier) << place << testing::PrintToString(ProgramTest::files("o"));
    EXPECT_EQ(ProgramTest::files("o/.partial-1"),
              (std::vector<std::string>{"packets.csv", "result.json", "trace.csv", "waves.vcd"}))
        << place;
    leave_in_the_middle();
  });
}

TEST_P(EveryCall, SavedPlan) {
  const std::string words = "plan m.yaml --save p.json --force";
  ASSERT_EQ(starloom(words).status, 0);
  const std::string plan = scratch_.read("p.json");
  fail_each(words, [&](const std::string& place) { EXPECT_EQ(scratch_.read("p.json"), plan) << place; });
}

TEST_P(EveryCall, Replay) {
  const std::string words = "replay o --out page.html";
  ASSERT_EQ(starloom("run e.yaml --quiet --trace --out o").status, 0);
  ASSERT_EQ(starloom(words).status, 0);
  const std::string page = scratch_.read("page.html");
  // A page that was there stays as it was, or is the same again.
  scratch_.write("page.html", page + "an earlier one");
  fail_each(words, [&](const std::string& place) {
    EXPECT_THAT(scratch_.read("page.html"), testing::AnyOf(page, page + "an earlier one")) << place;
  });
}

// Commands that write no files.
TEST_P(EveryCall, Readers) {
  ASSERT_EQ(starloom("run e.yaml --quiet --trace --out o").status, 0);
  const Files whole = files("o");
  for (const char* words : {"check e.yaml", "faults e.yaml --threads 1", "draw e.yaml", "show o --step 1", "why o",
                            "why o --packet 1 --json", "verify o"}) {
    ASSERT_EQ(starloom(words).status, 0) << words;
    fail_each(words, [&](const std::string& place) { EXPECT_EQ(files("o"), whole) << place; });
  }
}

TEST_P(EveryCall, Saturate) {
  const std::string words = "saturate s.yaml --within 0.25 --jobs 1 --store ";
  const ProgramRun sound = starloom(words + "whole");
  ASSERT_EQ(sound.status, 0);
  const auto rows = stored_rows(scratch_.file("whole"));
  fail_each(words + "s", [&](const std::string& place) {
    const ProgramRun again = starloom(words + "s");
    EXPECT_EQ(again.status, 0) << place << ": " << again.err;
    EXPECT_EQ(again.out, sound.out) << place;
    EXPECT_EQ(stored_rows(scratch_.file("s")), rows) << place;
    for (const char* file : {"s", "s-wal", "s-shm", "s-journal", "s.lock"})
      std::filesystem::remove(scratch_.file(file));
  });
}

TEST_P(EveryCall, CampaignAndReport) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store whole").status, 0);
  const auto rows = stored_rows(scratch_.file("whole"));
  fail_each("campaign c.yaml --jobs 1 --store s", [&](const std::string& place) {
    const ProgramRun again = starloom("campaign c.yaml --jobs 1 --store s");
    EXPECT_EQ(again.status, 0) << place << ": " << again.err;
    EXPECT_EQ(stored_rows(scratch_.file("s")), rows) << place;
    for (const char* file : {"s", "s-wal", "s-shm", "s-journal", "s.lock"})
      std::filesystem::remove(scratch_.file(file));
  });
  const std::string report = "report c.yaml --store whole --out r";
  undisturbed_ = 5;  // a picture is missing
  ASSERT_EQ(starloom(report, without_programs).status, undisturbed_);
  const Files whole = files("r");
  std::filesystem::remove_all(scratch_.file("r"));
  fail_each(report, [&](const std::string& place) {
    are_whole(files("r"), whole, place);
    EXPECT_EQ(starloom(report, without_programs).status, undisturbed_) << place;
    EXPECT_EQ(files("r"), whole) << place;
    std::filesystem::remove_all(scratch_.file("r"));
  });
}

TEST_P(EveryCall, Regression) {
  ASSERT_EQ(starloom("regress e.yaml --update").status, 0);
  const std::string golden = scratch_.read("e.golden.json");
  fail_each("regress e.yaml --jobs 1 --update --junit j.xml", [&](const std::string& place) {
    EXPECT_EQ(scratch_.read("e.golden.json"), golden) << place;
    const std::string junit = exists("j.xml") ? scratch_.read("j.xml") : "</testsuite>\n";
    EXPECT_THAT(junit, testing::EndsWith(">\n")) << place;
  });
}

// A power cut leaves the earlier file or the new one: a file is on the disk before it is renamed to its final name, its
// folder after that.
TEST_F(Calls, WhatIsReplacedIsOnTheDisk) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store s").status, 0);
  for (const char* words : {"run e.yaml --quiet --trace --waves --force --out o", "plan m.yaml --save p.json --force",
                            "regress e.yaml --jobs 1 --update --junit j.xml", "replay o --out page.html",
                            "report c.yaml --store s --out r"}) {
    const int status = starloom(words, without_programs).status;
    ASSERT_THAT(status, testing::AnyOf(0, 5)) << words;  // 5: a picture of the report is missing
    ASSERT_EQ(starloom(words,
                       [this] {
                         without_programs();
                         record_calls(scratch_.file("calls").string());
                       })
                  .status,
              status)
        << words;
    const std::string calls = "\n" + scratch_.read("calls");
    const auto absolute = [this](const std::string& name) {
      return name[0] == '/' ? name : scratch_.file(name).lexically_normal().string();
    };
    int renamed = 0;
    std::istringstream lines(calls);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream parts(line);
      std::string call, from, to;
      parts >> call >> from >> to;
      // Temporary files only. The results of a regression are removed at its end.
      const bool final_name = from.find("partial-") != std::string::npos && to.find("partial-") == std::string::npos;
      if (call != "rename" || !final_name || to.find("starloom-regress-") != std::string::npos) continue;
      ++renamed;
      const std::size_t at = calls.find("\n" + line + "\n");
      EXPECT_LT(calls.find("\nsync " + absolute(from) + "\n"), at) << words << ": " << line;
      EXPECT_NE(calls.find("\nsync " + std::filesystem::path(absolute(to)).parent_path().string() + "\n", at),
                std::string::npos)
          << words << ": " << line;
    }
    EXPECT_GT(renamed, 0) << words;
    std::filesystem::remove(scratch_.file("calls"));
  }
}

// A new result does not replace another, so it does not wait for the disk.
TEST_F(Calls, ANewResultWaitsForNoDisk) {
  ASSERT_EQ(starloom("run e.yaml --quiet --out o", [this] { record_calls(scratch_.file("calls").string()); }).status,
            0);
  EXPECT_THAT(scratch_.read("calls"), testing::Not(testing::HasSubstr("sync")));
}

INSTANTIATE_TEST_SUITE_P(Errors, EveryCall, testing::Values(ENOSPC, EIO, EINTR, 0, ENOMEM, -SIGTERM, -SIGKILL));

}  // namespace
}  // namespace starloom
