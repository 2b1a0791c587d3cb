// SPDX-License-Identifier: Apache-2.0
// Pictures of reports do not depend on a user's settings of gnuplot, and one that is missing is an error.
#include "system/campaign_support.hpp"

#include <sys/stat.h>

#include <cstdlib>

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::Not;

class Gnuplot : public CampaignTest {
 protected:
  void SetUp() override {
    CampaignTest::SetUp();
    write_campaign(2, "plot: [{x: network.shape, y: steps, format: [svg, pdf]}]\n");
    ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store s").status, 0);
  }
  /// A shell script instead of gnuplot.
  void replace_gnuplot(const std::string& script) const {
    std::filesystem::create_directories(scratch_.file("bin"));
    scratch_.write("bin/gnuplot", "#!/bin/sh\n" + script + "\n");
    ASSERT_EQ(::chmod(scratch_.file("bin/gnuplot").c_str(), 0755), 0);
  }
  ProgramRun report_with_replaced() const {
    return starloom("report c.yaml --store s --out r", [this] { setenv("PATH", scratch_.file("bin").c_str(), 1); });
  }
};

TEST_F(Gnuplot, SettingsOfTheUserChangeNoByte) {
  ASSERT_EQ(starloom("report c.yaml --store s --out r").status, 0);
  const std::string svg = scratch_.read("r/steps.svg"), pdf = scratch_.read("r/steps.pdf");
  ASSERT_NE(svg, "");
  // The time of day is a setting, too: a PDF file has a date.
  EXPECT_THAT(pdf, HasSubstr("/CreationDate (D:19700101000000Z)"));
  scratch_.write(".gnuplot", "set title 'MINE'\nset logscale y\nset datafile separator ';'\nset output 'f'\n");
  const ProgramRun run = starloom("report c.yaml --store s --out r", [this] {
    setenv("HOME", scratch_.path().c_str(), 1);
    for (const char* name : {"GNUTERM", "LC_ALL", "GDFONTPATH", "TZ"})
      setenv(name, std::string(name) == "TZ" ? "Asia/Kolkata" : "x11", 1);
  });
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(scratch_.read("r/steps.svg"), svg);
  EXPECT_EQ(scratch_.read("r/steps.pdf"), pdf);
  EXPECT_FALSE(exists("f"));
}

TEST_F(Gnuplot, WithoutItTheRestIsThere) {
  const ProgramRun report = starloom("report c.yaml --store s --out r", without_programs);
  EXPECT_EQ(report.status, 5);
  EXPECT_EQ(report.err,
            "r/steps.svg (and 1 more): not drawn: gnuplot is missing; install the Debian package gnuplot-nox, or write "
            "`plot: []` for a report without pictures; the rest of the report is there\n");
  EXPECT_THAT(report.out, HasSubstr("[6,6]"));
  EXPECT_TRUE(exists("r/points.csv"));
  EXPECT_TRUE(exists("r/steps.gp"));
  EXPECT_THAT(scratch_.read("r/report.md"), Not(HasSubstr("![")));
  EXPECT_FALSE(exists("r/gnuplot.log"));
}

TEST_F(Gnuplot, FaultsOfItAreErrors) {
  ASSERT_EQ(starloom("report c.yaml --store s --out r").status, 0);
  replace_gnuplot("echo half >steps.svg; printf '\\n  line 3: \\033 no such terminal\\n\\n' >&2; exit 1");
  const ProgramRun failed = report_with_replaced();
  EXPECT_EQ(failed.status, 5);
  EXPECT_EQ(failed.err,
            "r/steps.svg (and 1 more): not drawn: gnuplot ended with status 1 (line 3: \\x1b no such terminal); the "
            "rest of the report is there\n");
  // Nor may a picture of an earlier report remain beside the points of this one.
  EXPECT_FALSE(exists("r/steps.svg"));
  EXPECT_FALSE(exists("r/steps.pdf"));
  EXPECT_FALSE(exists("r/gnuplot.log"));

  replace_gnuplot("echo whole >steps.pdf; : >steps.svg");
  const ProgramRun half = report_with_replaced();
  EXPECT_EQ(half.status, 5);
  EXPECT_EQ(half.err, "r/steps.svg: not drawn: gnuplot wrote no picture; the rest of the report is there\n");
  EXPECT_FALSE(exists("r/steps.svg"));
  EXPECT_EQ(scratch_.read("r/steps.pdf"), "whole\n");
  EXPECT_THAT(scratch_.read("r/report.md"), HasSubstr("![steps](steps.pdf)"));

  replace_gnuplot("kill -9 $$");
  EXPECT_THAT(report_with_replaced().err, HasSubstr(": not drawn: gnuplot was killed by signal 9; "));
}

TEST_F(Gnuplot, APictureOfTheUserIsKept) {
  std::filesystem::create_directory(scratch_.file("r"));
  scratch_.write("r/steps.svg", "mine");
  EXPECT_EQ(starloom("report c.yaml --store s --out r", without_programs).status, 5);
  EXPECT_EQ(scratch_.read("r/steps.svg"), "mine");
  EXPECT_FALSE(exists("r/points.csv"));
}

TEST_F(Gnuplot, AnEmptyListAsksForNoPictures) {
  write_campaign(2, "plot: []\n");
  const ProgramRun report = starloom("report c.yaml --store s --out r", without_programs);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_FALSE(exists("r/steps.gp"));
  EXPECT_TRUE(exists("r/points.csv"));
}

}  // namespace
}  // namespace starloom
