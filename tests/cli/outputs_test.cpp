// SPDX-License-Identifier: Apache-2.0
// A failed write changes the status, keeps earlier files, and leaves no incomplete file under its final name.
// Messages on a closed stderr are lost without an effect.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "cli/program_run.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Outputs : public ProgramTest {
 protected:
  void SetUp() override {
    scratch_.write("e.yaml", small_experiment);
    scratch_.write("m.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [24, 24]}\nrouting: {algorithm: multistage}\n"
                   "traffic: {pattern: reversal}\n");
    scratch_.write("c.yaml",
                   "schema: 1\nname: many seeds\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [2, 2]}\n"
                   "  routing: {algorithm: greedy}\n  traffic: {pattern: random-permutation}\nruns: 5\n"
                   "keep: [steps, latency.mean]\naxes: {seed: {from: 1, to: 600, step: 1}}\n");
  }
  /// The folder has no temporary file.
  bool tidy(const std::string& folder) const {
    const std::filesystem::directory_iterator files(scratch_.file(folder)), end;
    return std::none_of(files, end, [](const std::filesystem::directory_entry& entry) {
      return entry.path().filename().string().find("partial-") != std::string::npos;
    });
  }
};

/// A limit on file sizes replaces a full disk; its signal is ignored by the program, not by the test. Blocks of 512
/// bytes; an open store needs 32 kB.
const std::string no_room = "ulimit -f 1;", little_room = "ulimit -f 70;";

TEST_F(Outputs, StderrThatCannotBeWrittenChangesNothing) {
  for (const char* closed : {" 2>/dev/full", " 2>&-"}) {
    EXPECT_EQ(starloom(std::string("run none.yaml") + closed).status, 2) << closed;
    EXPECT_EQ(starloom(std::string("run e.yaml --quiet --force --watch packet=1") + closed).status, 0) << closed;
    EXPECT_EQ(starloom(std::string("run e.yaml --quiet --force --set expect.steps=1") + closed).status, 6) << closed;
    EXPECT_EQ(starloom(std::string("list >/dev/full") + closed).status, 5) << closed;
    EXPECT_EQ(starloom(std::string("campaign c.yaml --jobs 1") + closed).status, 0) << closed;
    EXPECT_EQ(starloom(std::string("regress e.yaml") + closed).status, 0) << closed;
  }
}

// Messages must not be written to a file that got the descriptor of a closed stream.
TEST_F(Outputs, FilesTakeNoPlaceOfAClosedStream) {
  for (const char* closed : {" 2>&-", " <&- >&- 2>&-"}) {
    EXPECT_EQ(starloom(std::string("run e.yaml --force --watch packet=1 --trace --waves --out w") + closed).status,
              closed[1] == '2' ? 0 : 5);
    EXPECT_EQ(starloom("verify w").status, 0) << closed;
    EXPECT_THAT(scratch_.read("w/waves.vcd"), StartsWith("$")) << closed;
  }
}

TEST_F(Outputs, MessagesCannotSteerATerminal) {
  const ProgramRun run = starloom("run \"$(printf 'a\\033[2Jb\\377.yaml')\"");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, StartsWith("a\\x1b[2Jb\\xff.yaml: "));
  const ProgramRun long_name = starloom("run e.yaml --out " + std::string(3000, 'x'));
  EXPECT_EQ(long_name.status, 5);
  EXPECT_LE(long_name.err.size(), 601U);
}

TEST_F(Outputs, TemporaryFilesNeedAFolder) {
  const ProgramRun run = starloom("regress e.yaml", "TMPDIR=/none; export TMPDIR;");
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.err, "TMPDIR is not a usable directory for temporary files (No such file or directory)\n");
}

TEST_F(Outputs, NamesThatLookLikeOptions) {
  EXPECT_EQ(starloom("run e.yaml --quiet --waves --set waves.format=fst --out=-o").status, 0);
  EXPECT_TRUE(exists("-o/result.json"));
}

TEST_F(Outputs, PlansReplaceNothingUnasked) {
  ASSERT_EQ(starloom("plan m.yaml --save p.json").status, 0);
  const std::string plan = scratch_.read("p.json");
  refuses("plan m.yaml --save p.json", 5, "p.json: exists; --force replaces it");
  refuses("plan m.yaml --save m.yaml --force", 5, "m.yaml: is the experiment itself; choose another name");
  refuses("plan m.yaml --save . --force", 5, ".: is a folder; give the name of a file");
  EXPECT_EQ(starloom("plan m.yaml --set traffic.pattern=transpose --save p.json --force").status, 0);
  EXPECT_NE(scratch_.read("p.json"), plan);

  scratch_.write("proof.cnf", "mine");
  refuses("plan m.yaml --length 2 --proof proof", 5, "proof.cnf: exists; --force replaces it");
  EXPECT_EQ(scratch_.read("proof.cnf"), "mine");

  scratch_.write("elsewhere", "mine");
  std::filesystem::create_symlink("elsewhere", scratch_.file("link.json"));
  refuses("plan m.yaml --save link.json --force", 5, "link.json: is a symbolic link; give the name of the file itself");
  EXPECT_EQ(scratch_.read("elsewhere"), "mine");
  EXPECT_TRUE(tidy("."));
}

TEST_F(Outputs, AFullDiskDestroysNoPlan) {
  ASSERT_EQ(starloom("plan m.yaml --save p.json").status, 0);
  const std::string plan = scratch_.read("p.json");
  const ProgramRun run =
      starloom("plan m.yaml --set traffic.pattern=transpose --save p.json --force >/dev/null", no_room);
  EXPECT_EQ(run.status, 5);
  EXPECT_THAT(run.err, HasSubstr("p.json: cannot be written (File too large)"));
  EXPECT_EQ(scratch_.read("p.json"), plan);
  EXPECT_TRUE(tidy("."));
}

TEST_F(Outputs, AFullDiskDestroysNoReport) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1").status, 0);
  ASSERT_EQ(starloom("report c.yaml").status, 0);
  const std::string points = scratch_.read("out/c/points.csv");
  const ProgramRun run = starloom("report c.yaml >/dev/null", little_room);
  EXPECT_EQ(run.status, 5);
  EXPECT_THAT(run.err, HasSubstr("points.csv: cannot be written (File too large)"));
  EXPECT_EQ(scratch_.read("out/c/points.csv"), points);
  EXPECT_TRUE(tidy("out/c"));
}

TEST_F(Outputs, AReportIsNotWrittenThroughLinks) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1").status, 0);
  ASSERT_EQ(starloom("report c.yaml --out r").status, 0);
  scratch_.write("mine.md", "mine");
  std::filesystem::remove(scratch_.file("r/report.md"));
  std::filesystem::create_symlink("../mine.md", scratch_.file("r/report.md"));
  EXPECT_EQ(starloom("report c.yaml --out r").status, 0);
  EXPECT_EQ(scratch_.read("mine.md"), "mine");
  EXPECT_THAT(scratch_.read("r/report.md"), HasSubstr("| seed |"));
}

// An earlier report is replaced; whatever else has one of its names is the user's.
TEST_F(Outputs, ReportsReplaceNothingOfTheUser) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1").status, 0);
  std::filesystem::create_directory(scratch_.file("r"));
  scratch_.write("r/notes.txt", "mine");
  EXPECT_EQ(starloom("report c.yaml --out r").status, 0);
  EXPECT_EQ(starloom("report c.yaml --out r").status, 0);
  EXPECT_EQ(scratch_.read("r/notes.txt"), "mine");
  // The last is a picture or script whose name is not known before the report is made.
  for (const char* file : {"report.md", "points.csv", "latency_mean.gp"}) {
    ASSERT_TRUE(exists(std::string("r/") + file)) << testing::PrintToString(files("r"));
    std::filesystem::create_directory(scratch_.file("own"));
    scratch_.write(std::string("own/") + file, "figure,mine\n");
    refuses("report c.yaml --out own", 5,
            std::string("own/") + file +
                ": is not part of an earlier report, because there is no points.csv of one next to it; choose another "
                "--out");
    EXPECT_EQ(files("own"), std::vector<std::string>{file});
    EXPECT_EQ(scratch_.read(std::string("own/") + file), "figure,mine\n");
    std::filesystem::remove_all(scratch_.file("own"));
  }
}

TEST_F(Outputs, JunitFilesAndDevices) {
  ASSERT_EQ(starloom("regress e.yaml --junit new/folder/j.xml").status, 0);
  ASSERT_EQ(starloom("regress e.yaml --junit new/folder/j.xml").status, 0);
  EXPECT_EQ(starloom("regress e.yaml --junit /dev/stdout").status, 0);
  scratch_.write("empty.xml", "");
  EXPECT_EQ(starloom("regress e.yaml --junit empty.xml").status, 0);
}

// They are refused before any run.
TEST_F(Outputs, JunitFilesThatCannotBeWritten) {
  refuses("regress e.yaml --junit e.yaml", 5,
          "e.yaml: exists and is not a report of starloom regress, so it is not replaced; choose another --junit");
  EXPECT_EQ(scratch_.read("e.yaml"), small_experiment);
  refuses("regress e.yaml --junit .", 5, ".: is a folder; give the name of a file");
  refuses("regress e.yaml --junit e.yaml/j.xml", 5, "e.yaml/j.xml: its folder cannot be created: Not a directory");
  // The same for goldens.
  std::filesystem::create_directory(scratch_.file("e.golden.json"));
  refuses("regress e.yaml --update", 5, "e.golden.json: is a folder; give the name of a file");
}

TEST_F(Outputs, HuntsReplaceOnlyWhatHuntsFound) {
  const std::string falsify =
      "plan m.yaml --set network.shape=[4,4] --set traffic.pattern=random-permutation --falsify";
  std::filesystem::create_directory(scratch_.file("out"));
  scratch_.write("out/m_falsified.yaml", "mine");
  refuses(falsify, 5, "out/m_falsified.yaml: exists; --force replaces it");
  EXPECT_EQ(scratch_.read("out/m_falsified.yaml"), "mine");
  EXPECT_EQ(starloom(falsify + " --force").status, 0);
  EXPECT_EQ(starloom(falsify).status, 0);
}

// The lock of a store is removed at the end; a file of the user is not a lock.
TEST_F(Outputs, AStoreTakesNoFileForItsLock) {
  scratch_.write("s.sqlite.lock", "mine");
  refuses("campaign c.yaml --jobs 1 --store s.sqlite", 5,
          scratch_.file("s.sqlite.lock").string() +
              ": is not the lock of a store, and is not replaced; rename it, or choose another --store");
  EXPECT_EQ(scratch_.read("s.sqlite.lock"), "mine");
}

TEST_F(Outputs, TheDemoNeedsNothingButTheProgram) {
  const ProgramRun run = starloom("demo");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, testing::HasSubstr("Try next, in starloom-demo:\n"));
  for (const char* file :
       {"demo.yaml", "vopd.yaml", "out/result.json", "out/trace.csv", "out/waves.gtkw", "out/links.svg"})
    EXPECT_TRUE(exists(std::string("starloom-demo/") + file)) << file;
  // The commands that it suggests, in its folder.
  EXPECT_EQ(starloom("check starloom-demo/demo.yaml").status, 0);
  EXPECT_EQ(starloom("show starloom-demo/out --step 1000").status, 0);
  EXPECT_EQ(starloom("verify starloom-demo/out").status, 0);
  refuses("demo", 5, "starloom-demo/demo.yaml: exists; --force replaces it");
  EXPECT_EQ(starloom("demo --force").status, 0);
  EXPECT_EQ(starloom("demo --out other/place").status, 0);
  EXPECT_TRUE(exists("other/place/out/result.json"));
}

TEST_F(Outputs, ForceReplacesResultsOnly) {
  scratch_.write("packets.csv", "cycle,source,destination,flits\n0,0,3,1\n");
  const std::string before = scratch_.read("packets.csv");
  const std::string words = "run e.yaml --set 'traffic={pattern: packets, file: packets.csv}' --out . --force";
  refuses(words, 5,
          "./packets.csv: is not part of an earlier result, because there is no result.json next to it; --force "
          "replaces only results, so choose another --out");
  EXPECT_EQ(scratch_.read("packets.csv"), before);
}

TEST_F(Outputs, TwoRunsDoNotShareAFolder) {
  ASSERT_EQ(starloom("run e.yaml --quiet").status, 0);
  const int folder = ::open(scratch_.file("out/e").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(folder, LOCK_EX | LOCK_NB), 0);
  refuses("run e.yaml --quiet --force", 5, "out/e: another run is writing there; wait for it, or choose another --out");
  ::close(folder);
  EXPECT_EQ(starloom("run e.yaml --quiet --force").status, 0);
  EXPECT_TRUE(tidy("out/e"));
}

}  // namespace
}  // namespace starloom
