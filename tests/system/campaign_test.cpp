// SPDX-License-Identifier: Apache-2.0
// Campaigns that are sound: points, stores, shards, and what they do when they are disturbed.
#include "support/places.hpp"
#include "system/campaign_support.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include <starloom/campaign/store.hpp>
#include <starloom/results/result.hpp>
#include "cli/background_run.hpp"
#include "support/small_disk.hpp"

namespace starloom {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

class CampaignRun : public CampaignTest {};

TEST_F(CampaignRun, RunsEveryPointOnce) {
  write_campaign(30);
  const ProgramRun before = starloom("campaign c.yaml --dry-run");
  EXPECT_EQ(before.status, 0);
  EXPECT_EQ(before.out,
            "network.shape=[4,4] routing.discipline=\"fifo\": 0 of 30 runs done\n"
            "network.shape=[4,4] routing.discipline=\"furthest-destination\": 0 of 30 runs done\n"
            "network.shape=[6,6] routing.discipline=\"fifo\": 0 of 30 runs done\n"
            "network.shape=[6,6] routing.discipline=\"furthest-destination\": 0 of 30 runs done\n"
            "test: 4 points, 0 of 120 runs done\n");
  EXPECT_FALSE(exists("out"));
  const ProgramRun first = starloom("campaign c.yaml");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, "test: 120 of 120 runs done (120 now), 0 failed; store out/c.sqlite\n");
  EXPECT_EQ(first.err, "");
  EXPECT_THAT(rows("out/c.sqlite"), SizeIs(120));
  EXPECT_EQ(starloom("campaign c.yaml").out, "test: 120 of 120 runs done (0 now), 0 failed; store out/c.sqlite\n");
  EXPECT_THAT(starloom("campaign c.yaml --dry-run").out, HasSubstr("test: 4 points, 120 of 120 runs done\n"));
  EXPECT_FALSE(exists("out/c.sqlite.lock"));
}

// A run of a campaign is the run that `starloom run` does with seed base + index.
TEST_F(CampaignRun, IsTheSameAsSingleRuns) {
  write_campaign(3, "", "all");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  scratch_.write("e.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [6, 6]}\n"
                 "routing: {algorithm: greedy, discipline: fifo}\ntraffic: {pattern: random-permutation}\n");
  Store store(scratch_.file("out/c.sqlite"), Database::Mode::read);
  for (int index = 0; index < 3; ++index) {
    const std::string seed = std::to_string(1 + index);
    EXPECT_EQ(starloom("run e.yaml --quiet --seed " + seed + " --out " + seed).status, 0);
    const auto stored = nlohmann::ordered_json::parse(store.whole_result(3, index));
    EXPECT_EQ(json_text(stored), scratch_.read(seed + "/result.json"));
  }
}

TEST_F(CampaignRun, JobsDoNotMatter) {
  write_campaign(100);
  const auto expected = undisturbed();
  for (const std::string jobs : {"2", "5"}) {
    EXPECT_EQ(starloom("campaign c.yaml --jobs " + jobs + " --store " + jobs).status, 0);
    EXPECT_EQ(rows(jobs), expected);
  }
}

TEST_F(CampaignRun, FourShardsMergedAreOneStore) {
  write_campaign(35);
  const auto expected = undisturbed();
  for (const std::string i : {"0", "1", "2", "3"}) {
    const ProgramRun run = starloom("campaign c.yaml --shard " + i + "/4");
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out,
                MatchesRegex("test: 35 of 35 runs done .35 now., 0 failed; store out/c.shard-" + i + "-of-4.sqlite\n"));
  }
  const ProgramRun merge = starloom(
      "campaign merge out/c.shard-0-of-4.sqlite out/c.shard-1-of-4.sqlite out/c.shard-2-of-4.sqlite "
      "out/c.shard-3-of-4.sqlite --into merged/m.sqlite");
  EXPECT_EQ(merge.status, 0) << merge.err;
  EXPECT_EQ(merge.out, "merged/m.sqlite: 140 runs added, 0 already stored; 4 points\n");
  EXPECT_EQ(rows("merged/m.sqlite"), expected);
  EXPECT_EQ(starloom("campaign merge undisturbed.sqlite --into merged/m.sqlite").out,
            "merged/m.sqlite: 0 runs added, 140 already stored; 4 points\n");
  EXPECT_EQ(starloom("campaign c.yaml --store merged/m.sqlite").out,
            "test: 140 of 140 runs done (0 now), 0 failed; store merged/m.sqlite\n");
}

TEST_F(CampaignRun, MergeRefusesWhatContradicts) {
  write_campaign(3);
  for (const std::string name : {"a", "b", "old"}) EXPECT_EQ(starloom("campaign c.yaml --store " + name).status, 0);
  Store(scratch_.file("b"), Database::Mode::create)
      .database()
      .run("UPDATE runs SET figures = '[0,0]', sum = NULL WHERE point = 2 AND idx = 1");
  refuses("campaign merge a b --into c", 2,
          "b contradicts the merged stores: run 1 of network.shape=[4,4] routing.discipline=\"furthest-destination\"; "
          "no store was changed");
  EXPECT_FALSE(exists("c"));
  // A target that was there before stays as it was.
  ASSERT_EQ(starloom("campaign merge a --into c").status, 0);
  EXPECT_EQ(starloom("campaign merge b --into c").status, 2);
  EXPECT_EQ(rows("c"), rows("a"));
  Store(scratch_.file("old"), Database::Mode::create).database().run("UPDATE points SET version = '0.0.1', sum = NULL");
  refuses("campaign merge a old --into d", 2,
          "a holds results of version " + program_version() +
              ", old of version 0.0.1; only stores of one version can be merged");
  EXPECT_FALSE(exists("d"));
  refuses("campaign merge a none --into d", 2, "none: there is no such file; run starloom campaign first");
  refuses("campaign merge a c --into a", 2, "a: the store of --into cannot also be a source");
  refuses("campaign merge c.yaml --into d", 2, "c.yaml: this is not the store of a campaign (not an SQLite file)");
}

TEST_F(CampaignRun, PointsMayHaveNumbersOfRunsOfTheirOwn) {
  const auto write = [this](const std::string& runs) {
    scratch_.write("c.yaml", "schema: 1\nname: test\n" + std::string(campaign_base) +
                                 "zip: {network.shape: [[4, 4], [6, 6]], runs: " + runs +
                                 "}\nkeep: [steps]\n"
                                 "reference: [{at: {network.shape: [6, 6]}, figure: steps, value: 1}]\n");
  };
  write("[7, 2]");
  EXPECT_EQ(starloom("campaign c.yaml").out, "test: 9 of 9 runs done (9 now), 0 failed; store out/c.sqlite\n");
  EXPECT_EQ(starloom("campaign c.yaml --dry-run").out,
            "network.shape=[4,4]: 7 of 7 runs done\nnetwork.shape=[6,6]: 2 of 2 runs done\n"
            "test: 2 points, 9 of 9 runs done\n");
  write("[7, 5]");
  EXPECT_EQ(starloom("campaign c.yaml --shard 0/2").out,
            "test: 6 of 6 runs done (6 now), 0 failed; store out/c.shard-0-of-2.sqlite\n");
  const ProgramRun report = starloom("report c.yaml");
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr(", 5 to 7 runs per point.\n"));
  EXPECT_THAT(report.out, HasSubstr("| [4,4]         | steps  | 7 "));
  EXPECT_THAT(report.out, HasSubstr("network.shape=[6,6]: 2 of 5 runs are done\n"));
}

TEST_F(CampaignRun, AxesZipRangesAndExperimentFiles) {
  std::filesystem::create_directory(scratch_.file("sub"));
  scratch_.write("sub/p.txt", "3 2 1 0\n");
  scratch_.write("sub/e.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: file, file: p.txt}\n");
  scratch_.write("c.yaml",
                 "schema: 1\nexperiment: sub/e.yaml\nruns: 1\nkeep: [steps]\n"
                 "axes: {seed: {from: 1, to: 9, factor: 3}, zip: {limits.quiet: {from: 11, to: 13}, units.clock_ns: "
                 "[0.5, 1, 2]}}\n");
  EXPECT_EQ(starloom("campaign c.yaml --dry-run").out,
            "seed=1 limits.quiet=11 units.clock_ns=0.5: 0 of 1 runs done\n"
            "seed=1 limits.quiet=12 units.clock_ns=1: 0 of 1 runs done\n"
            "seed=1 limits.quiet=13 units.clock_ns=2: 0 of 1 runs done\n"
            "seed=3 limits.quiet=11 units.clock_ns=0.5: 0 of 1 runs done\n"
            "seed=3 limits.quiet=12 units.clock_ns=1: 0 of 1 runs done\n"
            "seed=3 limits.quiet=13 units.clock_ns=2: 0 of 1 runs done\n"
            "seed=9 limits.quiet=11 units.clock_ns=0.5: 0 of 1 runs done\n"
            "seed=9 limits.quiet=12 units.clock_ns=1: 0 of 1 runs done\n"
            "seed=9 limits.quiet=13 units.clock_ns=2: 0 of 1 runs done\n"
            "c: 9 points, 0 of 9 runs done\n");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  // Values of a range are as exact as its ends.
  scratch_.write("fine.yaml",
                 "schema: 1\nexperiment: sub/e.yaml\nruns: 1\nkeep: [steps]\n"
                 "axes: {units.clock_ns: {from: 0.12345678, to: 0.12345680, step: 0.00000001}}\n");
  EXPECT_THAT(starloom("campaign fine.yaml --dry-run").out,
              AllOf(HasSubstr("units.clock_ns=0.12345678: "), HasSubstr("units.clock_ns=0.12345679: "),
                    HasSubstr("units.clock_ns=0.1234568: "), HasSubstr("fine: 3 points, ")));
  // Another content of the file is another experiment.
  scratch_.write("sub/p.txt", "0 1 2 3\n");
  EXPECT_THAT(starloom("campaign c.yaml --dry-run").out, HasSubstr("c: 9 points, 0 of 9 runs done\n"));
}

TEST_F(CampaignRun, AChangedFileAddsPointsAndKeepsOrphans) {
  write_campaign(5);
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  const std::string text = scratch_.read("c.yaml");
  std::string changed = text;
  changed.replace(changed.find("fifo"), 4, "furthest-origin");
  changed.replace(changed.find("runs: 5"), 7, "runs: 7");
  scratch_.write("c.yaml", changed);
  const std::string orphans =
      "out/c.sqlite: 2 points are in the store but no longer in the campaign file; kept:\n"
      "  network.shape=[4,4] routing.discipline=\"fifo\" (version " +
      program_version() +
      ", 5 runs)\n"
      "  network.shape=[6,6] routing.discipline=\"fifo\" (version " +
      program_version() + ", 5 runs)\n";
  const ProgramRun dry = starloom("campaign c.yaml --dry-run");
  EXPECT_THAT(dry.out, HasSubstr("test: 4 points, 10 of 28 runs done\n"));
  EXPECT_EQ(dry.err, orphans);
  const ProgramRun run = starloom("campaign c.yaml");
  EXPECT_EQ(run.out, "test: 28 of 28 runs done (18 now), 0 failed; store out/c.sqlite\n");
  EXPECT_EQ(run.err, orphans);
  EXPECT_THAT(rows("out/c.sqlite"), SizeIs(38));
}

TEST_F(CampaignRun, ARunThatNeverEndsIsRecordedAndTheRestGoesOn) {
  write_campaign(3, "limits: {seconds: 2}\n");
  std::string text = scratch_.read("c.yaml");
  text.replace(
      text.find("axes: {"), 7,
      "axes: {traffic: [{pattern: transpose}, {pattern: uniform, rate: 0.1, measure: 1000000000000, warmup: 0, "
      "drain: 0}], ");
  text.replace(text.find("[[4, 4], [6, 6]]"), 16, "[[4, 4]]");
  text.replace(text.find("runs: 3"), 7, "runs: 1");
  scratch_.write("c.yaml", text);
  const ProgramRun run = starloom("campaign c.yaml");
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.out, "test: 2 of 4 runs done (2 now), 2 failed; store out/c.sqlite\n");
  EXPECT_THAT(run.err, HasSubstr("run 0 (seed 1) failed: it took longer than 2 s (limits.seconds)\n"));
  Store store(scratch_.file("out/c.sqlite"), Database::Mode::read);
  EXPECT_EQ(store.database().number("SELECT count(*) FROM failures"), 2);
}

// Outcomes are results; the exit status reports those that did not deliver, unless they are expected.
TEST_F(CampaignRun, OutcomesDecideTheStatus) {
  write_campaign(2);
  std::string text = scratch_.read("c.yaml");
  const std::string pattern = "  traffic: {pattern: random-permutation}\n";
  text.replace(text.find(pattern), pattern.size(), pattern + "  limits: {steps: 1}\n");
  scratch_.write("c.yaml", text);
  const ProgramRun run = starloom("campaign c.yaml");
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, StartsWith("network.shape=[4,4] routing.discipline=\"fifo\": run 0 (seed 1) ended as "
                                  "step-limit\n"));
  EXPECT_THAT(starloom("report c.yaml").out, HasSubstr("2 runs ended as step-limit and are left out"));
  text.replace(text.find("limits: {steps: 1}\n"), 19, "limits: {steps: 1}\n  expect: {outcome: step-limit}\n");
  scratch_.write("c.yaml", text);
  EXPECT_EQ(starloom("campaign c.yaml --store new").status, 0);
}

class CampaignStore : public CampaignTest {};

TEST_F(CampaignStore, RefusesWhatIsNotItsOwn) {
  write_campaign(2);
  scratch_.write("text",
                 "this is not SQLite, but it is long enough to have a header of one hundred bytes at least, "
                 "so that nobody takes it for an empty file");
  refuses("campaign c.yaml --store text", 2, "text: this is not the store of a campaign (not an SQLite file)");
  refuses("report c.yaml --store text", 2, "text: this is not the store of a campaign (not an SQLite file)");
  refuses("campaign c.yaml --store .", 2, ".: this is a folder, not a store");
  for (const std::string device : {"/dev/null", "/dev/full"})
    refuses("campaign c.yaml --store " + device, 2, device + ": this is not a regular file; a store is an SQLite file");
  refuses("report c.yaml", 2, "out/c.sqlite: there is no such file; run starloom campaign first");
  Database(scratch_.file("other"), Database::Mode::create).run("CREATE TABLE t (x)");
  refuses("campaign c.yaml --store other", 2,
          "other: this is not the store of a campaign (another program's SQLite file)");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  Database(scratch_.file("out/c.sqlite"), Database::Mode::create).run("PRAGMA user_version = 3");
  const std::string newer =
      "out/c.sqlite: this store has schema 3, from a newer version of starloom; this program knows 2";
  refuses("campaign c.yaml", 2, newer);
  refuses("campaign c.yaml --dry-run", 2, newer);
  refuses("report c.yaml", 2, newer);
  refuses("campaign merge out/c.sqlite --into new", 2, newer);
}

TEST_F(CampaignStore, RowsAreShort) {
  write_campaign(2000);
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  EXPECT_LE(std::filesystem::file_size(scratch_.file("out/c.sqlite")), 8000U * 100U);
}

TEST_F(CampaignStore, FullDisk) {
  write_campaign(400, "", "all");
  const auto expected = undisturbed();
  const SmallDisk disk(scratch_.file("disk"), "size=400k");
  if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
  const ProgramRun full = starloom("campaign c.yaml --store disk/s");
  EXPECT_EQ(full.status, 5);
  EXPECT_EQ(full.err, "disk/s: the disk is full; the runs stored so far are kept\n");
  ASSERT_TRUE(disk.remount(0, "size=64m"));
  EXPECT_EQ(Store(scratch_.file("disk/s"), Database::Mode::read).database().prepare("PRAGMA integrity_check").next(),
            true);
  EXPECT_EQ(starloom("campaign c.yaml --store disk/s").status, 0);
  EXPECT_EQ(rows("disk/s"), expected);
}

TEST_F(CampaignStore, AStoreThatFindsNoRoomLeavesNothing) {
  write_campaign(3);
  const auto no_room = [] {
    const rlimit limit{512, 512};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  EXPECT_EQ(starloom("campaign c.yaml --store stores/s", no_room).status, 5);
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.file("stores")));
  const SmallDisk disk(scratch_.file("disk"), "size=4k");
  if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
  refuses("campaign c.yaml --store disk/s", 5, "disk/s: the disk is full; no store was created");
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.file("disk")));
}

TEST_F(CampaignStore, FolderThatCannotBeWritten) {
  write_campaign(3);
  const SmallDisk disk(scratch_.file("disk"), "size=4m");
  if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
  EXPECT_EQ(starloom("campaign c.yaml --store disk/s").status, 0);
  ASSERT_TRUE(disk.remount(MS_RDONLY, "size=4m"));
  refuses("campaign c.yaml --store disk/new", 5,
          "disk/new: the store cannot be written: no such folder, or no permission");
  const ProgramRun again = starloom("campaign c.yaml --store disk/s");
  EXPECT_EQ(again.status, 5);
  EXPECT_THAT(again.err, StartsWith("disk/s: the store cannot be written"));
  // Reading takes no writing.
  EXPECT_THAT(starloom("campaign c.yaml --store disk/s --dry-run").out, HasSubstr("12 of 12 runs done"));
  EXPECT_EQ(starloom("report c.yaml --store disk/s").status, 0);
  refuses("campaign c.yaml --store c.yaml/s", 5, "c.yaml/s: its folder cannot be created: Not a directory");
}

class CampaignDisturbed : public CampaignTest {
 protected:
  /// So many runs that no machine ends the campaign before it is disturbed.
  static constexpr int endless = 100'000'000;
  /// Returns when the store `s` has that many rows, or the campaign has ended.
  void wait_for_rows(BackgroundRun& run, std::int64_t wanted) const {
    while (run.running() && number("SELECT count(*) FROM runs") < wanted) ::usleep(1000);
  }
  std::int64_t number(const std::string& query) const {
    try {
      return Store(scratch_.file("s"), Database::Mode::read).database().number(query);
    } catch (const Error&) {
      return 0;  // not made yet
    }
  }
  /// Resumes the store `s` with at least as many runs per point as it has begun; then its rows are those of an
  /// undisturbed campaign, which are returned.
  std::vector<std::string> resumed() const {
    const auto last_begun = number("SELECT max(idx) FROM (SELECT idx FROM runs UNION SELECT idx FROM failures)");
    write_campaign(static_cast<int>(last_begun) + 1);
    const ProgramRun last = starloom("campaign c.yaml --store s");
    EXPECT_EQ(last.status, 0) << last.err;
    EXPECT_FALSE(exists("s.lock"));
    const auto expected = undisturbed();
    EXPECT_EQ(rows("s"), expected);
    return expected;
  }
};

// Whatever the moment: the rows of a disturbed campaign are in the end those of an undisturbed one.
TEST_F(CampaignDisturbed, TenTimesAndResumed) {
  write_campaign(endless);
  std::vector<std::vector<std::string>> found(1);
  // Rows are committed every 50 ms.
  for (const unsigned milliseconds : {0U, 30U, 10U, 45U, 5U, 20U, 0U, 40U, 15U, 25U}) {
    BackgroundRun run(scratch_, {"campaign", "c.yaml", "--store", "s", "--jobs", "2"});
    wait_for_rows(run, static_cast<std::int64_t>(found.back().size()) + 1);
    ::usleep(milliseconds * 1000);
    run.signal(SIGKILL);
    const ProgramRun ended = run.wait();
    ASSERT_EQ(ended.status, -1) << "it ended before it was killed: " << ended.err;
    found.push_back(rows("s"));
    EXPECT_GT(found.back().size(), found[found.size() - 2].size());
  }
  found.push_back(resumed());
  for (std::size_t k = 1; k < found.size(); ++k)
    EXPECT_TRUE(std::includes(found[k].begin(), found[k].end(), found[k - 1].begin(), found[k - 1].end())) << k;
}

TEST_F(CampaignDisturbed, InterruptEndsCleanly) {
  write_campaign(endless);
  BackgroundRun interrupted(scratch_, {"campaign", "c.yaml", "--store", "s"});
  wait_for_rows(interrupted, 1);
  interrupted.signal(SIGINT);
  const ProgramRun run = interrupted.wait();
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.err, "starloom: interrupted; run the same command again to continue\n");
  EXPECT_THAT(run.out, ContainsRegex("^test: [0-9]+ of 400000000 runs done \\([0-9]+ now\\), 0 failed; store s\n$"));
  EXPECT_FALSE(exists("s.lock"));
  resumed();
}

TEST_F(CampaignDisturbed, ASecondOneLeavesItAlone) {
  write_campaign(endless);
  BackgroundRun first(scratch_, {"campaign", "c.yaml", "--store", "s"});
  wait_for_rows(first, 1);
  refuses("campaign c.yaml --store s", 5,
          "s: another campaign (process " + std::to_string(first.pid()) +
              ") is writing this store; wait for it, or choose another --store");
  wait_for_rows(first, number("SELECT count(*) FROM runs") + 1);
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().status, 4);
  resumed();
}

// A worker that the system kills costs the run that it does, which the next call makes good.
TEST_F(CampaignDisturbed, AWorkerIsKilled) {
  write_campaign(endless);
  BackgroundRun campaign(scratch_, {"campaign", "c.yaml", "--store", "s", "--jobs", "1"});
  const std::string pid = std::to_string(campaign.pid());
  // Between two runs it does none: then the next worker ends in the same way.
  while (campaign.running() && number("SELECT count(*) FROM failures") == 0) {
    wait_for_rows(campaign, number("SELECT count(*) FROM runs") + 1);
    pid_t worker = 0;
    std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> worker;
    ASSERT_GT(worker, 0);
    ::kill(worker, SIGKILL);
  }
  wait_for_rows(campaign, number("SELECT count(*) FROM runs") + 1);
  campaign.signal(SIGINT);
  const ProgramRun run = campaign.wait();
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.out, ContainsRegex(" now\\), [1-9][0-9]* failed; store s\n"));
  EXPECT_THAT(run.err, HasSubstr("failed: the worker process was killed by signal 9 (Killed)\n"));
  resumed();
  EXPECT_EQ(number("SELECT count(*) FROM failures"), 0);
}

class CampaignReport : public CampaignTest {
 protected:
  std::string reference(const std::string& value) const {
    return "reference: [{at: {network.shape: [4, 4], routing.discipline: fifo}, figure: steps, value: " + value +
           ", tolerance: 1, source: \"a | b\"}]\n";
  }
};

TEST_F(CampaignReport, TableFilesAndStatus) {
  write_campaign(20, reference("5"));
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  const ProgramRun met = starloom("report c.yaml");
  EXPECT_EQ(met.status, 0);
  EXPECT_EQ(met.err, "");
  EXPECT_THAT(met.out, ContainsRegex(" SE +[|] ok"));
  EXPECT_THAT(met.out, HasSubstr("a \\| b"));
  EXPECT_THAT(scratch_.read("out/c/points.csv"),
              StartsWith("network.shape,routing.discipline,figure,runs,mean,sd,median,max,ci_low,ci_high,reference,"
                         "deviation,lost\n\"[4,4]\",fifo,steps,20,"));
  for (const char* file : {"report.md", "steps.png", "steps.svg", "steps.gp", "queue_max.svg"})
    EXPECT_GT(scratch_.read(std::string("out/c/") + file).size(), 100U) << file;
  write_campaign(20, reference("50"));
  const ProgramRun missed = starloom("report c.yaml --out other");
  EXPECT_EQ(missed.status, 6);
  EXPECT_THAT(missed.err, MatchesRegex("c.yaml:11:13: reference missed: steps is [0-9.]+, expected 50 within 1\n"));
  EXPECT_THAT(missed.out, HasSubstr("MISSED"));
  EXPECT_TRUE(exists("other/points.csv"));
}

// The metrics of a report, recomputed by hand: greedy takes the distance on a transposition of 2 x 2.
TEST_F(CampaignReport, Csv) {
  scratch_.write("c.yaml",
                 "schema: 1\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [1, 3]}\n"
                 "  routing: {algorithm: greedy}\n  traffic: {pattern: reversal}\n"
                 "axes: {traffic: [{pattern: reversal}, {pattern: identity}], network.shape: [[1, 3]]}\nruns: 2\n"
                 "keep: [steps, latency.mean, schedule.steps]\n"
                 "reference: [{at: {traffic: {pattern: reversal}}, figure: steps, value: 2, tolerance: 0}, {at: "
                 "{traffic: {pattern: identity}}, figure: steps, value: 2}]\n");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  const ProgramRun report = starloom("report c.yaml");
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(scratch_.read("out/c/points.csv"),
            "traffic,network.shape,figure,runs,mean,sd,median,max,ci_low,ci_high,reference,deviation,lost\n"
            "\"{\"\"pattern\"\":\"\"reversal\"\"}\",\"[1,3]\",steps,2,2,0,2,2,2,2,2,0,0\n"
            "\"{\"\"pattern\"\":\"\"reversal\"\"}\",\"[1,3]\",latency.mean,2,1.3333333333333333,0,1.3333333333333333,"
            "1.3333333333333333,1.3333333333333333,1.3333333333333333,,,0\n"
            "\"{\"\"pattern\"\":\"\"reversal\"\"}\",\"[1,3]\",schedule.steps,0,,,,,,,,,0\n"
            "\"{\"\"pattern\"\":\"\"identity\"\"}\",\"[1,3]\",steps,2,0,0,0,0,0,0,2,-inf,0\n"
            "\"{\"\"pattern\"\":\"\"identity\"\"}\",\"[1,3]\",latency.mean,2,0,0,0,0,0,0,,,0\n"
            "\"{\"\"pattern\"\":\"\"identity\"\"}\",\"[1,3]\",schedule.steps,0,,,,,,,,,0\n");
}

// With one dead cable of three, a line of 1 x 4 always falls into two parts; with one of 4 in a ring it never does.
TEST_F(CampaignReport, ProportionsHaveIntervalsWithinZeroToOne) {
  scratch_.write("c.yaml",
                 "schema: 1\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [1, 4]}\n"
                 "  routing: {algorithm: vc-wormhole, function: up-down}\n  traffic: {pattern: identity}\n"
                 "  faults: {random: {cables: 1}}\n"
                 "axes: {network.shape: [[1, 4], [2, 2]], routing.channels: [2]}\nruns: 4\nkeep: [faults.connected]\n"
                 "table: [{rows: network.shape, columns: routing.channels, figure: faults.connected}]\n");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  EXPECT_EQ(starloom("report c.yaml").status, 0);
  EXPECT_THAT(scratch_.read("out/c/points.csv"), ContainsRegex("faults.connected,4,0,0,0,0,0,0.4898[0-9]*,"));
  EXPECT_THAT(scratch_.read("out/c/points.csv"), ContainsRegex("faults.connected,4,1,0,1,1,0.5101[0-9]*,1,"));
  EXPECT_THAT(scratch_.read("out/c/table_faults_connected.md"), HasSubstr(" 0.00 (0.00 to 0.49) "));
}

TEST_F(CampaignReport, WithoutRunsAReferenceIsMissed) {
  write_campaign(3, reference("5"));
  EXPECT_EQ(starloom("campaign c.yaml --shard 3/4").status, 0);
  const ProgramRun report = starloom("report c.yaml --store out/c.shard-3-of-4.sqlite");
  EXPECT_THAT(report.out, HasSubstr("0 of 3 runs are done"));
}

TEST_F(CampaignReport, OfWholeResults) {
  write_campaign(4, reference("5"), "all");
  EXPECT_EQ(starloom("campaign c.yaml").status, 0);
  EXPECT_EQ(starloom("report c.yaml").status, 0);
  EXPECT_THAT(scratch_.read("out/c/points.csv"), HasSubstr("\"[6,6]\",furthest-destination,links.max_load,4,"));
}

TEST_F(CampaignReport, OfWhatShips) {
  for (const auto& entry : std::filesystem::directory_iterator(testbenches() / "campaigns")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_EQ(starloom("campaign '" + entry.path().string() + "' --dry-run").status, 0) << entry.path();
  }
}

}  // namespace
}  // namespace starloom
