// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/sliding_diagonals.hpp>

#include <limits>

#include <starloom/algorithms/links/least_steps.hpp>
#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/algorithms/sliding_diagonals/controller.hpp>
#include <starloom/algorithms/sliding_diagonals/presets.hpp>
#include <starloom/algorithms/sliding_diagonals/run_audit.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

const std::vector<std::string> preset_names = {"published", "tuned"};
const std::vector<std::string> hold_level_names = {"A", "B"};
const std::vector<std::string> intermediate_names = {"auto", "on", "off"};
const std::vector<std::string> diagonal_event_names = {"none",    "entered",  "straight", "turned", "turned_late",
                                                       "refused", "admitted", "parked",   "failed"};

/// Metrics of a whole run, from the counts of its nodes.
class DiagonalControllers final : public ControllerArray {
 public:
  DiagonalControllers(const DiagonalProgram& program, const Grid& torus, double least)
      : controllers_(static_cast<std::size_t>(torus.nodes()), SlidingDiagonalsController(program, torus)),
        timetable_(program.timetable),
        least_(least) {}

  Controller& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }

  std::map<std::string, double> metrics() const override {
    DiagonalTally sum;
    for (const SlidingDiagonalsController& controller : controllers_) {
      const DiagonalTally& tally = controller.tally();
      sum.pass_1 += tally.pass_1;
      sum.phase_2 += tally.phase_2;
      sum.overflow += tally.overflow;
      sum.no_position += tally.no_position;
      sum.stored += tally.stored;
      sum.fullest = std::max(sum.fullest, tally.fullest);
    }
    const auto steps = static_cast<double>(schedule()->steps);
    std::map<std::string, double> metrics = {
        {"failures.pass_1", sum.pass_1},
        {"failures.phase_2", sum.phase_2},
        {"failures.overflow", sum.overflow},
        {"failures.no_place", sum.no_position},
        {"stored", sum.stored},
        {"clean_up_batches", static_cast<double>(progress().clean_up_batches)},
        {"fullest_reservoir", sum.fullest},
        {"steps_per_flit_and_side", steps / (timetable_.flits() * timetable_.n())}};
    if (least_ > 0) metrics["times_least"] = steps / least_;
    return metrics;
  }

  std::optional<Schedule> schedule() const override {
    const DiagonalProgress& p = progress();
    return Schedule{p.pass_begins + timetable_.pass_steps(p.pass_batches), "batch", p.batches,
                    timetable_.stage_steps()};
  }

 private:
  /// All nodes agree; only the nodes that the last pass used know it.
  const DiagonalProgress& progress() const {
    const auto later = [](const SlidingDiagonalsController& a, const SlidingDiagonalsController& b) {
      return a.progress().pass_begins < b.progress().pass_begins;
    };
    return std::max_element(controllers_.begin(), controllers_.end(), later)->progress();
  }

  std::vector<SlidingDiagonalsController> controllers_;
  const DiagonalTimetable& timetable_;
  double least_;
};

class SlidingDiagonals final : public Algorithm {
 public:
  SlidingDiagonals(const Grid& torus, DiagonalProgram program, const std::vector<Packet>& packets)
      : Algorithm(declare(torus, program)),
        torus_(torus),
        program_(std::move(program)),
        least_(least_steps(torus, packets)) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return std::make_unique<DiagonalControllers>(program_, torus_, least_);
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    return {{"least_steps", least_}};
  }
  /// The constants of the run, as keys or preset chose them.
  std::map<std::string, double> metrics() const override {
    const DiagonalConstants& c = program_.timetable.constants();
    return {{"a", c.a},        {"b", c.b},
            {"w0", c.width},   {"w", program_.timetable.width()},
            {"F", c.forward},  {"R", c.rounds},
            {"g", c.thinning}, {"expected_failures", expected_failures(program_.timetable).all()}};
  }

 private:
  static Declaration declare(const Grid& torus, const DiagonalProgram& program) {
    Declaration d;
    d.storage = StorageModel::links_only;
    d.reverse_wire = true;
    d.most_flits = program.timetable.flits();
    d.program_end = last_step(torus, program) + 1;
    d.state = {{"event", 4, diagonal_event_names},
               {"admitted", 16, {}},
               {"pass_1", 16, {}},
               {"phase_2", 16, {}},
               {"overflow", 16, {}},
               {"no_place", 16, {}},
               {"lodgers", 16, {}}};
    return d;
  }
  /// Upper limit of the run: every clean-up pass moves all worms of the network, all of them in one ring.
  static Step last_step(const Grid& torus, const DiagonalProgram& program) {
    const DiagonalTimetable& t = program.timetable;
    const std::int64_t longest = t.pass_steps(t.batches(torus.nodes(), true)) + t.dimensions() * std::int64_t{t.n()};
    if (longest > std::numeric_limits<std::int32_t>::max())
      throw InputError("sliding-diagonals: a pass over all worms might take " + std::to_string(longest) +
                       " steps, which overflows the step counter");
    return longest * 2 * (program.clean_ups + 1);
  }

  const Grid& torus_;
  DiagonalProgram program_;
  double least_;
};

std::optional<std::int32_t> fixed_value(const KeyValues& keys, const std::string& name) {
  if (!keys.has(name)) return std::nullopt;
  return static_cast<std::int32_t>(keys.integer(name));
}

std::vector<KeySpec> sliding_diagonals_keys() {
  const auto count = [](const char* name, double most, const char* unit, const char* meaning) {
    return integer_key(name, meaning).within(1, most).measured_in(unit);
  };
  return {
      choice_key("preset", preset_names,
                 "choice of the constants that are not set, from side, dimensions and flits, so that few failures are "
                 "expected: published (F, R and g of the paper) or tuned (the shortest that suffice)")
          .by_default(preset_names.front()),
      count("a", 1 << 15, "", "worms may enter a diagonal in every a-th row; default: by the preset"),
      count("b", 1 << 15, "", "distance between diagonals, in worm lengths; default: by the preset"),
      count("w0", 1 << 15, "columns", "least width of a block of columns; default: by the preset"),
      count("F", 30000, "steps", "length of a round in which worms try to turn; default: by the preset"),
      count("R", 10000, "rounds", "number of rounds of a stage; default: by the preset"),
      count("g", 1000, "",
            "from three dimensions on: number of batches, divided by the number that a ring needs; default: by the "
            "preset"),
      choice_key("level", hold_level_names,
                 "restart of parked worms: by a hold wire along the worm (A), or by registers only, after n + flits "
                 "steps in every stage from three dimensions on (B)")
          .by_default(hold_level_names.front()),
      choice_key("intermediate", intermediate_names,
                 "true: every worm goes to a random node first; auto: true if no two worms have the same destination")
          .by_default(intermediate_names.front())};
}

std::vector<MetricSpec> sliding_diagonals_metrics() {
  const auto chosen = [](const char* name, const char* meaning) {
    return integer_metric(name, "", std::string(meaning) + ", as chosen");
  };
  return {
      chosen("F", "length of a round in which worms try to turn"),
      chosen("R", "number of rounds of a stage"),
      chosen("a", "worms may enter a diagonal in every a-th row"),
      chosen("b", "distance between diagonals, in worm lengths"),
      number_metric("expected_failures", "", "expected number of failures of a stage, by the estimates of the presets"),
      chosen("g", "number of batches, divided by the number that a ring needs"),
      integer_metric("w", "columns", "width of a block"),
      integer_metric("w0", "columns", "least width of a block, as chosen"),
      integer_metric("clean_up_batches", "batches", "number of batches after the schedule, for stored worms"),
      metric_section("failures", "number of events in which a worm left its schedule, by kind"),
      integer_metric("failures.no_place", "", "no slot was free within n steps: the worm was stored where it waited"),
      integer_metric("failures.overflow", "", "its reservoir was full: the worm was stored at the top"),
      integer_metric("failures.pass_1", "", "the worm turned outside its block, and went on"),
      integer_metric("failures.phase_2", "",
                     "the worm was still in the rows at the end of a stage, and was stored there"),
      integer_metric("fullest_reservoir", "", "greatest number of worms in a reservoir"),
      number_metric("steps_per_flit_and_side", "steps", "duration of the schedule, divided by flits and side"),
      integer_metric("stored", "", "number of worms that were stored at least once"),
      number_metric("times_least", "", "duration of the schedule, divided by `bounds.least_steps`")
          .only("`bounds.least_steps` is above 0"),
  };
}

std::unique_ptr<Algorithm> make_sliding_diagonals(const AlgorithmContext& context, const KeyValues& keys) {
  const Grid& torus = context.grid();
  const std::vector<Packet>& packets = known_packets(context, "sliding-diagonals");
  check_equal_sides(torus, "sliding-diagonals");
  check_one_packet_each(torus, packets, "sliding-diagonals moves");
  FixedConstants fixed;
  fixed.a = fixed_value(keys, "a");
  fixed.b = fixed_value(keys, "b");
  fixed.width = fixed_value(keys, "w0");
  fixed.forward = fixed_value(keys, "F");
  fixed.rounds = fixed_value(keys, "R");
  fixed.thinning = fixed_value(keys, "g");
  const std::string& intermediate = keys.text("intermediate");
  const bool on = intermediate == "on" || (intermediate == "auto" && is_permutation(torus.nodes(), packets));
  const DiagonalConstants constants = choose_constants(
      torus.side(0), torus.dimensions(), flits_of_each(packets, "sliding-diagonals moves"), keys.text("level") == "B",
      keys.text("preset") == "tuned" ? DiagonalPreset::tuned : DiagonalPreset::published, fixed);
  return std::make_unique<SlidingDiagonals>(torus, DiagonalProgram{DiagonalTimetable(constants), on}, packets);
}

}  // namespace

AlgorithmEntry sliding_diagonals_entry() {
  AlgorithmEntry entry;
  entry.name = "sliding-diagonals";
  entry.meaning = "worms on sliding diagonals, all by one fixed schedule";
  entry.audience = Audience::theory;
  entry.needs = {"torus"};
  entry.storage = StorageModel::links_only;
  entry.in_lockstep = true;
  entry.keys = sliding_diagonals_keys();
  entry.bounds = {least_steps_bound()};
  entry.metrics = sliding_diagonals_metrics();
  entry.refuse = refuse_grids([](const Grid& grid, const KeyValues&) { check_equal_sides(grid, "sliding-diagonals"); });
  // Worms go to random nodes first, and a run ends by itself.
  entry.quiet = [](const NetworkKeys&) -> std::int64_t { return std::numeric_limits<std::int32_t>::max(); };
  entry.audit = make_diagonal_audit;
  entry.make = make_sliding_diagonals;
  return entry;
}

}  // namespace starloom::links
