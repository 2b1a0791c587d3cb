// SPDX-License-Identifier: Apache-2.0
/// Energy tables in files: the same as those that are built in, and each fault with its place (docs/energy.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <starloom/energy/costs.hpp>
#include <starloom/energy/table_file.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>

#include "scratch_folder.hpp"

namespace starloom::energy {
namespace {

const std::string plain_table = R"(schema: 1
name: plain
source: a test
units: {energy: pJ, power: mW, area: mm2, length: mm}
conditions: {node_nm: 22, vdd: 0.8, temperature_k: 340, activity: 0.5}
ranges: {W: [16, 256], N: [2, 128]}
energy:
  buffer_write: {W: 0.5, W*N: 0.25}
  buffer_read: 3
  crossbar: {max: [{W: 1}, {P: 100}], plus: {1: 0.5}}
  clock: {sqrt(W*P): 2}
  register: {W: 1}
  link: {W*L: 0.125}
  arbiter: {points: {1: 0, 2: 4, 8: 10}}
  route: 7
leakage:
  {buffer: 1, crossbar: 2, switch_allocator: 3, channel_allocator: 4, clock: 5, register: 6, link: {L: 7}}
area:
  {buffer: 1, crossbar: 2, switch_allocator: 3, channel_allocator: 4, clock: 5, register: 6, link: {L: 7}}
)";

class EnergyTables : public ::testing::Test {
 protected:
  Table read(const std::string& text) {
    folder_.write("table.yaml", text);
    return read_table(folder_.path(), "table.yaml", "table");
  }
  /// The errors of the plain table with one text replaced by another.
  std::string errors(const std::string& old, const std::string& now) {
    std::string text = plain_table;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), now);
    try {
      read(text);
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "no error";
  }

  ScratchFolder folder_;
};

TEST_F(EnergyTables, HaveFormulasUnitsAndConditions) {
  const Table table = read(plain_table);
  EXPECT_EQ(table.name, "plain");
  EXPECT_EQ(table.source, "a test");
  EXPECT_EQ(table.text, plain_table);
  EXPECT_EQ(table.vdd, 0.8);
  EXPECT_EQ(table.ranges.at('N'), std::pair(2.0, 128.0));
  Costs costs(table, {});
  const Cost router = costs.router({16, 2, 8, 4, true});
  const auto pj = [&](Event event) { return router.energy[static_cast<std::size_t>(event)] / 1'000'000; };
  EXPECT_EQ(pj(Event::buffer_write), 16 / 2 + 16 * 8 / 4);
  EXPECT_EQ(pj(Event::buffer_read), 3);
  EXPECT_EQ(router.energy[static_cast<std::size_t>(Event::crossbar)], 400'500'000);
  EXPECT_EQ(pj(Event::clock), 16);
  EXPECT_EQ(pj(Event::switch_grant), 4 + 6);
  EXPECT_EQ(pj(Event::channel), 10 + 4);
  EXPECT_EQ(pj(Event::route), 7);
  EXPECT_EQ(router.leakage[static_cast<std::size_t>(Silicon::buffers)], 4'000'000);
  EXPECT_EQ(router.area[static_cast<std::size_t>(Silicon::switch_allocator)], 3'000'000'000);
  EXPECT_EQ(costs.link({16, 3, 2, 0}).leakage[static_cast<std::size_t>(Silicon::links)], 14'000'000);
}

TEST_F(EnergyTables, AreBuiltInByTheirNames) {
  for (const std::string& name : built_in_tables()) EXPECT_EQ(read_table(folder_.path(), name, "table").name, name);
}

TEST_F(EnergyTables, ThatAreNeitherFileNorBuiltIn) {
  try {
    read_table(folder_.path(), "dsent_22", "table");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, "table");
    EXPECT_EQ(error.diagnostics().front().text,
              "dsent_22 is neither a file nor a built-in table (did you mean dsent-22?); these are dsent-45, dsent-32, "
              "dsent-22, dsent-11");
  }
}

TEST_F(EnergyTables, NameEachFaultWithItsPlace) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases = {
      {{"schema: 1", "schema: 2"}, "table.yaml:1:9: schema is '2', but only 1 is known"},
      {{"source: a test\n", ""}, "table.yaml:1:1: the key source is missing"},
      {{"power: mW", "power: kW"}, "table.yaml:4:28: units.power is 'kW'; known: nW, uW, mW"},
      {{"area: mm2, ", ""}, "table.yaml:4:8: units.area is missing; known: um2, mm2"},
      {{"buffer_read: 3", "buffer_raed: 3"},
       "table.yaml:8:3: energy.buffer_read is missing\n"
       "table.yaml:9:3: unknown key 'buffer_raed' (did you mean buffer_read?)"},
      {{"W*N: 0.25", "W*X: 0.25"},
       "table.yaml:8:26: energy.buffer_write: unknown factor 'X'; known: W, N, P, V, L, with ^2 or ^3, lg(X), up(X), "
       "and sqrt(...) alone"},
      {{"{W: 0.5, W*N", "{W: 0.5, W"}, "table.yaml:8:26: the term W is given twice"},
      {{"buffer_read: 3", "buffer_read: many"},
       "table.yaml:9:16: energy.buffer_read is 'many', but a number is expected"},
      {{"buffer_read: 3", "buffer_read: {points: {1: 2}}"},
       "table.yaml:9:25: energy.buffer_read has points, which only energy.arbiter may have"},
      {{"2: 4, 8: 10", "8: 4, 2: 10"},
       "table.yaml:14:34: energy.arbiter: the point '2' is not after the one before it"},
      {{"{max: [{W: 1}, {P: 100}]", "{max: {W: 1}"},
       "table.yaml:10:19: energy.crossbar.max is a mapping, but a list of at least two mappings is expected"},
      {{"W: [16, 256]", "W: [256, 16]"},
       "table.yaml:6:13: ranges.W is empty: its first value is greater than its second one"},
      {{"vdd: 0.8", "vdd: 0"}, "table.yaml:5:32: conditions.vdd is not above 0"},
      {{"register: 6, link: {L: 7}}\narea", "link: {L: 7}}\narea"}, "table.yaml:17:3: leakage.register is missing"},
  };
  for (const auto& [change, expected] : cases) {
    const std::string found = errors(change.first, change.second);
    EXPECT_EQ(found, expected) << change.second;
  }
}

TEST_F(EnergyTables, NameAllFaultsInOnePass) {
  std::string text = plain_table;
  text.replace(text.find("energy: pJ"), 10, "energy: kJ");
  text.replace(text.find("buffer_read: 3"), 14, "buffer_read: x");
  text.replace(text.find("sqrt(W*P)"), 9, "sqrt(W*Q)");
  try {
    read(text);
    FAIL();
  } catch (const DataFileError& error) {
    const std::string lines = error.what();
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2) << lines;
  }
}

}  // namespace
}  // namespace starloom::energy
