// SPDX-License-Identifier: Apache-2.0
// The commands of the documentation's pages are run, their files written, their quotations compared.
//
// In indented blocks of a page, a line `$ COMMAND` is given to a shell, and the lines below it are its expected
// output; `...` matches anything, also several lines. A block that begins with `# NAME.yaml` is a file of that name.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/program_run.hpp"
#include "support/places.hpp"

namespace starloom {
namespace {

const std::filesystem::path project = starloom::project();

/// An indented block, and the paragraph before it.
struct Block {
  std::string before;
  std::string text;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The blocks of a Markdown page. Blank lines within a block belong to it.
std::vector<Block> blocks_of(const std::filesystem::path& page) {
  std::vector<Block> blocks;
  std::string paragraph, gap;
  bool inside = false;
  std::istringstream lines(read(page));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      gap += "\n";
    } else if (line.rfind("    ", 0) == 0) {
      if (!inside) blocks.push_back({paragraph, ""});
      blocks.back().text += (inside ? gap : "") + line.substr(4) + "\n";
      inside = true;
      gap.clear();
    } else {
      paragraph = (inside || !gap.empty() ? "" : paragraph) + line + "\n";
      inside = false;
      gap.clear();
    }
  }
  return blocks;
}

/// The parts between `...` occur one after the other, the first at the beginning, the last at the end.
bool shows(const std::string& shown, const std::string& printed) {
  std::size_t at = 0, from = 0;
  for (;;) {
    const std::size_t dots = shown.find("...", from);
    const std::string part = shown.substr(from, dots == std::string::npos ? dots : dots - from);
    if (dots == std::string::npos)
      return printed.size() >= at + part.size() &&
             printed.compare(printed.size() - part.size(), part.size(), part) == 0 && (from != 0 || printed == part);
    const std::size_t found = printed.find(part, at);
    if (found == std::string::npos || (from == 0 && found != 0)) return false;
    at = found + part.size();
    from = dots + 3;
  }
}

/// A folder like that of a clone: the program behind `run.sh`, and viewers that require their file to exist.
class Pages : public testing::Test {
 protected:
  Pages() {
    write("run.sh", "#!/bin/sh\n[ $# -gt 0 ] || set -- demo --force\nexec " + program().string() + " \"$@\"\n");
    for (const char* viewer : {"bin/gtkwave", "bin/xdg-open"}) write(viewer, "#!/bin/sh\n[ -f \"$1\" ]\n");
    for (const char* script : {"run.sh", "bin/gtkwave", "bin/xdg-open"})
      std::filesystem::permissions(scratch_.file(script), std::filesystem::perms::owner_all);
    std::filesystem::create_directory_symlink(project / "testbenches", scratch_.file("testbenches"));
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(scratch_.file(name).parent_path());
    scratch_.write(name, text);
  }

  /// \return how many commands the page has.
  int run(const std::filesystem::path& page) const {
    int commands = 0;
    for (const Block& block : blocks_of(page)) {
      const std::string first = block.text.substr(0, block.text.find('\n'));
      std::smatch name;
      if (std::regex_match(first, name, std::regex("# ([a-z0-9_/]+\\.yaml)"))) write(name[1], block.text);
      for (std::size_t at = block.text.rfind("$ ", 0) == 0 ? 0 : std::string::npos; at != std::string::npos;
           ++commands) {
        std::size_t end = block.text.find('\n', at);
        while (block.text[end - 1] == '\\') end = block.text.find('\n', end + 1);  // the command continues
        const std::size_t next = block.text.find("\n$ ", at);
        const std::string shown = block.text.substr(end + 1, next == std::string::npos ? next : next - end);
        expect(block.text.substr(at + 2, end - at - 2), shown);
        at = next == std::string::npos ? next : next + 1;
      }
    }
    return commands;
  }

 private:
  void expect(const std::string& command, const std::string& shown) const {
    const std::string line =
        "cd '" + scratch_.path().string() + "' && export PATH=\"$PWD/bin:$PATH\" && { " + command + "\n} >printed 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << command;
    const std::string printed = scratch_.read("printed");
    EXPECT_TRUE(shows(shown, printed)) << command << "\nis shown to print\n" << shown << "but prints\n" << printed;
  }

  ScratchFolder scratch_;
};

TEST(PageText, DotsStandForAnything) {
  EXPECT_TRUE(shows("a\nb\n", "a\nb\n"));
  EXPECT_FALSE(shows("a\n", "a\nb\n"));
  EXPECT_FALSE(shows("b\n", "a\nb\n"));
  EXPECT_TRUE(shows("a\n...\nd\n", "a\nb\nc\nd\n"));
  EXPECT_FALSE(shows("a\n...\nd\n", "a\nb\nc\nd\ne\n"));
  EXPECT_FALSE(shows("a\n...\nd\n", "b\nc\nd\n"));
  EXPECT_TRUE(shows("took ... s\n...", "took 5 s\nand more\n"));
  EXPECT_TRUE(shows("", ""));
  EXPECT_FALSE(shows("", "a\n"));
}

TEST_F(Pages, Readme) { EXPECT_GE(run(project / "README.md"), 4); }

/// The page of an algorithm begins with a run.
class AlgorithmPages : public Pages, public testing::WithParamInterface<std::string> {};
std::vector<std::string> algorithm_pages() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(project / "docs/algorithms"))
    if (file.path().stem() != "README") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(, AlgorithmPages, testing::ValuesIn(algorithm_pages()),
                         [](const auto& info) { return std::regex_replace(info.param, std::regex("-"), "_"); });

TEST_P(AlgorithmPages, RunAsWritten) { EXPECT_GE(run(project / "docs/algorithms" / (GetParam() + ".md")), 1); }

TEST_F(Pages, Model) { EXPECT_EQ(run(project / "docs/model.md"), 3); }

TEST_F(Pages, RouterFamily) { EXPECT_EQ(run(project / "docs/router-family.md"), 2); }
TEST_F(Pages, Multicast) { EXPECT_EQ(run(project / "docs/multicast.md"), 7); }
TEST_F(Pages, FlowControl) { EXPECT_EQ(run(project / "docs/flow-control.md"), 2); }
TEST_F(Pages, RouterBuffers) { EXPECT_EQ(run(project / "docs/router-buffers.md"), 2); }
TEST_F(Pages, RouterSpeedups) { EXPECT_EQ(run(project / "docs/router-speedups.md"), 2); }
TEST_F(Pages, RouterStages) { EXPECT_EQ(run(project / "docs/router-stages.md"), 1); }
TEST_F(Pages, Links) { EXPECT_EQ(run(project / "docs/links.md"), 3); }
TEST_F(Pages, Clocks) { EXPECT_EQ(run(project / "docs/clocks.md"), 4); }
TEST_F(Pages, Regions) { EXPECT_EQ(run(project / "docs/regions.md"), 4); }
TEST_F(Pages, Subnets) { EXPECT_EQ(run(project / "docs/subnets.md"), 4); }
TEST_F(Pages, Collectives) { EXPECT_EQ(run(project / "docs/collectives.md"), 7); }
TEST_F(Pages, CriticalPath) { EXPECT_EQ(run(project / "docs/critical-path.md"), 4); }
TEST_F(Pages, Flows) { EXPECT_EQ(run(project / "docs/flows.md"), 5); }
TEST_F(Pages, ClosedLoop) { EXPECT_EQ(run(project / "docs/closed-loop.md"), 4); }
TEST_F(Pages, Clusters) { EXPECT_EQ(run(project / "docs/clusters.md"), 12); }
TEST_F(Pages, Matrix) { EXPECT_EQ(run(project / "docs/matrix.md"), 3); }
TEST_F(Pages, Energy) { EXPECT_EQ(run(project / "docs/energy.md"), 10); }
TEST_F(Pages, LinkErrors) { EXPECT_EQ(run(project / "docs/link-errors.md"), 11); }
TEST_F(Pages, Faults) { EXPECT_EQ(run(project / "docs/faults.md"), 26); }
TEST_F(Pages, Workloads) { EXPECT_EQ(run(project / "docs/workloads.md"), 6); }
TEST_F(Pages, TrafficClasses) { EXPECT_EQ(run(project / "docs/traffic-classes.md"), 5); }
TEST_F(Pages, Topologies) { EXPECT_EQ(run(project / "docs/topologies.md"), 1); }
TEST_F(Pages, RoutingFunctions) { EXPECT_EQ(run(project / "docs/routing-functions.md"), 7); }

TEST_F(Pages, Pictures) { EXPECT_EQ(run(project / "docs/pictures.md"), 4); }

TEST_F(Pages, Optics) { EXPECT_EQ(run(project / "docs/optics.md"), 3); }

TEST_F(Pages, Pops) { EXPECT_EQ(run(project / "docs/pops.md"), 1); }

TEST_F(Pages, Waves) { EXPECT_EQ(run(project / "docs/waves.md"), 2); }

TEST_F(Pages, Tutorial) { EXPECT_GE(run(project / "docs/tutorial.md"), 16); }

TEST_F(Pages, Check) { EXPECT_EQ(run(project / "docs/check.md"), 4); }

TEST_F(Pages, Output) { EXPECT_EQ(run(project / "docs/output.md"), 3); }

TEST_F(Pages, Replay) { EXPECT_EQ(run(project / "docs/replay.md"), 4); }

TEST_F(Pages, Campaigns) { EXPECT_EQ(run(project / "docs/campaigns.md"), 6); }

// A block behind a paragraph with a link to an example quotes it, shifted to the left.
TEST(PageText, QuotesExamplesAsTheyAre) {
  const auto unindented = [](const std::string& text) { return std::regex_replace(text, std::regex("\n +"), "\n"); };
  int quotations = 0;
  for (const char* page : {"README.md", "docs/library.md"})
    for (const Block& block : blocks_of(project / page)) {
      std::smatch link;
      const std::regex example("\\]\\((?:\\.\\./)?(tests/examples/[a-z_/]+\\.cpp)\\)");
      if (!std::regex_search(block.before, link, example)) continue;
      EXPECT_THAT(unindented(read(project / link[1].str())), testing::HasSubstr("\n" + unindented(block.text)));
      ++quotations;
    }
  EXPECT_GE(quotations, 6);
}

}  // namespace
}  // namespace starloom
