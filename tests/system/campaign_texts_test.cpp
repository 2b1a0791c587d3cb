// SPDX-License-Identifier: Apache-2.0
// Any texts in a campaign: its report shows them, and never executes them.
#include <algorithm>
#include <set>

#include <starloom/support/escape.hpp>
#include "support/xml.hpp"
#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Texts that gnuplot, a shell, Markdown, HTML, CSV or a spreadsheet could interpret. None may have a slash, because
/// all are names of files, too.
const std::vector<std::string> hostile = {
    "x `touch f` $(touch f) ${HOME}",
    "x \"; system(\"touch f\"); set title \"y",
    "x '; system('touch f'); set title 'y",
    "''`touch f`''",
    "'''",
    "x\nsystem('touch f')\n!touch f\nEND\nset output 'f'",
    "x \\\n`touch f`\r\\",
    "@ARG0 %s {x} ^a_b # c",
    "|touch f",
    "<script>alert(1)<\\script> <b> &amp; -->",
    "a|b\\|c *d* _e_ ~~f~~ [g](h) ![i](j) [k]: l",
    "=1+1",
    "+1,2;3",
    "-x\"y",
    "@sum(1)",
    "\t=1",
    "\x01\x1b[31m\x7f\xc3\xa9",
};

class CampaignTexts : public CampaignTest {
 protected:
  static std::string yaml(const nlohmann::json& value) { return value.dump(-1, ' ', true); }

  /// A curve for each file of traffic, over the seeds 1 and 2; of the metric `experiment.<name>` only a reference.
  void write(const std::string& name, const std::vector<std::string>& traffic) const {
    for (const std::string& file : traffic) scratch_.write(file, "3 2 1 0");
    const std::string metric = yaml("experiment." + name);
    scratch_.write("c.yaml", "schema: 1\nname: " + yaml(name) +
                                 "\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [2, 2]}\n"
                                 "  routing: {algorithm: greedy}\n  traffic: {pattern: file, file: a}\n"
                                 "axes: {seed: [1, 2], traffic.file: " +
                                 yaml(traffic) + "}\nkeep: [steps, " + metric + "]\nreference: [{at: {seed: 1, " +
                                 "traffic.file: " + yaml(traffic[0]) + "}, figure: " + metric +
                                 ", value: 2, source: " + yaml(name) + "}]\n");
  }
  std::set<std::string> files(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.file(folder)))
      names.insert(entry.path().filename().string());
    return names;
  }
  /// The picture is whole and shows the texts, with their control characters as `\x0a`.
  void shows(const std::string& picture, const std::vector<std::string>& texts) const {
    EXPECT_EQ(scratch_.read(picture + ".png").substr(0, 8), "\x89PNG\r\n\x1a\n") << picture;
    std::set<std::string> shown;
    const XmlElement svg = parse_xml(scratch_.read(picture + ".svg"));
    for (const XmlElement* element : svg.all("text")) shown.insert(element->text);
    for (const std::string& text : texts) EXPECT_EQ(shown.count(escape(text)), 1U) << text;
  }
};

TEST_F(CampaignTexts, ExecuteNothing) {
  for (const std::string& name : hostile) {
    write(name, {name, "a"});
    std::filesystem::remove_all(scratch_.file("out"));
    auto before = files(".");
    before.insert({"out", "stdout", "stderr"});
    ASSERT_EQ(starloom("campaign c.yaml").status, 0) << name;
    const ProgramRun report = starloom("report c.yaml");
    EXPECT_EQ(report.status, 0) << name;
    EXPECT_EQ(report.err, "") << name;
    EXPECT_EQ(files("."), before) << name;
    EXPECT_EQ(files("out"), (std::set<std::string>{"c", "c.sqlite"})) << name;
    auto written = files("out/c");
    EXPECT_EQ(written.size(), 8U) << name;
    for (const char* file : {"points.csv", "report.md", "steps.gp", "steps.svg", "steps.png"})
      EXPECT_EQ(written.erase(file), 1U) << name << file;
    shows("out/c/steps", {name, "a"});
    // For the other metric: its name has become that of three files.
    ASSERT_FALSE(written.empty()) << name;
    const std::string metric = written.begin()->substr(0, written.begin()->find('.'));
    shows("out/c/" + metric, {"experiment." + name, "reference: " + name});
  }
}

// As words of an axis with bars, and in the heads of tables.
TEST_F(CampaignTexts, ExecuteNothingInBarsAndTables) {
  write("test", hostile);
  const std::string text = scratch_.read("c.yaml");
  scratch_.write("c.yaml",
                 text.substr(0, text.find("reference:")) +
                     "plot: [{x: traffic.file, y: steps}]\n"
                     "table: [{rows: traffic.file, columns: seed, figure: steps, format: [markdown, csv, latex]}]\n");
  ASSERT_EQ(starloom("campaign c.yaml").status, 0);
  auto before = files(".");
  const ProgramRun report = starloom("report c.yaml");
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(report.err, "");
  before.insert({"stdout", "stderr"});
  EXPECT_EQ(files("."), before);
  EXPECT_EQ(files("out/c"), (std::set<std::string>{"points.csv", "report.md", "steps.gp", "steps.svg", "steps.png",
                                                   "table_steps.md", "table_steps.csv", "table_steps.tex"}));
  shows("out/c/steps", hostile);
  EXPECT_THAT(scratch_.read("out/c/table_steps.csv"), HasSubstr("\n\"\"\"=1+1\"\"\",2,0,2,0\n"));
  const std::string latex = scratch_.read("out/c/table_steps.tex");
  EXPECT_THAT(latex, HasSubstr("\nx `{}touch f`{} \\$(touch f) \\$\\{HOME\\} & 2 & 2 "));
  EXPECT_EQ(std::count(latex.begin(), latex.end(), '\n'), static_cast<std::ptrdiff_t>(8 + hostile.size()));
}

TEST_F(CampaignTexts, StayInTheirCells) {
  write("x\n# <b>|y", hostile);
  ASSERT_EQ(starloom("campaign c.yaml").status, 0);
  const ProgramRun report = starloom("report c.yaml");
  EXPECT_THAT(scratch_.read("out/c/report.md"), StartsWith(report.out));
  EXPECT_THAT(report.out, StartsWith("# x\\\\x0a\\# &lt;b&gt;\\|y\n\nVersion "));
  EXPECT_THAT(report.out, HasSubstr(" | experiment.x\\\\x0a\\# &lt;b&gt;\\|y | "));
  EXPECT_THAT(report.out, HasSubstr(" | x\\\\x0a\\# &lt;b&gt;\\|y |\n"));
  EXPECT_THAT(report.out, testing::Not(testing::ContainsRegex("[<\r\t\x1b\x7f]")));
  const std::string points = scratch_.read("out/c/points.csv");
  EXPECT_THAT(points, HasSubstr("\n1,\"\"\"=1+1\"\"\",steps,1,2,,2,2,,,,,0\n"));
  EXPECT_THAT(points, HasSubstr("\n1,\"\"\"\\t=1\"\"\",steps,"));
  EXPECT_THAT(points, HasSubstr("\n1,|touch f,\"\"\"experiment.x\\n# <b>|y\"\"\",0,"));
  // A head, and two figures of every point.
  EXPECT_EQ(std::count(points.begin(), points.end(), '\n'), static_cast<std::ptrdiff_t>(1 + 2 * 2 * hostile.size()));
}

}  // namespace
}  // namespace starloom
