// SPDX-License-Identifier: Apache-2.0
// Pattern transactions: what a run leaves, in its three views, and what is refused.
#include <fstream>

#include "cli/program_run.hpp"

namespace starloom {
namespace {

class TransactionRuns : public ProgramTest {
 protected:
  TransactionRuns() {
    scratch_.write(
        "e.yaml",
        "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: vc-wormhole, channels: 2}\n"
        "traffic: {pattern: transactions, file: t.csv}\n"
        "tlm:\n  initiators: [0, 15]\n  targets: [{node: 5, base: 0x1000, size: 256}]\n");
    write("0,0,write,0x1000,2,abcd,\n10,0,read,4096,4,,\n2,1,read,0x2000,4,,\n");
  }
  void write(const std::string& rows) const {
    scratch_.write("t.csv", "time,initiator,command,address,length,data,byte_enable\n" + rows);
  }
};

TEST_F(TransactionRuns, AllViewsGiveTheSameData) {
  for (const char* const view : {"cycle-accurate", "approximately-timed", "loosely-timed"}) {
    const ProgramRun run = starloom("run e.yaml --quiet --force --set tlm.view=" + std::string(view));
    ASSERT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");  // SystemC would print its warnings here
    EXPECT_EQ(scratch_.read("out/e/transactions.csv"),
              "transaction,issued,completed,status,data\n0,0,25,TLM_OK_RESPONSE,\n1,10,35,TLM_OK_RESPONSE,abcd0000\n"
              "2,2,2,TLM_ADDRESS_ERROR_RESPONSE,\n");
  }
}

TEST_F(TransactionRuns, LinesMayEndInCarriageReturns) {
  ASSERT_EQ(starloom("run e.yaml --quiet --out plain").status, 0);
  std::string text;
  for (const char c : scratch_.read("t.csv")) text += c == '\n' ? "\r\n" : std::string(1, c);
  scratch_.write("t.csv", text);
  const ProgramRun run = starloom("run e.yaml --quiet --out windows");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(scratch_.read("windows/transactions.csv"), scratch_.read("plain/transactions.csv"));
}

TEST_F(TransactionRuns, WhatChangesNothingInTheResultDoesNot) {
  ASSERT_EQ(starloom("run e.yaml --quiet --out plain").status, 0);
  for (const char* const words : {"--wake all", "--shuffle 3", "--trace", "--no-referee"}) {
    ASSERT_EQ(starloom("run e.yaml --quiet --force " + std::string(words)).status, 0);
    for (const char* const file : {"result.json", "transactions.csv", "packets.csv", "buffers.csv", "links.csv"})
      EXPECT_EQ(scratch_.read(std::string("out/e/") + file), scratch_.read(std::string("plain/") + file)) << words;
  }
}

TEST_F(TransactionRuns, WhatIsLeftAtTheLastStepIsTold) {
  for (const char* const view : {"cycle-accurate", "approximately-timed", "loosely-timed"}) {
    const ProgramRun run =
        starloom("run e.yaml --quiet --force --set limits.steps=26 --set tlm.view=" + std::string(view));
    EXPECT_EQ(run.status, 4);
    EXPECT_THAT(run.err, testing::HasSubstr("transaction 1 of initiator 0 has no response"));
    EXPECT_THAT(scratch_.read("out/e/transactions.csv"), testing::HasSubstr("\n0,0,25,TLM_OK_RESPONSE,\n1,10,,,\n"));
    EXPECT_THAT(scratch_.read("out/e/result.json"), testing::HasSubstr("\"outcome\": \"step-limit\""));
  }
}

TEST_F(TransactionRuns, TheHardwareMayHaveClocks) {
  const std::string slow =
      "--set 'network={topology: mesh, shape: [4, 4], clocks: {fast: 1, slow: 2}, regions: [{nodes: "
      "\"*_c01\", clock: slow}]}'";
  EXPECT_EQ(starloom("run e.yaml --trace --quiet --force --set tlm.view=cycle-accurate " + slow).status, 0);
  EXPECT_EQ(starloom("verify out/e").status, 0);
  // The read of 10 is answered later than in step 25, because its target is in node 5.
  EXPECT_THAT(scratch_.read("out/e/transactions.csv"), testing::Not(testing::HasSubstr("\n0,0,25,TLM_OK_RESPONSE,")));
  for (const char* const view : {"approximately-timed", "loosely-timed"})
    EXPECT_THAT(starloom("run e.yaml --quiet --force --set tlm.view=" + std::string(view) + " " + slow).err,
                testing::HasSubstr("tlm.view: " + std::string(view) + " reckons with nodes that run in every step"));
}

TEST_F(TransactionRuns, NoTransactionsEndAtOnce) {
  write("");
  for (const char* const view : {"cycle-accurate", "loosely-timed"})
    EXPECT_EQ(starloom("run e.yaml --quiet --force --set tlm.view=" + std::string(view)).status, 0);
  write("5,0,read,0,4,,\n");  // nor do those that are refused
  EXPECT_EQ(starloom("run e.yaml --quiet --force").status, 0);
  EXPECT_THAT(scratch_.read("out/e/transactions.csv"), testing::HasSubstr("\n0,5,5,TLM_ADDRESS_ERROR_RESPONSE,\n"));
}

TEST_F(TransactionRuns, FaultsOfTheFileHaveTheirPlaces) {
  const auto refuses_row = [this](const std::string& row, const std::string& text) {
    write("0,0,read,0,1,,\n" + row + "\n");
    refuses("run e.yaml", 2, "t.csv:3:" + text);
  };
  refuses_row("0,0,read,0,1", "1: a row has 7 cells (time,initiator,command,address,length,data,byte_enable), not 5");
  refuses_row("-1,0,read,0,1,,", "1: time: -1 is less than 0");
  refuses_row("0,2,read,0,1,,", "3: initiator: 2 is more than 1");
  refuses_row("0,0,raed,0,1,,", "5: unknown command raed (did you mean read?); known: read, write, ignore");
  refuses_row("0,0,read,12g,1,,",
              "10: address: '12g' is not an address; write for example 4096 or 0x1000, at most 64 bits");
  refuses_row("0,0,read,0,0,,", "12: length: 0 is less than 1");
  refuses_row("0,0,write,0,2,abc,",
              "15: data: two hexadecimal digits per byte are expected\nt.csv:3:15: data: 1 byte for a "
              "write of 2 bytes");
  refuses_row("0,0,write,0,1,,", "15: data: 0 bytes for a write of 1 byte");
  refuses_row("0,0,read,0,1,ab,", "14: data: only a write has data");
  refuses_row("0,0,read,0,1,,ff00", "15: byte_enable: 2 bytes for 1 byte of data");
  refuses_row("0,0,read,0,2,,ff01", "15: byte_enable: each byte is ff (enabled) or 00 (disabled)");
  scratch_.write("t.csv", "time,initiator\n");
  refuses("run e.yaml", 2,
          "t.csv:1:1: the header is time,initiator,command,address,length,data,byte_enable, not 'time,initiator'");
  refuses("run e.yaml --set traffic.file=none.csv", 2,
          "--set traffic.file: cannot read none.csv: No such file or directory");
}

TEST_F(TransactionRuns, FaultsOfTheSectionAreTold) {
  const auto refuses_tlm = [this](const std::string& keys, const std::string& text) {
    refuses("run e.yaml --set 'tlm={" + keys + "}'", 2, "--set tlm: " + text);
  };
  refuses_tlm("initiators: [0, 1], targets: [{node: 5, base: 0, size: 16}, {node: 6, base: 15, size: 1}]",
              "target 0 (0x0 to 0xf) and target 1 (0xf to 0xf) overlap; move one of them");
  refuses_tlm("initiators: [0, 1], targets: [{node: 5, base: 0, size: 0}]",
              "target 0 has an empty address range; give it a size");
  refuses_tlm("initiators: [0, 1], targets: [{node: 16, base: 0, size: 1}]",
              "target 0 is at node 16, but the nodes are 0 to 15");
  refuses_tlm("initiators: [0, 1], targets: [{node: 5, base: 0}]", "tlm.targets: size is missing");
  refuses_tlm("initiators: [0, 1], targets: [{node: 5, base: -1, size: 1}]",
              "tlm.targets.base: an integer of at most 64 bits, such as 4096 or 0x1000, is expected, not -1");
  refuses_tlm("initiators: [0, 1], targets: [5]",
              "tlm.targets: a target such as {node: 5, base: 0x1000, size: 4096} is expected, not 5");
  refuses_tlm("view: losely-timed, initiators: [0, 1], targets: []",
              "tlm.view: unknown view losely-timed (did you mean loosely-timed?); known: loosely-timed, "
              "approximately-timed, cycle-accurate");
  refuses("run e.yaml --set routing.channels=1", 2,
          "--set routing.channels: transactions need at least 2, half of them for responses");
  refuses("run e.yaml --set 'routing={algorithm: greedy}'", 2,
          "--set routing: routing.algorithm: transactions need separate channels for responses, which greedy does not "
          "have; use vc-wormhole");
  refuses("run e.yaml --set 'traffic={pattern: transpose}'", 2,
          "e.yaml:5:1: tlm: pattern transpose has no transactions; use pattern transactions, or leave out tlm");
  refuses("run e.yaml --trace --set tlm.view=loosely-timed", 2,
          "--set tlm.view: loosely-timed has no events to trace or watch; use cycle-accurate");
}

}  // namespace
}  // namespace starloom
