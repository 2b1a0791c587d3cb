// SPDX-License-Identifier: Apache-2.0
// Every error of a command line or an input file: its exit status and its exact text.
#include <sys/stat.h>

#include "cli/program_run.hpp"
#include "support/small_disk.hpp"

namespace starloom {
namespace {

class BadInput : public ProgramTest {
 protected:
  BadInput() { scratch_.write("e.yaml", small_experiment); }
};

TEST_F(BadInput, CommandLine) {
  refuses("", 2, "starloom: a command is missing; see starloom --help");
  refuses("rum e.yaml", 2, "starloom: unknown command rum (did you mean run?); see starloom --help");
  refuses("help rum", 2, "starloom: unknown command rum (did you mean run?); see starloom --help");
  EXPECT_EQ(starloom("help run").out, starloom("run --help").out);
  EXPECT_EQ(starloom("help").out, starloom("--help").out);
  refuses("run", 2, "starloom: FILE is required; see starloom run --help");
  refuses("run -x", 2, "starloom run: unknown option -x");
  refuses("--seed 3 run e.yaml", 2, "starloom: --seed before the command; options follow it: starloom run FILE --seed");
  refuses("list 3", 2,
          "starloom list: the command takes no arguments: unexpected argument 3; see starloom list --help");
  refuses("run e.yaml f.yaml", 2, "starloom run: unexpected argument f.yaml; see starloom run --help");
  refuses("run e.yaml --sede 3", 2, "starloom run: unknown option --sede (did you mean --seed?)");
  refuses("run e.yaml --zzzzzzzz=3", 2, "starloom run: unknown option --zzzzzzzz");
  refuses("run e.yaml --seed", 2, "starloom: --seed needs a value: --seed N; see starloom run --help");
  refuses("run e.yaml --seed x", 2, "--seed: an integer is expected, not \"x\"");
  for (const char* const number : {"0", "-2", "two", "1025"})
    refuses(std::string("run e.yaml --threads ") + number, 2,
            std::string("--threads ") + number + ": an integer from 1 to 1024 is expected");
  refuses("run e.yaml --shuffle -3", 2, "--shuffle -3: an integer from 0 is expected");
  refuses("run e.yaml --wake none", 2, "starloom: --wake none: all is expected; see starloom run --help");
  refuses("run e.yaml --trace 5", 2, "--trace 5: the form is --trace FROM:TO, two steps; FROM is included, TO is not");
  refuses("run e.yaml --trace 5:5", 2,
          "--trace 5:5: the form is --trace FROM:TO, two steps; FROM is included, TO is not");
  refuses("run e.yaml --trace=a:b", 2,
          "--trace a:b: the form is --trace FROM:TO, two steps; FROM is included, TO is not");
  refuses("run e.yaml --watch 5", 2, "--watch 5: the form is --watch packet=N, with N from 0");
  refuses("regress", 2, "starloom: PATH is required; see starloom regress --help");
  refuses("regress e.yaml --jobs 0", 2,
          "starloom: --jobs 0: an integer from 1 to 1024 is expected; see starloom regress --help");
  refuses("draw e.yaml --format png", 2, "starloom draw: unknown format png; known: svg, json");
  refuses("draw e.yaml --format sgv", 2, "starloom draw: unknown format sgv (did you mean svg?); known: svg, json");
  refuses("explain limits.quite", 2,
          "starloom explain: limits.quite is not a key, metric, name or word of an output (did you mean "
          "limits.quiet?); see starloom explain");
  refuses("explain seed --markdown", 2,
          "starloom explain: --markdown, --man and --figures print all of them; leave out KEY");
  refuses("show out/e", 2, "starloom: --step is required; see starloom show --help");
}

TEST_F(BadInput, LengthsOfPackets) {
  refuses("run e.yaml --set 'traffic.flits={mix: [[1, 0.5], [2, 0.5]]}'", 2,
          "--set traffic.flits: greedy needs packets of one length; set traffic.flits to a number");
  refuses("run e.yaml --set 'routing={algorithm: offline-worms}' --set 'traffic.flits={uniform: [2, 4]}'", 2,
          "--set traffic.flits: offline-worms needs packets of one length; set traffic.flits to a number");
  const std::string credits = "run e.yaml --set 'routing={algorithm: vc-wormhole}' --set traffic.flits=";
  refuses(credits + "'{mix: [[1, 0.5], [2, 0.4]]}'", 2,
          "--set traffic.flits: traffic.flits.mix: the shares add up to 0.9, not to 1");
  refuses(credits + "'{uniform: [4, 2]}'", 2,
          "--set traffic.flits: traffic.flits.uniform: [4, 2] is not a range [shortest, longest]");
  refuses(credits + "'{unifrom: [2, 4]}'", 2,
          "--set traffic.flits: unknown key traffic.flits.unifrom (did you mean traffic.flits.uniform?)");
  refuses(credits + "'{mix: [[1, 0.5, 3]]}'", 2,
          "--set traffic.flits: traffic.flits.mix: a list of pairs [integer, share] is expected, not a list");
  refuses(credits + "'{}'", 2, "--set traffic.flits: the section is empty; its keys: uniform, mix");
  refuses(credits + "0", 2, "--set traffic.flits: 0 is out of range (1 to 2^31 - 1)");
}

TEST_F(BadInput, Routers) {
  const auto refuses_router = [this](const std::string& keys, const std::string& text) {
    refuses("run e.yaml --set 'routing={algorithm: vc-wormhole, " + keys + "}'", 2, "--set routing: routing" + text);
  };
  refuses_router("channels: 0", ".channels: 0 is out of range (1 to 256)");
  refuses_router("buffer: 0", ".buffer: 0 is out of range (1 to 65535)");
  refuses_router("pipeline: 6", ".pipeline: 6 is out of range (3 to 5)");
  refuses_router("pipeline: 3, speculative: false",
                 ".pipeline: pipeline: 3 does not fit speculative: false, which takes 4 or 5 cycles");
  refuses_router("credit_latency: 1", ".credit_latency: 1 is out of range (2 to 66559)");
  refuses(
      "run e.yaml --set 'network={topology: leaf-spine, leaves: 1, spines: 1, hosts: 200}' --set "
      "'routing={algorithm: vc-wormhole, function: shortest, channels: 200}'",
      2,
      "--set routing: routing.channels: a router of 202 ports has at most 162 channels per port, but channels is "
      "200");
  refuses_router("function: xy",
                 ".function: unknown function xy (did you mean yx?); known: dimension-order, dimension-order-plain, "
                 "yx, ...");
  refuses("run e.yaml --set routing.algorithm=vc-wormhole --set network.topology=torus", 2,
          "--set routing.algorithm: routing.channels: dimension-order on a torus needs 2 channels for datelines, not "
          "1; without datelines, dimension-order-plain can deadlock");
  refuses(
      "run e.yaml --set 'network={topology: mesh, shape: [4, 4], link_latency: 3}' "
      "--set 'routing={algorithm: vc-wormhole, credit_latency: 3}'",
      2,
      "--set routing: routing.credit_latency: a credit needs at least 4 steps over links of latency 3, but "
      "credit_latency is 3");
  refuses("run e.yaml --set stalls.rate=0.1", 2,
          "--set stalls.rate: stalls: only virtual-channel routers can have stalled links; greedy has none, use "
          "vc-wormhole");
  refuses("run e.yaml --set routing.algorithm=vc-wormhole --set stalls.rate=1", 2,
          "--set stalls.rate: 1 is out of range (0 to 0.99)");
}

TEST_F(BadInput, RoutingFunctions) {
  const auto refuses_on = [this](const std::string& network, const std::string& keys, const std::string& text) {
    refuses("check e.yaml --set 'network={" + network + "}' --set 'routing={algorithm: " + keys + "}'", 2,
            "--set routing: routing" + text);
  };
  const std::string mesh = "topology: mesh, shape: [4, 4]", torus = "topology: torus, shape: [4, 4]";
  refuses_on(torus, "vc-wormhole, function: odd-even",
             ".function: odd-even works on mesh and concentrated-mesh, not on a torus; these do: dimension-order, "
             "dimension-order-plain, yx, ...");
  refuses_on("topology: mesh, shape: [2, 2, 2]", "vc-wormhole, function: o1turn, channels: 2",
             ".function: o1turn works on meshes of two dimensions, not of 3 dimensions");
  refuses_on(torus, "vc-wormhole, function: adaptive, channels: 2",
             ".channels: adaptive on a torus needs 3 channels for two escape channels and one adaptive channel, not 2");
  refuses_on(mesh, "vc-wormhole, function: table",
             ".table: missing: function table needs it (routes of function table: CSV with "
             "node,destination,port,channels and optionally weight; nodes are numbers or names, channels numbers "
             "separated by spaces, or *)");
  refuses_on(mesh, "vc-wormhole, function: yx, root: \"3\"",
             ".root: only up-down, up-down-adaptive and legal-ways have the key root, not yx");
  for (const char* algorithm : {"vc-wormhole", "greedy"})
    refuses_on(mesh, std::string(algorithm) + ", function: yx, weight: latency",
               ".weight: only shortest has the key weight, not yx");
  refuses_on(mesh, "vc-wormhole, function: up-down, root: node_r00_c7",
             ".root: node_r00_c7 is not a node; nodes are 0 to 15, or node_r00_c00 to node_r03_c03 (did you mean "
             "node_r00_c00?)");
  refuses_on("topology: fat-tree, arity: 2, levels: 2", "greedy",
             ".function: dimension-order works on mesh, torus, ring, concentrated-mesh, express-mesh, hypercube and "
             "flattened-butterfly, not on a "
             "fat-tree; these "
             "do: nearest-ancestor, ...");
  // Several errors in one pass, each with its location.
  refuses_on(
      torus, "vc-wormhole, function: valiant, channels: 3, pipeline: 3, speculative: false",
      ".pipeline: pipeline: 3 does not fit speculative: false, which takes 4 or 5 cycles\n"
      "--set routing: routing.channels: valiant on a torus needs 4 channels for the two phases and their datelines, "
      "not 3");
}

TEST_F(BadInput, TablesOfWays) {
  const std::string with_table =
      "check e.yaml --set 'network={topology: ring, nodes: 3}' --set 'routing={algorithm: vc-wormhole, function: "
      "table, "
      "table: t.csv}'";
  scratch_.write("t.csv", "node,destination,port,channels\n0,1,0,*\n0,2,2,*\n1,0,1,*\n1,2,1,*\n2,0,1,*\n2,1,1,7\n");
  refuses(with_table, 2,
          "t.csv:3:5: port: '2' of node 0 has no link; ports with a link: 0, 1\n"
          "t.csv:7:7: channels: '7' is not a channel; list each of 0 to 0 once, or write * for all");
  scratch_.write("t.csv", "node,destination,port,channels\n0,1,0,*\n0,2,0,*\n1,0,1,*\n1,2,1,*\n2,0,1,*\n");
  refuses(with_table, 2, "t.csv:5:1: packets for destination 2 follow a cycle: 0, 1, 0");
  refuses(
      "check e.yaml --set 'network={topology: ring, nodes: 3}' --set 'routing={algorithm: vc-wormhole, function: "
      "table, table: none.csv}'",
      2, "--set routing: routing.table: cannot read none.csv: No such file or directory");
}

TEST_F(BadInput, NetworksThatCannotBe) {
  const std::string network = "check e.yaml --set 'network={topology: ";
  refuses(network + "express-mesh, shape: [8, 8], skip: 9}'", 2,
          "--set network: network.skip: a skip of 9 gives no express link in a mesh [8, 8]; skip can be 2 to 7");
  refuses(
      network + "dragonfly, groups: 1050, routers: 1, terminals: 1}'", 2,
      "--set network: a router of this dragonfly would need 1050 ports (terminals 1, local links 0, global links up "
      "to 1049), more than 1024; choose fewer terminals or groups, or more routers per group");
}

TEST_F(BadInput, SourcesAndReplies) {
  const std::string uniform = "run e.yaml --set 'traffic={pattern: uniform, rate: 0.5, ";
  refuses(uniform + "injection: {on_off: {on: 10}}}'", 2,
          "--set traffic: traffic.injection.on_off.off is missing (mean duration of the off state of a source)");
  refuses(uniform + "injection: {on_off: 3}}'", 2,
          "--set traffic: traffic.injection.on_off: a section with the keys on, off is expected, not 3");
  refuses(uniform + "injection: bursts}'", 2,
          "--set traffic: traffic.injection: unknown injection bursts; known: bernoulli");
  refuses(uniform + "injection: {on_off: {on: 10, off: 30}}}'", 2,
          "--set traffic: traffic.rate: 0.5 is more than the limit of 0.25 (flits per processor and step): a node "
          "creates at most one packet per "
          "step, and only while its source is on, so raise flits or lower rate");
  refuses(uniform + "reply: 3}'", 2,
          "--set traffic: traffic.reply: a section with the keys flits, service, channels is expected, not 3");
  refuses(uniform + "reply: {flits: 1}}'", 2,
          "--set traffic: traffic.reply.service is missing (time from the delivery of a packet to the creation of its "
          "reply)");
  refuses(uniform + "reply: {flits: 1, service: 0}}'", 2,
          "--set traffic: traffic.reply.service: 0 is out of range (1 to 10^9)");
  refuses(uniform + "reply: {flits: 4, service: 1}}'", 2,
          "--set traffic: traffic.reply.flits: greedy needs packets of one length, so replies must have that length "
          "too: 1\n--set traffic: packets of 4 flits, but greedy moves only packets of one flit");
  refuses(uniform + "reply: {flits: 1, service: 1, channels: 1}}'", 2,
          "--set traffic: traffic.reply.channels: greedy cannot reserve virtual channels for replies; leave out this "
          "key, and replies share the network");
  refuses("run e.yaml --set 'traffic={pattern: reversal, reply: {flits: 1, service: 1}}'", 2,
          "--set traffic: traffic.reply.flits: only open-loop traffic has this key; set traffic.rate");
  refuses(
      "run e.yaml --set 'traffic={pattern: uniform, rate: 1.5, flits: 4}' --set 'routing={algorithm: vc-wormhole}'", 2,
      "--set traffic: traffic.rate: 1.5 is more than a processor can send: with virtual channels one flit per step");
  refuses("run e.yaml --set limits.latency=30", 2,
          "--set limits.latency: only open-loop traffic has this key; reversal needs traffic.rate for that");
  refuses("run e.yaml --set limits.latency=on", 2, "--set limits.latency: a number or off is expected, not \"on\"");
}

TEST_F(BadInput, Waves) {
  refuses("run e.yaml --set 'waves={scope: [node_r07_*, node_r00_c00, node_r03]}'", 2,
          "--set waves: waves.scope: node_r07_* matches no instance; near: node_r00_c00, node_r00_c01, node_r00_c02\n"
          "--set waves: waves.scope: node_r03 matches no instance; near: node_r03_c00, node_r03_c01, node_r03_c02");
  EXPECT_FALSE(exists("out/e"));
  refuses("check e.yaml --set waves.scope=switch*", 2,
          "--set waves.scope: switch* matches no instance; the nodes are node_r00_c00 to node_r03_c03, a link is "
          "link_r00_c00_east, a buffer is node_r00_c00.buffer_east_v0");
  refuses("run e.yaml --set model=message --set routing.algorithm=multistage --set limits.steps=2", 2,
          "--set limits.steps: 2 is less than the 7 steps of the plan, which model: message computes as a whole; leave "
          "it out, or use model: netlist");
  refuses("run e.yaml --waves --set model=message --set routing.algorithm=multistage", 2,
          "--set model: message has no hardware to show in waves; use model: netlist");
  const std::string pops = "--set 'network={topology: pops, groups: 4, group_size: 4}' --set routing.algorithm=direct ";
  refuses("run e.yaml " + pops + "--set waves.scope=couplr_to00_from01", 2,
          "--set waves.scope: couplr_to00_from01 matches no instance; near: coupler_to00_from01, coupler_to00_from00, "
          "coupler_to01_from01");
  refuses(
      "check e.yaml " + pops + "--set waves.scope=switch*", 2,
      "--set waves.scope: switch* matches no instance; the processors are proc_g00_p00 to proc_g03_p03, a coupler is "
      "coupler_to00_from00, the couplers of a group are row_from00 or column_to00, a buffer is proc_g00_p00.buffer");
  refuses("run e.yaml --waves --set model=message " + pops, 2,
          "--set model: message has no hardware to show in waves; use model: netlist");
  refuses("run e.yaml --set waves.format=vzt", 2, "--set waves.format: unknown format vzt; known: vcd, fst");
  refuses(
      "run e.yaml --quiet --set waves.from=7 --out late", 2,
      "--set waves.from: the run has 7 steps, so there is none to show from step 7; the result is kept, without waves");
  EXPECT_TRUE(exists("late/result.json"));
  EXPECT_FALSE(exists("late/waves.vcd"));
  EXPECT_FALSE(exists("late/waves.gtkw"));
}

TEST_F(BadInput, WavesWithoutTheProgramForFst) {
  const ProgramRun run = starloom("run e.yaml --quiet --set waves.format=fst", "PATH=/nowhere;");
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.err,
            "waves.fst needs the program vcd2fst, which was not found; install the package gtkwave; "
            "waves.vcd is kept\n");
  for (const char* name : {"result.json", "packets.csv", "waves.vcd", "waves.gtkw"})
    EXPECT_TRUE(exists(std::string("out/e/") + name)) << name;
  scratch_.write("vcd2fst", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(scratch_.file("vcd2fst"), std::filesystem::perms::owner_all);
  const ProgramRun fails = starloom("run e.yaml --quiet --force --set waves.format=fst", "PATH=\"$PWD:$PATH\";");
  EXPECT_EQ(fails.status, 5);
  EXPECT_EQ(fails.err, "waves.fst: vcd2fst failed (is the disk full?); waves.vcd is kept\n");
  EXPECT_TRUE(exists("out/e/waves.vcd"));
  // A full disk does not change its exit status. A header, and half of what follows.
  for (const char* half : {"", "half a file", "\\000\\000\\000\\000\\000\\000\\000\\000\\010\\010\\000"}) {
    scratch_.write("vcd2fst", std::string("#!/bin/sh\nprintf '") + half + "' >\"$2\"\n: >\"$2.hier\"\n");
    const ProgramRun halves = starloom("run e.yaml --quiet --force --set waves.format=fst", "PATH=\"$PWD:$PATH\";");
    EXPECT_EQ(halves.status, 5);
    EXPECT_EQ(halves.err, "waves.fst: vcd2fst failed (is the disk full?); waves.vcd is kept\n");
    for (const char* name : {"result.json", "waves.vcd", "waves.gtkw"})
      EXPECT_TRUE(exists(std::string("out/e/") + name)) << name;
    for (const char* name : {"waves.fst", "waves.fst.hier"}) EXPECT_FALSE(exists(std::string("out/e/") + name)) << name;
  }
}

// A full disk must not lose the result because of waves: neither at their declarations nor later.
TEST_F(BadInput, WavesOnAFullDisk) {
  const std::string large = "--set network.shape=[40,40] ";
  const std::string longer = "--set 'traffic={pattern: uniform, rate: 0.4, warmup: 0, measure: 2500, drain: 100}' ";
  for (const std::string& size : {large, longer}) {
    const std::string words = "run e.yaml --quiet --force " + size;
    ASSERT_EQ(starloom(words + "--out whole").status, 0);
    const ProgramRun run =
        starloom(words + "--waves --out full", "ulimit -f 1600;");  // kilobytes or half of them: enough for pictures
    EXPECT_EQ(run.status, 5);
    EXPECT_EQ(run.err, "waves.vcd: cannot be written (File too large); the result is kept, without waves\n");
    for (const char* name : {"/waves.vcd", "/waves.gtkw"}) EXPECT_FALSE(exists(std::string("full") + name));
    for (const char* name : {"/result.json", "/packets.csv"})
      EXPECT_EQ(scratch_.read(std::string("full") + name), scratch_.read(std::string("whole") + name)) << name;
  }
}

// A removed file has to be closed, too, because an open file keeps its space. The waves are discarded immediately,
// because the trace and the packets are written before the run's waves are completed.
TEST_F(BadInput, WavesLeaveTheirRoomToTheResult) {
  const std::string small = "--set network.shape=[20,20] ";
  const std::string longer = "--set 'traffic={pattern: uniform, rate: 0.4, warmup: 0, measure: 2900, drain: 100}' ";
  for (const std::string& size : {small, longer}) {
    const std::string words = "run e.yaml --quiet --force " + size;
    ASSERT_EQ(starloom(words + "--out whole").status, 0);
    const SmallDisk disk(scratch_.file("disk"), "size=500k");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    const ProgramRun run = starloom(words + "--waves --out disk/full");
    EXPECT_EQ(run.status, 5);
    EXPECT_EQ(run.err, "waves.vcd: cannot be written (No space left on device); the result is kept, without waves\n");
    EXPECT_FALSE(exists("disk/full/waves.vcd"));
    for (const char* name : {"/result.json", "/packets.csv"})
      EXPECT_EQ(scratch_.read(std::string("disk/full") + name), scratch_.read(std::string("whole") + name)) << name;
  }
}

// Also where the waves fit and what is written after them does not.
TEST_F(BadInput, WavesThatJustFitMakeRoomForTheResult) {
  const std::string words = "run e.yaml --quiet --waves --set network.shape=[16,16] ";
  ASSERT_EQ(starloom(words + "--out whole").status, 0);
  const std::string without_fst = "PATH=/nowhere;";  // leaves waves.vcd, which also take space
  std::uintmax_t bytes = 8192;
  for (const auto& file : std::filesystem::directory_iterator(scratch_.file("whole")))
    if (file.path().stem().string().rfind("waves", 0) == 0) bytes += (file.file_size() / 4096 + 1) * 4096;
  for (const char* format : {"vcd", "fst"}) {
    const SmallDisk disk(scratch_.file("disk"), ("size=" + std::to_string(bytes)).c_str());
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    const ProgramRun run = starloom(words + "--out disk/full --set waves.format=" + format, without_fst);
    EXPECT_EQ(run.status, 5);
    EXPECT_THAT(run.err, testing::EndsWith(
                             ": cannot be written (No space left on device); the result is kept, without waves\n"));
    EXPECT_FALSE(exists("disk/full/waves.vcd"));
    for (const char* name : {"/result.json", "/packets.csv", "/links.svg"})
      EXPECT_EQ(scratch_.read(std::string("disk/full") + name), scratch_.read(std::string("whole") + name)) << name;
  }
}

TEST_F(BadInput, WavesDoNotHideABadEnd) {
  const ProgramRun run = starloom("run e.yaml --quiet --set 'limits={steps: 1}' --set 'waves={from: 100}'");
  EXPECT_EQ(run.status, 4);
}

TEST_F(BadInput, Overrides) {
  refuses("run e.yaml --set seed", 2, "--set seed: the form is --set key.path=value, e.g. --set limits.steps=1000");
  refuses("run e.yaml --set limits.step=3", 2, "--set limits.step: unknown key (did you mean limits.steps?)");
  refuses("run e.yaml --set schema.x=3", 2, "--set schema.x: schema is 1, not a section");
  refuses("run e.yaml --set 'seed=['", 2, "--set seed: not a YAML value: [");
  refuses("run e.yaml --set network.shape=[0,4] --set seed=-1", 2,
          "--set seed: -1 is out of range (0 to 2^63 - 1)\n"
          "--set network.shape: 0 is out of range (1 to 1073741824)");
  refuses("check e.yaml --set model=mesage", 2,
          "--set model: unknown model mesage (did you mean message?); known: netlist, message");
}

TEST_F(BadInput, FilesOfAnotherKind) {
  scratch_.write("c.yaml", "schema: 1\nname: c\nbase: {experiment: e.yaml}\nkeep: [steps]\n");
  for (const char* command : {"run", "check", "plan", "draw"})
    refuses(std::string(command) + " c.yaml", 2,
            "c.yaml:3:7: this is a campaign, not an experiment; starloom campaign c.yaml runs it, and starloom report "
            "c.yaml "
            "reports it");
  for (const char* command : {"campaign", "report"})
    refuses(std::string(command) + " e.yaml", 2,
            "e.yaml: this is an experiment, not a campaign; starloom run e.yaml runs it");
  scratch_.write("p.yaml", std::string("schema: 1\n\xd0\xff\0\n", 14));
  refuses("run p.yaml", 2, "p.yaml:2:3: this is a binary file; a text file is expected");
}

TEST_F(BadInput, CompressedFiles) {
  using namespace std::string_literals;
  for (const auto& [start, format] : {std::pair("\x1f\x8b\x08\0"s, "gzip"),
                                      {"BZh91AY"s, "bzip2"},
                                      {"\xfd"
                                       "7zXZ\0\0"s,
                                       "xz"},
                                      {"\x28\xb5\x2f\xfd$"s, "zstd"},
                                      {"PK\x03\x04"s, "zip"}}) {
    scratch_.write("p.csv", start);
    const std::string error = "cannot read p.csv: it is compressed ("s + format + "); unpack it";
    for (const char* pattern : {"packets", "file", "application, steps: 9"})
      refuses("check e.yaml --set 'traffic={pattern: "s + pattern + ", file: p.csv}'", 2,
              "--set traffic: traffic.file: " + error);
    refuses("check e.yaml --set 'network={topology: graph, file: p.csv}'", 2, "--set network: network.file: " + error);
    refuses("check p.csv", 2, "p.csv: this is a compressed file ("s + format + "); unpack it");
  }
  // As a spreadsheet saves "Unicode text".
  scratch_.write("p.csv",
                 "\xff\xfe"
                 "c\0y\0c\0l\0e\0"s);
  refuses("check e.yaml --set 'traffic={pattern: packets, file: p.csv}'", 2,
          "--set traffic: traffic.file: cannot read p.csv: it is a binary file; a text file in UTF-8 is expected");
}

TEST_F(BadInput, ExperimentFiles) {
  refuses("run none.yaml", 2, "none.yaml: cannot be read: No such file or directory");
  refuses("run .", 2, ".: this is a folder; name an experiment file in it");
  scratch_.write("empty.yaml", "");
  refuses("run empty.yaml", 2, "empty.yaml: the file is empty");
  scratch_.write("no.yaml", "schema: 1\nnetwork: {topology: mesh\nseed: 1\n");
  refuses("run no.yaml", 2, "no.yaml:3:5: not YAML: end of map flow not found");
  scratch_.write("bad.yaml", std::string(small_experiment) + "sead: 3\nlimits: {quiet: 0}\nlimits: {steps: x}\n");
  refuses("run bad.yaml", 2,
          "bad.yaml:5:1: unknown key sead (did you mean seed?)\n"
          "bad.yaml:6:17: limits.quiet: 0 is out of range (1 to 10^18)\n"
          "bad.yaml:7:1: limits is given twice, first at line 6, column 1");
  scratch_.write("expect.yaml", std::string(small_experiment) + "expect: {stepz: 3}\n");
  refuses("run expect.yaml", 2, "expect.yaml:5:10: expect.stepz: result.json has no key stepz (did you mean steps?)");
  EXPECT_FALSE(exists("out"));
}

TEST_F(BadInput, MoreThanTheMemory) {
  const ProgramRun run = starloom("run e.yaml --set network.shape=[100000,100000]");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, testing::MatchesRegex("--set network.shape: this network needs about 93999 GB of "
                                             "memory, and [0-9]+ [MG]B are available; choose a smaller shape\n"));
}

TEST_F(BadInput, AlgorithmThatDoesNotServeTheTopology) {
  const ProgramRun run = starloom("run e.yaml --set routing.algorithm=sliding-diagonals");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, testing::StartsWith("--set routing.algorithm: sliding-diagonals works on torus, not on mesh; "
                                           "these work on mesh: vc-wormhole, greedy, deflection, "));
}

TEST_F(BadInput, WhatAnAlgorithmCannotServe) {
  scratch_.write("d.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: deflection}\n"
                 "traffic: {pattern: reversal}\n");
  refuses("run d.yaml --set traffic.flits=2", 2,
          "--set traffic.flits: traffic: packets of 2 flits, but deflection moves only packets of one flit");
  refuses("run d.yaml --set network.link_latency=2", 2,
          "--set network.link_latency: deflection moves whole worms, which needs links of "
          "latency 1, not 2");
  refuses("run d.yaml --set routing.priority=ranc", 2,
          "--set routing.priority: unknown priority ranc (did you mean rank?); known: rank, restricted");
  scratch_.write("t.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 9]}\nrouting: {algorithm: three-phase, slice: 5}\n"
                 "traffic: {pattern: reversal}\n");
  refuses("run t.yaml", 2, "t.yaml:3:42: routing.slice: 5 rows, but there are 4; choose 1 to 4");
  refuses("run t.yaml --set routing.slice=0", 2, "--set routing.slice: 0 is out of range (1 to 1073741824)");
  refuses("run t.yaml --set network.shape=[8,8,2]", 2,
          "t.yaml:3:22: routing: three-phase needs a grid of two dimensions");
  scratch_.write("s.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [6, 4]}\nrouting: {algorithm: mesh-sort, s: 4}\n"
                 "traffic: {pattern: reversal}\n");
  refuses("run s.yaml", 2, "s.yaml:3:36: routing.s: 4 does not divide 6 x 4 nodes; choose a divisor of 2");
  refuses("run s.yaml --set routing.s=2 --set network.link_latency=2", 2,
          "--set network.link_latency: mesh-sort counts steps, which needs links of latency 1, "
          "not 2");
  refuses("run s.yaml --set routing.s=2 --set 'traffic={pattern: uniform, rate: 0.1, warmup: 1, measure: 1, drain: 1}'",
          2, "s.yaml:3:22: routing: mesh-sort sorts once, so its traffic must end: choose a pattern without rate");
  EXPECT_FALSE(exists("out"));
}

TEST_F(BadInput, WhatConstantQueueCannotServe) {
  scratch_.write("c.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [64, 64]}\nrouting: {algorithm: constant-queue}\n"
                 "traffic: {pattern: reversal}\n");
  refuses("run c.yaml --set routing.s=3", 2,
          "--set routing.s: 3 does not divide a supersquare of m = 8 nodes; choose 2, or leave s out");
  refuses("run c.yaml --set routing.s=4", 2,
          "--set routing.s: sorting 4 x 4 nodes needs 23 steps, more than m = 8; choose 2, or leave s "
          "out");
  const std::string greedily = "is routed greedily, without subsquares, because its side is ";
  refuses("run c.yaml --set routing.s=1 --set network.shape=[100,100]", 2,
          "--set routing.s: a mesh of side 100 " + greedily + "not a multiple of 8; leave s out");
  refuses("run c.yaml --set routing.s=1 --set network.shape=[16,16] --set routing.base=1", 2,
          "--set routing.s: a mesh of side 16 " + greedily + "below 24; leave s out");
  refuses("run c.yaml --set routing.s=1 --set routing.base=64", 2,
          "--set routing.s: a mesh of side 64 " + greedily + "at most base, 64; leave s out");
  refuses("run c.yaml --set network.shape=[64,32]", 2, "c.yaml:3:22: routing: constant-queue needs a square mesh");
  refuses(
      "run c.yaml --set 'traffic={pattern: hot-spot, targets: [5]}'", 2,
      "c.yaml:3:22: routing: packet 1 has the destination of packet 0, node_r00_c05; constant-queue accepts partial "
      "permutations: one packet per destination");
  refuses("run c.yaml --set traffic.flits=2", 2,
          "--set traffic.flits: traffic: packets of 2 flits, but constant-queue moves only packets of one flit");
  refuses("run c.yaml --set traffic.rate=0.1", 2,
          "c.yaml:3:22: routing: constant-queue sorts once, so its traffic must end: choose a pattern without rate");
  refuses("run c.yaml --set network.link_latency=2", 2,
          "--set network.link_latency: constant-queue counts steps, which needs links of latency "
          "1, not 2");
  refuses("run c.yaml --set traffic.pattern=queue-middle --set network.shape=[16,16]", 2,
          "--set traffic.pattern: traffic: this pattern needs subsquares, but a mesh of side 16 has none; choose a "
          "side of at least 24");
  EXPECT_FALSE(exists("out"));
}

TEST_F(BadInput, DataFiles) {
  refuses("run e.yaml --set 'traffic={pattern: file, file: none.txt}'", 2,
          "--set traffic: traffic.file: cannot read none.txt: No such file or directory");
  scratch_.write("p.txt", "1 0 2 x\n");
  const ProgramRun permutation = starloom("run e.yaml --set 'traffic={pattern: file, file: p.txt}'");
  EXPECT_EQ(permutation.status, 2);
  EXPECT_THAT(permutation.err, testing::StartsWith("p.txt:1:7: "));
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,99,1\n");
  const ProgramRun packets = starloom("run e.yaml --set 'traffic={pattern: packets, file: p.csv}'");
  EXPECT_EQ(packets.status, 2);
  EXPECT_THAT(packets.err, testing::StartsWith("p.csv:2:5: "));
  scratch_.write("a.yaml", "tasks: 2\nedges: [{from: 0, to: 7, bandwidth: 3}]\n");
  const ProgramRun graph = starloom("run e.yaml --set 'traffic={pattern: application, file: a.yaml, steps: 10}'");
  EXPECT_EQ(graph.status, 2);
  EXPECT_THAT(graph.err, testing::StartsWith("a.yaml:2:"));
  scratch_.write("long.csv", "cycle,source,destination,flits\n0,0,3,2\n");
  refuses("run e.yaml --set 'traffic={pattern: packets, file: long.csv}'", 2,
          "--set traffic: packets of 2 flits, but greedy moves only packets of one flit");
}

TEST_F(BadInput, OutputFolders) {
  ASSERT_EQ(starloom("run e.yaml --quiet").status, 0);
  const std::string before = scratch_.read("out/e/result.json");
  refuses("run e.yaml --seed 2", 5, "out/e: exists; --force replaces it, --out DIR writes elsewhere");
  EXPECT_EQ(scratch_.read("out/e/result.json"), before);
  refuses("run e.yaml --out e.yaml", 5, "e.yaml: exists and is not a folder; choose another --out");
  refuses("run e.yaml --out e.yaml/x", 5, "e.yaml/x: its parent folder cannot be created: Not a directory");
  refuses("run e.yaml --out /proc/starloom", 5,
          "/proc/starloom: the output folder is not writable: No such file or directory");
}

// A pipe blocks, a device has no end.
TEST_F(BadInput, OnlyRegularFilesAreData) {
  ASSERT_EQ(::mkfifo(scratch_.file("pipe").c_str(), 0600), 0);
  const std::string none = "it is a device or a pipe, not a file";
  for (const char* name : {"pipe", "/dev/zero"}) {
    refuses(std::string("run ") + name, 2, std::string(name) + ": cannot be read: " + none);
    refuses(std::string("campaign ") + name, 2, std::string(name) + ": cannot be read: " + none);
    for (const char* pattern : {"file", "application, steps: 5", "packets"})
      refuses(std::string("check e.yaml --set 'traffic={pattern: ") + pattern + ", file: " + name + "}'", 2,
              std::string("--set traffic: traffic.file: cannot read ") + name + ": " + none);
  }
  ASSERT_EQ(starloom("run e.yaml --quiet --trace --out o").status, 0);
  for (const char* file : {"trace.csv", "packets.csv", "result.json"}) {
    std::filesystem::rename(scratch_.file("o") / file, scratch_.file("kept"));
    std::filesystem::create_symlink("/dev/zero", scratch_.file("o") / file);
    EXPECT_EQ(starloom("verify o").status, 2) << file;
    std::filesystem::rename(scratch_.file("kept"), scratch_.file("o") / file);
  }
  EXPECT_EQ(starloom("verify o").status, 0);
}

// Limits of the shell or a container count, and so does what a netlist takes besides the tables of its controllers.
TEST_F(BadInput, NetworksThatDoNotFitAreRefusedAtOnce) {
#if !defined(__SANITIZE_ADDRESS__)  // which takes terabytes of addresses
  const ProgramRun limited = starloom("check e.yaml --set network.shape=[512,512]", "ulimit -v 900000;");
  EXPECT_EQ(limited.status, 2);
  EXPECT_THAT(limited.err, testing::MatchesRegex("--set network.shape: this network needs about [0-9]+ MB of "
                                                 "memory, and [0-9]+ MB are available; choose a smaller shape\n"));
#endif
  const ProgramRun pops = starloom(
      "check e.yaml --set 'network={topology: pops, groups: 8192, group_size: 8192}' --set "
      "'routing={algorithm: randomized}' --set 'traffic={pattern: random-permutation}' --set model=netlist",
      "ulimit -t 5;");
  EXPECT_EQ(pops.status, 2);
  EXPECT_THAT(pops.err, testing::HasSubstr("the netlist needs about 218 GB of memory"));
}

TEST_F(BadInput, TextsAreUtf8) {
  scratch_.write("u.yaml", "schema: 1\nname: \"\xc3\xa4\xff\"\n");
  refuses("check u.yaml", 2, "u.yaml:2:9: byte 0xff is not valid UTF-8; save the file as UTF-8");
}

// A limit on file sizes replaces a full disk: both make a write fail half-way.
TEST_F(BadInput, FullDisk) {
  const std::string full = "trap '' XFSZ; ulimit -f 8;";
  ASSERT_EQ(starloom("run e.yaml --quiet").status, 0);
  const std::string before = scratch_.read("out/e/result.json");
  for (const char* options : {"--no-packets --trace", ""}) {
    const ProgramRun run = starloom(std::string("run e.yaml --force --set network.shape=[64,64] ") + options, full);
    EXPECT_EQ(run.status, 5) << options;
    EXPECT_THAT(run.err, testing::MatchesRegex("starloom: the partial results are in out/e/.partial-[0-9]+\n"
                                               "out/e/.partial-[0-9]+/(trace|packets).csv: cannot be written "
                                               "\\(File too large\\)\n"));
    EXPECT_EQ(scratch_.read("out/e/result.json"), before);
  }
}

TEST_F(BadInput, StdoutThatCannotBeWritten) {
  const ProgramRun run = starloom("list >/dev/full");
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.err, "starloom: cannot write to stdout\n");
}

TEST_F(BadInput, FoldersThatAreNoResults) {
  refuses("show none --step 1", 2, "none: there is no such folder; the output folder of a run is expected");
  scratch_.write("result.json", "{}");
  EXPECT_EQ(starloom("show . --step 1").status, 2);
  EXPECT_EQ(starloom("verify none").status, 2);
  ASSERT_EQ(starloom("run e.yaml --quiet").status, 0);
  refuses("show out/e --step 1", 2, "out/e: there is no trace.csv or trace.csv.gz; run with --trace");
  EXPECT_EQ(starloom("show out/e --step -1").status, 2);
  ASSERT_EQ(starloom("run e.yaml --quiet --trace --force").status, 0);
  scratch_.write("out/e/packets.csv", "packet,source,destination,flits,created,delivered\n");
  refuses("show out/e --step 1", 2, "trace.csv: step 0 names a packet that is not in packets.csv");
  refuses("regress none", 2, "none: no such file or folder");
  refuses("regress out", 2, "out: has no scenario; a scenario is a YAML file with the keys schema and network");
}

// Only the first twenty errors are printed, those of the experiment besides those of its data.
TEST_F(BadInput, AtMostTwentyFaultsOfAFile) {
  std::string wrong;
  for (int entry = 0; entry < 100; ++entry) wrong += "999\n";
  scratch_.write("wrong.txt", wrong);
  scratch_.write("e.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [10, 10]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: file, file: wrong.txt}\n");
  const ProgramRun run = starloom("check e.yaml");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 21) << run.err;
  EXPECT_THAT(run.err, testing::StartsWith("wrong.txt:1:1: "));
  EXPECT_THAT(run.err, testing::HasSubstr("\nwrong.txt:20:1: "));
  EXPECT_THAT(run.err, testing::EndsWith("\nand 80 more\n"));
}

}  // namespace
}  // namespace starloom
