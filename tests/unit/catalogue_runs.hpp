// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Commands on a catalogue that has entries of a user's own.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/commands/command_line.hpp>
#include <starloom/experiment/catalogue.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "unit/scratch_folder.hpp"

namespace starloom {

class CatalogueRuns : public testing::Test {
 protected:
  static std::string experiment(const std::string& network, const std::string& routing,
                                const std::string& traffic = "reversal") {
    return "schema: 1\nnetwork: {" + network + "}\nrouting: {algorithm: " + routing +
           "}\ntraffic: {pattern: " + traffic + "}\n";
  }
  /// Runs an experiment with a trace, into the folder `out`. \return the exit status.
  int status_of_run(const Catalogue& catalogue, const std::string& text, const std::string& out,
                    const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{
        "run",    scratch_.write("e.yaml", text).string(), "--out", scratch_.file(out).string(), "--trace", "--quiet",
        "--force"};
    words.insert(words.end(), options.begin(), options.end());
    return static_cast<int>(run_command(catalogue, words).status);
  }
  /// The output folder of a run that ends as it should.
  std::filesystem::path run(const Catalogue& catalogue, const std::string& text, const std::string& out,
                            const std::vector<std::string>& options = {}) const {
    EXPECT_EQ(status_of_run(catalogue, text, out, options), 0) << text;
    return scratch_.file(out);
  }
  /// The faults that `check` reports, without the folder of the file. \param status with which it ends.
  std::string refusal(const Catalogue& catalogue, const std::string& text,
                      ExitStatus status = ExitStatus::usage) const {
    const std::string file = scratch_.write("e.yaml", text).string();
    try {
      run_command(catalogue, {"check", file});
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), status);
      std::string what = error.what();
      for (std::size_t at; (at = what.find(file)) != std::string::npos;) what.replace(at, file.size(), "e.yaml");
      return what;
    }
    return "";
  }
  /// The cells of a column of a CSV file in the folder `out`, separated by blanks; - for an empty one.
  std::string column(const std::string& file, std::size_t number) const {
    std::istringstream lines(scratch_.read("out/" + file));
    std::string found, line;
    for (std::getline(lines, line); std::getline(lines, line);) {
      std::istringstream cells(line);
      std::string cell;
      for (std::size_t at = 0; at <= number; ++at) {
        cell.clear();
        std::getline(cells, cell, ',');
      }
      found += (found.empty() ? "" : " ") + (cell.empty() ? "-" : cell);
    }
    return found;
  }
  std::string read(const std::filesystem::path& file) const { return scratch_.read(file.string()); }
  /// `result.json` of the folder `out`.
  nlohmann::ordered_json result() const { return nlohmann::ordered_json::parse(scratch_.read("out/result.json")); }
  /// The output of a command.
  std::string output_of(const Catalogue& catalogue, const std::vector<std::string>& words) const {
    testing::internal::CaptureStdout();
    EXPECT_NO_THROW(run_command(catalogue, words));
    return testing::internal::GetCapturedStdout();
  }
  std::string check_of(const Catalogue& catalogue, const std::string& text) const {
    return output_of(catalogue, {"check", scratch_.write("e.yaml", text).string()});
  }
  /// Two runs gave the same rows and times, and the same credits if their algorithm has any.
  bool same_rows(const std::filesystem::path& a, const std::filesystem::path& b) const {
    const auto same = [&](const char* file) { return read(a / file) == read(b / file); };
    return same("trace.csv") && same("packets.csv") &&
           (!std::filesystem::exists(a / "credits.csv") || same("credits.csv"));
  }

  /// Runs packets that wait for others in several ways, which give the same bytes, into the folder `out` first.
  void expect_same_bytes_in_any_order(const Catalogue& catalogue, const std::string& text) const {
    const auto first = run(catalogue, text, "out");
    EXPECT_EQ(verdict(), "");
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--shuffle", "5", "--threads", "2"}, {"--wake", "all"}, {"--no-referee"}}) {
      const auto other = run(catalogue, text, "other", options);
      EXPECT_TRUE(same_rows(first, other)) << text;
      EXPECT_EQ(read(first / "messages.csv"), read(other / "messages.csv")) << text;
      EXPECT_EQ(read(first / "result.json"), read(other / "result.json")) << text;
    }
  }

  /// The violation, or the fault, that `verify` finds in the folder `out`.
  std::string verdict() const {
    try {
      const VerifyReport report = open_run_folder(scratch_.file("out"), {topology_table()})->verify();
      return report.ok() ? "" : report.violation;
    } catch (const InputError& fault) {
      return fault.what();
    }
  }
  /// The same with other text in a file.
  std::string verdict_with(const std::string& file, const std::string& before, const std::string& after) const {
    const std::string original = scratch_.read("out/" + file);
    std::string text = original;
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    if (at != std::string::npos) scratch_.write("out/" + file, text.replace(at, before.size(), after));
    const std::string found = verdict();
    scratch_.write("out/" + file, original);
    return found;
  }

  const ScratchFolder scratch_;
};

/// Why the program refuses a catalogue.
inline std::string catalogue_refusal(const Catalogue& catalogue) {
  try {
    run_command(catalogue, {"list"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace starloom
