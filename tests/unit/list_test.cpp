// SPDX-License-Identifier: Apache-2.0
// `starloom list`: every entry once, on one line, behind the door of its readers.
#include <starloom/commands/list.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The lines between a door and the next one.
std::vector<std::string> behind(const std::string& door, const std::vector<std::string>& lines) {
  const auto begin = std::find(lines.begin(), lines.end(), door);
  const auto end = std::find(lines.begin(), lines.end(), "ROUTING THEORY AND OPTICS");
  return door == "STUDY A NETWORK" ? std::vector(begin, end) : std::vector(end, lines.end());
}

std::ptrdiff_t rows_of(const std::string& name, const std::vector<std::string>& lines) {
  return std::count_if(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.rfind("  " + name + " ", 0) == 0; });
}

class List : public testing::Test {
 protected:
  const Catalogue catalogue_ = standard_catalogue();
  const std::vector<std::string> functions_ = names_of(catalogue_.parts.functions);
  const std::vector<std::string> lines_ = lines_of(list_text(catalogue_));
  const std::vector<std::string> networks_ = behind("STUDY A NETWORK", lines_);
  const std::vector<std::string> theory_ = behind("ROUTING THEORY AND OPTICS", lines_);
};

TEST_F(List, BeginsWithTheRouter) {
  ASSERT_GE(lines_.size(), 4u);
  EXPECT_EQ(lines_[0], "STUDY A NETWORK");
  EXPECT_EQ(lines_[2], "Routers and routing algorithms (routing.algorithm)");
  EXPECT_THAT(lines_[3], testing::StartsWith("  vc-wormhole "));
}

TEST_F(List, HasEveryEntryOnceBehindTheDoorOfItsReaders) {
  const auto expect_row = [&](const std::string& name, Audience audience) {
    SCOPED_TRACE(name);
    // A name can be that of an algorithm or a pattern and of a part of a router.
    const bool part_too = contains(functions_, name) || contains(names_of(catalogue_.parts.arbiters), name);
    EXPECT_EQ(rows_of(name, networks_), (audience == Audience::networks ? 1 : 0) + (part_too ? 1 : 0));
    EXPECT_EQ(rows_of(name, theory_), audience == Audience::theory ? 1 : 0);
  };
  for (const AlgorithmEntry& entry : catalogue_.algorithms) expect_row(entry.name, entry.audience);
  for (const PatternEntry& entry : catalogue_.patterns) expect_row(entry.name, entry.audience);
  for (const TopologyEntry& entry : catalogue_.topologies)
    expect_row(entry.name, entry.has_couplers() ? Audience::theory : Audience::networks);
  for (const std::string& name : functions_) EXPECT_GE(rows_of(name, networks_), 1) << name;
}

TEST_F(List, PutsTheFieldsWordsBeforeThoseOfPapers) {
  for (const char* name : {"vc-wormhole", "greedy", "uniform", "transpose", "application", "mesh", "west-first"})
    EXPECT_EQ(rows_of(name, networks_), 1) << name;
  for (const char* name : {"constant-queue", "multistage", "randomized", "greedykill", "ranks", "pops"})
    EXPECT_EQ(rows_of(name, theory_), 1) << name;
}

TEST_F(List, FitsAScreen) {
  for (const std::string& line : lines_) EXPECT_LE(line.size(), 110u) << line;
}

TEST_F(List, ShowsAUsersOwnEntriesAmongNetworks) {
  Catalogue own = catalogue_;
  AlgorithmEntry entry;
  entry.name = "my-own";
  entry.needs = {"mesh"};
  entry.storage = StorageModel::store_and_forward;
  own.add(entry);
  EXPECT_EQ(rows_of("my-own", behind("STUDY A NETWORK", lines_of(list_text(own)))), 1);
}

}  // namespace
}  // namespace starloom
