// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs of the program that write waves.
#include <set>
#include <sstream>

#include "cli/child_run.hpp"
#include "support/vcd_reader.hpp"

namespace starloom {

class WavesTest : public ChildTest {
 protected:
  /// Runs a file with waves and a trace.
  void run(const std::string& file, const std::string& folder, const std::string& options) const {
    const ProgramRun run = starloom("run '" + file + "' --trace --quiet --out " + folder + " " + options);
    EXPECT_EQ(run.status, 0) << options << "\n" << run.err;
    EXPECT_EQ(run.err, "") << options;
  }
  Vcd vcd(const std::string& folder) const { return read_vcd(scratch_.read(folder + "/waves.vcd")); }
  void same(const std::string& a, const std::string& b, const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      EXPECT_NE(scratch_.read(a + name), "") << name;
      EXPECT_TRUE(scratch_.read(a + name) == scratch_.read(b + name)) << b << name;
    }
  }
  /// All that the save file of a run names is there, and its groups are closed. How many variables it shows.
  int rows_of_save_file(const std::string& folder, const Vcd& vcd) const {
    std::set<std::string> names;
    for (const VcdVariable& variable : vcd.variables)
      names.insert(variable.path + (variable.width > 1 ? "[" + std::to_string(variable.width - 1) + ":0]" : ""));
    std::istringstream lines(scratch_.read(folder + "/waves.gtkw"));
    int found = 0;
    std::vector<std::string> groups;
    for (std::string line; std::getline(lines, line);) {
      if (line.compare(0, 2, "+{") == 0) {
        const std::string name = line.substr(line.find("} ") + 2);
        EXPECT_EQ(names.count(name), 1u) << line;
        ++found;
      } else if (line.compare(0, 3, "^1 ") == 0) {
        EXPECT_TRUE(exists(folder + "/" + line.substr(3))) << line;
      } else if (line.compare(0, 10, "[dumpfile]") == 0) {
        EXPECT_EQ(line, "[dumpfile] \"waves.vcd\"");
      } else if (line.size() > 1 && line[0] == '-') {
        if (!groups.empty() && groups.back() == line) groups.pop_back();
        else groups.push_back(line);
      }
    }
    EXPECT_TRUE(groups.empty()) << groups.back();
    return found;
  }
};

}  // namespace starloom
