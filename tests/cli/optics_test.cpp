// SPDX-License-Identifier: Apache-2.0
// The optical parts of POPS networks in the program: what `check` says of them, what a run adds up, what is refused.
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::Not;

/// POPS(8,4) with the default optical parts: 9.03 dB by splitting, three stages of 0.3 dB.
class Optics : public ProgramTest {
 protected:
  Optics() {
    scratch_.write("p.yaml",
                   "schema: 1\n"
                   "network: {topology: pops, groups: 4, group_size: 8}\n"
                   "model: message\n"
                   "routing: {algorithm: randomized}\n"
                   "traffic: {pattern: random-permutation}\n"
                   "optics: {}\n");
  }
  nlohmann::json result(const std::string& values) const {
    const ProgramRun run = starloom("run p.yaml --force --quiet " + values);
    EXPECT_EQ(run.status, 0) << run.err;
    return nlohmann::json::parse(scratch_.read("out/p/result.json"));
  }
};

TEST_F(Optics, CheckPrintsBudgetSlotsAndNetworks) {
  const ProgramRun check = starloom("check p.yaml");
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(
      check.out,
      HasSubstr("  optics        loss 9.9 dB, margin 13.1 dB, enough: 3 required; groups of up to 64 are possible\n"
                "  slots         data 205.0 ns, acknowledgement 93.0 ns; a cycle of five slots 801.0 ns\n"
                "    a permutation         slots   microseconds  nJ per packet\n"
                "    offline                 4.0          0.820          205.0\n"
                "    comparator-sort        60.0         12.300         3075.0\n"
                "    randomized             "));
  EXPECT_THAT(check.out, HasSubstr("\n    direct                 "));
  // d, g, margin, couplers, transmitters, offline, sort; for one group round robin and r = 32, k = 0 in formula B.
  EXPECT_THAT(check.out, HasSubstr("\n          1      32    23.0       1024         1024        1       15"));
  EXPECT_THAT(check.out, HasSubstr("\n          8       4    13.1         16          128        4       60"));
  EXPECT_THAT(check.out, HasSubstr("\n         32       1     6.4          1           32       64      960       32.0"
                                   "    362.7       679\n"));
}

TEST_F(Optics, CheckSaysWhatThePartsDoNotAllow) {
  const ProgramRun weak = starloom("check p.yaml --set optics.launch_dbm=-18 --set optics.connectors_db=1.5");
  EXPECT_EQ(weak.status, 0) << weak.err;
  EXPECT_THAT(weak.out,
              HasSubstr("loss 11.4 dB, margin -6.4 dB, too little: 3 required; groups of up to 1 are possible"));
  EXPECT_THAT(weak.out, Not(HasSubstr("\n          8       4 ")));
  EXPECT_THAT(starloom("check p.yaml --set optics.launch_dbm=-21").out, HasSubstr("no group size is possible\n"));
}

TEST_F(Optics, SlotsFollowLengthsAndRate) {
  EXPECT_THAT(starloom("check p.yaml --set units.flit_bytes=64 --set optics.bit_rate_gbps=10 --set optics.ack_bytes=1 "
                       "--set optics.guard_ns=2")
                  .out,
              HasSubstr("data 53.2 ns, acknowledgement 2.8 ns; a cycle of five slots 165.2 ns\n"));
}

TEST_F(Optics, ARunAddsUpItsDrives) {
  const auto run = result("");
  EXPECT_NEAR(run["optics"]["margin_db"].get<double>(), 13.069, 0.001);
  const double data = run["links"]["flit_hops"], acks = run["links"]["control_hops"];
  EXPECT_DOUBLE_EQ(run["optics"]["energy_pj_per_packet"], 500 * (205 * data + 93 * acks) / 32);
  const double cycles = run["schedule"]["units"], drain = run["algorithm"]["drain_slots"];
  EXPECT_DOUBLE_EQ(run["optics"]["time_ns"], cycles * (3 * 205 + 2 * 93) + drain * 205);
  EXPECT_EQ(result("--set routing.algorithm=direct")["optics"]["time_ns"].get<double>(),
            result("--set routing.algorithm=direct")["schedule"]["steps"].get<double>() / 2 * (205 + 93));
  EXPECT_EQ(run["experiment"]["optics"]["sensitivity_dbm"], -23);
  EXPECT_EQ(result("--set routing.algorithm=offline")["optics"]["energy_pj_per_packet"], 205000);
  EXPECT_EQ(
      result("--set routing.algorithm=comparator-sort --set optics.transmitter_mw=1")["optics"]["energy_pj_per_packet"],
      15 * 2 * 205);
}

TEST_F(Optics, RefusesParts) {
  refuses("run p.yaml --set optics.excess_db=-1", 2, "--set optics.excess_db: -1 is out of range (0 to 100)");
  refuses("run p.yaml --set optics.lunch_dbm=1", 2,
          "--set optics.lunch_dbm: unknown key (did you mean optics.launch_dbm?)");
  refuses("run p.yaml --set optics.guard_ns=short", 2, "--set optics.guard_ns: a number is expected, not \"short\"");
  refuses("run p.yaml --set optics.margin_db=.nan", 2, "--set optics.margin_db: a number is expected, not \".nan\"");
  refuses("run p.yaml --set optics=bright", 2, "--set optics: a section with keys is expected, not \"bright\"");
  scratch_.write("m.yaml", std::string(small_experiment) + "optics: {launch_dbm: 3}\n");
  refuses("check m.yaml", 2, "m.yaml:5:1: optics: only pops networks have couplers");
  EXPECT_FALSE(exists("out"));
}

TEST_F(Optics, AResultWithoutPartsHasNone) {
  scratch_.write("m.yaml", small_experiment);
  ASSERT_EQ(starloom("run m.yaml --quiet").status, 0);
  EXPECT_THAT(scratch_.read("out/m/result.json"), Not(HasSubstr("optics")));
  EXPECT_EQ(starloom("run m.yaml --quiet --force --set expect.optics.margin_db=3").status, 2);
}

}  // namespace
}  // namespace starloom
