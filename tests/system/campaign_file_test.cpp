// SPDX-License-Identifier: Apache-2.0
// Campaign files that are wrong: status 2 and exactly these texts.
#include "system/campaign_support.hpp"

namespace starloom {
namespace {

class CampaignFile : public CampaignTest {
 protected:
  void refused(const std::string& text, const std::string& message) const {
    scratch_.write("c.yaml", text);
    for (const char* words : {"campaign c.yaml", "campaign c.yaml --dry-run", "report c.yaml"})
      refuses(words, 2, message);
    EXPECT_FALSE(exists("out"));
  }
  /// A campaign with these lines behind schema (line 1), base (2 to 6), runs and keep (7, 8).
  void refused_lines(const std::string& lines, const std::string& message) const {
    refused("schema: 1\n" + std::string(campaign_base) + "runs: 2\nkeep: [steps]\n" + lines, message);
  }
};

TEST_F(CampaignFile, CommandLine) {
  refuses("campaign", 2, "starloom: FILE is required; see starloom campaign --help");
  refuses("campaign none.yaml", 2, "none.yaml: cannot be read: No such file or directory");
  refuses("campaign c.yaml --jobs 0", 2,
          "starloom: --jobs 0: an integer from 1 to 1024 is expected; see starloom campaign --help");
  refuses("campaign c.yaml --shard 4/4", 2, "--shard 4/4: the form is --shard i/n with 0 <= i < n, e.g. --shard 0/4");
  refuses("campaign c.yaml --shrad 0/4", 2, "starloom campaign: unknown option --shrad (did you mean --shard?)");
  refuses("campaign merge --into c", 2, "starloom: STORE is required; see starloom campaign --help");
  refuses("campaign merge a b", 2, "starloom: --into is required; see starloom campaign --help");
  refuses("campaign merge a b --into c --x", 2, "starloom merge: unknown option --x");
  refuses("report", 2, "starloom: FILE is required; see starloom report --help");
}

TEST_F(CampaignFile, Keys) {
  refused("- 1\n",
          "c.yaml:1:1: a campaign is expected, a section with the keys schema, name, base, axes, runs, keep, "
          "not a list");
  refused("schema: 2\nrnus: 3\n",
          "c.yaml:1:1: keep is missing (the metrics to store: paths of result.json, or all)\n"
          "c.yaml:1:1: base is missing (an experiment; or experiment: its file)\n"
          "c.yaml:1:9: schema: 2 is out of range (only 1)\n"
          "c.yaml:2:1: unknown key rnus (did you mean runs?)");
  refused_lines("experiment: e.yaml\n", "c.yaml:9:13: either base or experiment, not both");
  refused_lines("limits: {steps: 3}\n", "c.yaml:9:10: unknown key limits.steps; known: seconds");
  refused_lines("limits: {seconds: 0}\n", "c.yaml:9:19: limits.seconds: 0 is out of range (0.001 to 10^9)");
  refused_lines("runs: 3\n", "c.yaml:9:1: runs is given twice, first at line 7, column 1");
  refused_lines("zip: {seed: [1, 2], runs: [3, 4]}\n",
                "c.yaml:9:21: runs is both a number and a list under zip; keep one of them");
  refused("schema: 1\n" + std::string(campaign_base) + "keep: [steps]\nzip: {seed: [1, 2, 3], runs: [3, 0, few]}\n",
          "c.yaml:8:34: runs: 0 is out of range (1 to 10^9) (point seed=2)\n"
          "c.yaml:8:37: runs: an integer is expected, not \"few\" (point seed=3)");
  refused("schema: 1\nexperiment: none.yaml\nruns: 0\nkeep: [stepz, steps, steps]\n",
          "c.yaml:2:13: experiment: none.yaml: cannot be read: No such file or directory\n"
          "c.yaml:3:7: runs: 0 is out of range (1 to 10^9)\n"
          "c.yaml:4:8: keep: stepz: result.json has no such metric (did you mean steps?)\n"
          "c.yaml:4:22: keep: steps is given twice");
  refused("schema: 1\nbase: {experiment: [e]}\nkeep: []\n",
          "c.yaml:2:20: experiment: a file name is expected, not a list\n"
          "c.yaml:3:7: keep: a list of paths of result.json, or all, is expected, not an empty list");
}

// Errors of keys and networks are reported for all points before any is run, also for offline algorithms.
TEST_F(CampaignFile, RefusalsBeforeThereAreNetworks) {
  refused(
      "schema: 1\n" + std::string(campaign_base) +
          "keep: [steps]\naxes:\n  network.shape: [[1024, 1024], [1000, 1001]]\n"
          "  routing: [{algorithm: multistage, places: 1}, {algorithm: constant-queue}, {algorithm: kunde, s: 3}]\n",
      "c.yaml:10:45: routing.places: places needs scheme: any, because packets on one-bend paths do not wait in nodes "
      "(point network.shape=[1024,1024] routing={\"algorithm\":\"multistage\",\"places\":1}, and 1 more)\n"
      "c.yaml:10:61: routing: constant-queue needs a square mesh (point network.shape=[1000,1001] "
      "routing={\"algorithm\":\"constant-queue\"})\n"
      "c.yaml:10:100: routing.s: 3 does not divide 1000 x 1001 nodes; choose a divisor of 1 (point "
      "network.shape=[1000,1001] "
      "routing={\"algorithm\":\"kunde\",\"s\":3})\n"
      "c.yaml:10:100: routing.s: 3 does not divide 1024 x 1024 nodes; choose a divisor of 1024 (point "
      "network.shape=[1024,1024] "
      "routing={\"algorithm\":\"kunde\",\"s\":3})");
}

// A figure is right if it is one of an algorithm that runs.
TEST_F(CampaignFile, FiguresOfItsAlgorithms) {
  const auto keeping = [](const std::string& metrics, const std::string& more) {
    return "schema: 1\n" + std::string(campaign_base) + "keep: [" + metrics + "]\n" + more;
  };
  refused(keeping("queue.mxa", ""),
          "c.yaml:7:8: keep: queue.mxa: result.json has no such metric (did you mean queue.max?)");
  refused(keeping("steps, algorithm.sort_steps", ""),
          "c.yaml:7:15: keep: algorithm.sort_steps: no algorithm of this campaign has this metric; algorithms with it: "
          "kunde");
  refused(keeping("outcome, queue, storage.places, schedule.unit, saturated", ""),
          "c.yaml:7:8: keep: outcome is a text, not a number; keep: all stores it as well\n"
          "c.yaml:7:17: keep: queue is a section, not a number; numbers in it: queue.max, queue.node, queue.step\n"
          "c.yaml:7:24: keep: storage.places is a list, not a number; its first is storage.places.0\n"
          "c.yaml:7:40: keep: schedule.unit is a text, not a number; keep: all stores it as well");
  refused(
      keeping("algorithm.s, algorithm.sum", "axes: {routing: [{algorithm: greedy}, {algorithm: kunde, s: 2}]}\n"),
      "c.yaml:7:21: keep: algorithm.sum: no algorithm of this campaign has this metric; algorithms with it: data-sum");
  refused("schema: 1\n" + std::string(campaign_base) + "keep: all\nreference: [{figure: stepz, value: 1}]\n",
          "c.yaml:8:22: reference: stepz: result.json has no such metric (did you mean steps?)");
}

// Every error of an experiment, in the base or in an axis, is reported at its location, once.
TEST_F(CampaignFile, Experiments) {
  refused_lines("axes: {network.shpae: [[4, 4], [5, 5]]}\n",
                "c.yaml:9:8: unknown key network.shpae (did you mean network.shape?)");
  refused_lines(
      "axes: {network.shape: [[4, 4], [0, 5]], routing.discipline: [fifo, lifo, fifo]}\n",
      "c.yaml:9:33: network.shape: 0 is out of range (1 to 1073741824) (point network.shape=[0,5] "
      "routing.discipline=\"fifo\", and 2 more)\n"
      "c.yaml:9:68: routing.discipline: unknown discipline lifo (did you mean fifo?); known: furthest-destination, "
      "furthest-origin, fifo (point network.shape=[4,4] routing.discipline=\"lifo\", and 1 more)");
  refused_lines("axes: {network.topology.x: [1]}\n", "c.yaml:9:8: network.topology is \"mesh\", not a section");
  refused_lines("axes: {traffic: [{pattern: bounded}, {pattern: transpose}], network.shape: [[4, 5]]}\n",
                "c.yaml:9:18: traffic.distance is missing (greatest distance of a packet) (point "
                "traffic={\"pattern\":\"bounded\"} network.shape=[4,5])\n"
                "c.yaml:9:48: traffic: transpose exchanges rows and columns and needs a square grid, not the mesh "
                "[4, 5]; make both sides equal, or choose reversal (point traffic={\"pattern\":\"transpose\"} "
                "network.shape=[4,5])");
  refused_lines(
      "axes: {traffic.flits: [1, 2]}\n",
      "c.yaml:9:27: traffic: packets of 2 flits, but greedy moves only packets of one flit (point traffic.flits=2)");
  refused_lines(
      "axes: {network.shape: [[4, 4], [3, 3]], traffic.pattern: [bit-reversal]}\n",
      "c.yaml:9:59: traffic: bit-reversal acts on the bits of node numbers and needs 2^k nodes, but the mesh [3, "
      "3] has 9; choose another shape, or reversal (point network.shape=[3,3] "
      "traffic.pattern=\"bit-reversal\")");
  refused_lines("axes: {seed: [9223372036854775807]}\n",
                "c.yaml:9:15: seed: the seed of the last of 2 runs overflows; choose a smaller seed or fewer runs");
}

// Axes with errors have no points, but all other errors are reported in the same pass.
TEST_F(CampaignFile, AllFaultsInOnePass) {
  const std::string start = "schema: 1\n" + std::string(campaign_base) + "run: 3\nkeep: [step]\n";
  const std::string keys =
      "c.yaml:7:1: unknown key run (did you mean runs?)\n"
      "c.yaml:8:8: keep: step: result.json has no such metric (did you mean steps?)\n";
  refused(start + "axes: {network.shap: [[4, 4]], routing.discipline: [fif]}\n",
          keys +
              "c.yaml:9:8: unknown key network.shap (did you mean network.shape?)\n"
              "c.yaml:9:53: routing.discipline: unknown discipline fif (did you mean fifo?); known: "
              "furthest-destination, furthest-origin, "
              "fifo");
  refused(start + "axes: {network.shap: [[4, 4]], seed: []}\n", keys + "c.yaml:9:32: seed: the axis has no values");
}

TEST_F(CampaignFile, Axes) {
  refused_lines("axes: {seed: []}\n", "c.yaml:9:8: seed: the axis has no values");
  refused_lines("axes: {seed: 3}\n",
                "c.yaml:9:14: seed: a list of values or a range {from, to, step} is expected, not 3");
  refused_lines("axes: [seed]\n", "c.yaml:9:7: axes: a section with a key for each axis is expected, not a list");
  refused_lines("axes: {expect.steps: [3], .a: [1]}\n",
                "c.yaml:9:8: expect.steps cannot be an axis because it does not change the result\n"
                "c.yaml:9:27: .a cannot be an axis because it does not change the result");
  refused_lines("axes: {seed: [1, 2], seed: [3]}\n",
                "c.yaml:9:22: the axis seed is defined twice, first at line 9, column 8");
  refused_lines("axes: {seed: [1, 2, 1]}\n", "c.yaml:9:8: two points are the same experiment: seed=1 and seed=1");
  refused_lines(
      "axes: {seed: {from: 5, to: 1}, limits.quiet: {from: 1, step: 2}, limits.steps: {from: 1, to: 2, "
      "step: 1, factor: 2}, units.clock_ns: {from: 0, to: 2, factor: 2}}\n",
      "c.yaml:9:14: seed: the range is empty: to is below from\n"
      "c.yaml:9:46: limits.quiet: a range needs to\n"
      "c.yaml:9:80: limits.steps: either step or factor, not both\n"
      "c.yaml:9:134: units.clock_ns: factor must be above 1, and from above 0");
  refused_lines("axes: {units.clock_ns: {from: 0.1, to: 0.5}}\n", "c.yaml:9:24: units.clock_ns: a range needs step");
  refused_lines("zip: {seed: [1, 2], limits.quiet: [1]}\n",
                "c.yaml:9:21: zip: limits.quiet has 1 values, seed has 2; the lists of zip must have the same length");
  refused_lines("axes: {seed: {from: 1, to: 2000}, limits.quiet: {from: 1, to: 2000}}\n",
                "c.yaml:9:8: the axes span more than 1000000 points");
  // 2^64 of them.
  std::string many;
  for (const char* key : {"seed", "limits.quiet", "limits.steps", "units.clock_ns", "units.flit_bytes", "traffic.flits",
                          "network.link_latency", "routing.bound"})
    many += std::string(many.empty() ? "" : ", ") + key + ": {from: 1, to: 256}";
  refused_lines("axes: {" + many + "}\n", "c.yaml:9:8: the axes span more than 1000000 points");
}

TEST_F(CampaignFile, References) {
  const std::string axes = "axes: {network.shape: [[4, 4], [6, 6]], routing.discipline: [fifo, furthest-origin]}\n";
  refused_lines(
      axes + "reference: [{at: {network.shape: [5, 5], routing.discipline: fifo}, figure: steps, value: 1}]\n",
      "c.yaml:10:18: reference: at: the axis network.shape has no value [5,5]; it has [4,4], [6,6]");
  refused_lines(axes + "reference: [{at: {network.shape: [4, 4]}, figure: steps, value: 1}]\n",
                "c.yaml:10:18: reference: at: 2 points have these values; add every axis that has more than one value: "
                "routing.discipline");
  refused_lines(axes + "reference: [{at: {network.shap: [4, 4]}, figure: steps, value: 1}]\n",
                "c.yaml:10:19: reference: at: network.shap is not an axis of this campaign (did you mean "
                "network.shape?)");
  refused_lines("reference: [{figure: steps, value: many, tolerance: x}]\n",
                "c.yaml:9:36: reference.value: a number is expected, not \"many\"\n"
                "c.yaml:9:53: reference.tolerance: a number is expected, not \"x\"");
  refused_lines("reference: [{figure: queue.max, valu: 2, tolerance: -1}]\n",
                "c.yaml:9:13: reference.value is missing (reference value for the mean of all runs)\n"
                "c.yaml:9:22: reference: queue.max is not a stored metric (keep): steps\n"
                "c.yaml:9:33: unknown key reference.valu (did you mean reference.value?)\n"
                "c.yaml:9:53: reference.tolerance: -1 is out of range (0 or more)");
  refused_lines("reference: [{figure: steps, value: 1}, {figure: steps, value: 2}]\n",
                "c.yaml:9:40: reference: a second value for steps at the same point, first at line 9");
  refused_lines("reference: 3\n", "c.yaml:9:12: reference: a list of rows is expected, not 3");
}

}  // namespace
}  // namespace starloom
