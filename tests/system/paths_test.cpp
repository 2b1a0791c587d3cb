// SPDX-License-Identifier: Apache-2.0
// Names of files and folders: those that cannot be looked at, empty ones, and those that would upset a terminal or an
// XML parser.
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "cli/child_run.hpp"
#include "support/xml.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Every argument of the command line that names a file or folder, written `@`, and the status if it cannot be used.
struct Place {
  const char* words;
  int status;
};
constexpr Place places[] = {{"run @", 2},
                            {"check @", 2},
                            {"draw @", 2},
                            {"plan @", 2},
                            {"saturate @", 2},
                            {"faults @", 2},
                            {"campaign @", 2},
                            {"report @", 2},
                            {"regress @", 2},
                            {"regress e.yaml @", 2},
                            {"show @ --step 0", 2},
                            {"why @", 2},
                            {"verify @", 2},
                            {"replay @", 2},
                            {"report c.yaml --store @", 2},
                            {"campaign merge @ --into z", 2},
                            {"run m.yaml --set routing.plan=@", 2},
                            {"run e.yaml --set 'traffic={pattern: file, file: \"@\"}'", 2},
                            {"run e.yaml --set 'network={topology: graph, file: \"@\"}'", 2},
                            {"run e.yaml --out @", 5},
                            {"demo --out @", 5},
                            {"plan m.yaml --save @ --force", 5},
                            {"plan m.yaml --length 6 --proof @ --force", 5},
                            {"replay o --out @", 5},
                            {"regress e.yaml --junit @", 5},
                            {"report c.yaml --store st --out @", 5},
                            {"campaign c.yaml --store @", 5},
                            {"saturate s.yaml --within 0.25 --store @", 5},
                            {"campaign merge st --into @", 5}};

std::string at(const Place& place, const std::string& name) {
  std::string words = place.words;
  return words.replace(words.find('@'), 1, name);
}

class Paths : public ChildTest {
 protected:
  void SetUp() override {
    scratch_.write("e.yaml", small_experiment);
    scratch_.write("m.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: multistage}\n"
                   "traffic: {pattern: reversal}\n");
    scratch_.write(
        "c.yaml",
        "schema: 1\nname: few\nbase: {schema: 1, network: {topology: mesh, shape: [3, 3]}, routing: "
        "{algorithm: greedy}, traffic: {pattern: random-permutation}}\nkeep: [steps]\naxes: {seed: [1, 2]}\n");
    scratch_.write("s.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: greedy}\n"
                   "traffic: {pattern: uniform, rate: 0.1, warmup: 5, measure: 20, drain: 20}\n");
    ASSERT_EQ(starloom("run e.yaml --quiet --trace --out o").status, 0);
    ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store st").status, 0);
  }
  /// A `before`: without any rights.
  static void without_rights() {
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(127);
  }
  void make_public() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path()))
      chmod(entry.path().c_str(), 0777);
    chmod(scratch_.path().c_str(), 0777);
  }
};

TEST_F(Paths, ThoseThatCannotBeLookedAt) {
  std::filesystem::create_symlink("loop", scratch_.file("loop"));
  std::filesystem::create_directory(scratch_.file("shut"));
  make_public();
  chmod(scratch_.file("shut").c_str(), 0);
  std::string deep;
  for (int level = 0; level < 2100; ++level) deep += "a/";
  for (const std::string& name : {std::string("loop"), std::string("loop/x"), std::string("shut/x"),
                                  std::string("e.yaml/x"), std::string(300, 'n'), deep + "x"})
    for (const Place& place : places) {
      const ProgramRun run = starloom(at(place, name), without_rights);
      EXPECT_EQ(run.status, place.status) << at(place, name.substr(0, 20)) << ": " << run.err;
      EXPECT_THAT(run.err, HasSubstr(name.substr(0, 100))) << at(place, name.substr(0, 20));
      EXPECT_THAT(run.err, Not(HasSubstr("unexpected"))) << at(place, name.substr(0, 20));
      EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
      EXPECT_EQ(run.out, "") << "work was done first: " << at(place, name.substr(0, 20));
    }
  chmod(scratch_.file("shut").c_str(), 0700);
}

// A file is written under a longer name first, which is not the user's.
TEST_F(Paths, NamesThatLeaveNoRoomForALongerOne) {
  const std::string name(246, 'n');
  for (const Place& place : places) {
    const std::string words = place.words;
    // In the folders of a demo and of a report, files are written under names of ours.
    if (place.status != 5 || words == "demo --out @" || words == "report c.yaml --store st --out @") continue;
    const ProgramRun run = starloom(at(place, name));
    EXPECT_EQ(run.status, 5) << words << ": " << run.err;
    EXPECT_EQ(run.err, name + ": cannot be created: File name too long; choose a shorter one\n") << words;
    EXPECT_EQ(run.out, "") << "work was done first: " << words;
  }
}

// The rest runs, and the result is not green.
TEST_F(Paths, ARegressionNamesWhatItCannotRead) {
  std::filesystem::create_directories(scratch_.file("s/shut"));
  scratch_.write("s/good.yaml", small_experiment);
  std::filesystem::create_symlink("none.yaml", scratch_.file("s/link.yaml"));
  make_public();
  chmod(scratch_.file("s/shut").c_str(), 0);
  const ProgramRun run = starloom("regress s --jobs 1 --junit j.xml", without_rights);
  chmod(scratch_.file("s/shut").c_str(), 0700);
  EXPECT_EQ(run.status, 6) << run.err;
  EXPECT_THAT(run.out, HasSubstr("s/link.yaml  FAILED     0.0"));
  EXPECT_THAT(run.out, HasSubstr("    s/link.yaml: cannot be read: No such file or directory\n"));
  EXPECT_THAT(run.out, HasSubstr("s/shut       FAILED     0.00\n    the folder cannot be read: Permission denied\n"));
  EXPECT_THAT(run.out, HasSubstr("1 of 3 scenarios passed\n"));
  EXPECT_THAT(scratch_.read("j.xml"), HasSubstr("<testcase name=\"s/shut\""));
}

// As `--out "$DIR"` has it where DIR is not set.
TEST_F(Paths, EmptyOnesAreRefusedBeforeAnyWork) {
  const auto before = files(".");
  for (const Place& place : places) {
    if (std::string(place.words).find("--set") != std::string::npos) continue;  // a key without a value is not given
    const std::string words = at(place, "''");
    const ProgramRun run = starloom(words);
    EXPECT_EQ(run.status, 2) << words << ": " << run.err;
    EXPECT_EQ(run.out, "") << words;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
  EXPECT_EQ(starloom("campaign merge st --into ''").err,
            "starloom: --into: the path is empty; see starloom campaign --help\n");
  EXPECT_EQ(files("."), before);
}

// To SQLite, that name is a database in memory.
TEST_F(Paths, EveryStoreIsAFile) {
  ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store :memory:").status, 0);
  EXPECT_THAT(starloom("campaign c.yaml --dry-run --store :memory:").out, HasSubstr("2 of 2 runs done\n"));
  ASSERT_EQ(starloom("campaign merge st --into 'file:x?mode=memory'").status, 0);
  EXPECT_TRUE(exists("file:x?mode=memory"));
}

/// True if the text has no control characters except line ends, and is UTF-8.
bool is_harmless(const std::string& text) {
  std::string lines = text;
  lines.erase(std::remove(lines.begin(), lines.end(), '\n'), lines.end());
  return escape(lines) == lines;
}

TEST_F(Paths, NamesCannotSteerATerminal) {
  const std::string odd = "c\x1b]0;owned\x07\xff";
  for (const char* file : {"e.yaml", "m.yaml", "c.yaml", "s.yaml"})
    std::filesystem::copy_file(scratch_.file(file), scratch_.file(odd + file));
  for (const char* words : {"run @e.yaml",
                            "run @e.yaml --trace --force --out @r",
                            "run @e.yaml --out @r --force --set limits.steps=2 --trace",
                            "run @e.yaml --trace --force --out @r",
                            "check @e.yaml",
                            "draw @e.yaml",
                            "plan @m.yaml --save @p.json",
                            "plan @m.yaml --falsify",
                            "show @r --step 0",
                            "why @r",
                            "verify @r",
                            "replay @r",
                            "replay @r --out @page.html",
                            "campaign @c.yaml --jobs 1",
                            "campaign @c.yaml --dry-run",
                            "campaign merge out/@c.sqlite --into @z",
                            "report @c.yaml",
                            "report @c.yaml --out @report",
                            "saturate @s.yaml --within 0.25 --jobs 1",
                            "demo --out @demo",
                            "regress @e.yaml @c.yaml",
                            "regress @e.yaml --update",
                            "regress . --junit @j.xml",
                            "run none@",
                            "verify none@",
                            "regress none@"}) {
    std::string named = words;
    for (std::size_t place = 0; (place = named.find('@', place)) != std::string::npos;)
      named.replace(place, 1, "'" + odd + "'");
    const ProgramRun run = starloom(named, without_programs);
    EXPECT_TRUE(is_harmless(run.out) && is_harmless(run.err)) << words << "\n" << run.out << run.err;
    EXPECT_NE(run.status, 1) << words << ": " << run.err;
    EXPECT_NE(run.out + run.err, "") << words;
  }
}

TEST_F(Paths, ReportsTellScenariosApart) {
  std::filesystem::create_directory(scratch_.file("s"));
  const std::vector<std::string> odd = {
      "a\x01"
      "b.yaml",
      "a\x02"
      "b.yaml",
      "a\\x01b.yaml", "bad\xff.yaml", "<&\">\t.yaml"};
  for (const std::string& name : odd)
    scratch_.write("s/" + name, std::string(small_experiment) + "expect: {steps: 5}\n");
  const ProgramRun run = starloom("regress s --junit j.xml");
  EXPECT_EQ(run.status, 6);
  const XmlElement report = parse_xml(scratch_.read("j.xml"));
  EXPECT_TRUE(is_harmless(scratch_.read("j.xml")));
  std::vector<std::string> names;
  for (const XmlElement& scenario : report.children) names.push_back(scenario.attributes.at("name"));
  EXPECT_THAT(names, testing::UnorderedElementsAre("s/a\\x01b.yaml", "s/a\\x02b.yaml", "s/a\\x5cx01b.yaml",
                                                   "s/bad\\xff.yaml", "s/<&\">\\x09.yaml"));
  for (const std::string& name : names) EXPECT_THAT(run.out, HasSubstr(name + " ")) << name;
}

}  // namespace
}  // namespace starloom
