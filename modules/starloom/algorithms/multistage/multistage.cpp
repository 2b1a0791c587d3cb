// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage/multistage.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/algorithms/multistage/rank_sweep.hpp>
#include <starloom/algorithms/schedule_player/loaded_plan.hpp>
#include <starloom/algorithms/schedule_player/order_keys.hpp>
#include <starloom/algorithms/schedule_player/schedule_player.hpp>
#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

constexpr const char* any_scheme = "any";

/// Theorems 4 and 5 of TR 477 for (partial) permutations by horizontal-first paths. The paper's a x b mesh has a nodes
/// in a row and b in a column, a >= b.
std::map<std::string, double> theory(const Grid& mesh, const OneBendOptions& options,
                                     const std::vector<Packet>& packets) {
  if (options.scheme != PathScheme::horizontal_first || !is_permutation(mesh.nodes(), packets)) return {};
  const double a = mesh.side(1), b = mesh.side(0);
  if (a + b < 3) return {{"steps", 0}};
  if (options.ordering.order == PacketOrder::longest_horizontal && a >= b) return {{"steps", a + 2 * b - 3}};
  return {{"steps", 2 * (a + b) - 4}};
}

std::vector<std::int64_t> residents_of(const KeyValues& keys) {
  return keys.has("places") ? keys.list("places") : std::vector<std::int64_t>{0};
}

/// A plan from a file is checked as a whole.
void refuse_multistage(const Grid& grid, const KeyValues& keys) {
  if (keys.has("plan")) return;
  const bool any = keys.text("scheme") == any_scheme;
  if (any && keys.boolean("stage_limit"))
    throw ConfigError("stage_limit", "it works with schemes PS, HF and VF, not with scheme any");
  if (!any && keys.has("places"))
    throw ConfigError("places", "places needs scheme: any, because packets on one-bend paths do not wait in nodes");
  if (!any && !grid.has_rows_and_columns())
    throw InputError("one-bend paths need a two-dimensional mesh; scheme any works on every grid");
  check_residents(grid, residents_of(keys));
  check_ordering(grid, ordering_of(keys, 0));
}

OneBendOptions one_bend_options(const AlgorithmContext& context, const KeyValues& keys) {
  OneBendOptions options;
  options.ordering = ordering_of(keys, context.seed);
  options.scheme = path_scheme_named(keys.text("scheme"));
  options.stage_limit = keys.boolean("stage_limit");
  return options;
}

SchedulePlayer::Setup one_bend(const AlgorithmContext& context, const KeyValues& keys) {
  const Grid& mesh = context.grid();
  OneBendOptions options = one_bend_options(context, keys);
  SchedulePlayer::Setup setup;
  setup.packets = packets_to_plan(context, "multistage");
  const bool several = several_of_one_source(mesh.nodes(), setup.packets);
  options.one_start_per_stage = several;
  if (several) setup.style = PlayStyle::moving;
  OneBendPlanner planner(mesh, options);
  setup.plan = journeys(mesh, setup.packets, planner.plan(setup.packets));
  if (!several) setup.bounds = theory(mesh, options, setup.packets);
  setup.scheme = options.scheme;
  return setup;
}

SchedulePlayer::Setup any_path(const AlgorithmContext& context, const KeyValues& keys) {
  EarliestArrivalOptions options;
  options.ordering = ordering_of(keys, context.seed);
  options.residents = residents_of(keys);
  SchedulePlayer::Setup setup;
  setup.packets = one_packet_each_to_plan(context, "multistage with scheme any");
  setup.plan = plan_earliest_arrival(context.grid(), setup.packets, options);
  const bool anywhere =
      std::any_of(options.residents.begin(), options.residents.end(), [](auto most) { return most > 0; });
  setup.style = anywhere ? PlayStyle::staying : PlayStyle::moving;
  setup.residents = std::move(options.residents);
  setup.scheme.reset();
  return setup;
}

}  // namespace

AlgorithmEntry multistage_entry() {
  AlgorithmEntry entry;
  entry.name = "multistage";
  entry.meaning = "each packet in turn takes the earliest free path";
  entry.audience = Audience::theory;
  entry.needs = {"mesh", "torus"};
  entry.bounds = {integer_metric("steps", "steps", "Symvonis and Tidswell, TR 477, theorems 4 and 5")
                      .only("a permutation takes horizontal-first paths")};
  const std::string ranks = "the traffic is a range of ranks";
  entry.metrics = {
      integer_metric("above_distance", "", "number of permutations whose plan is longer than their longest distance")
          .only(ranks),
      integer_metric("planned", "", "number of permutations planned").only(ranks),
      integer_metric("worst_gap", "steps", "greatest difference between the length of a plan and the longest distance")
          .only(ranks),
  };
  for (MetricSpec& metric : plan_metrics()) {
    if (metric.only_if.empty()) metric.only_if = "the traffic is not a range of ranks";
    entry.metrics.push_back(std::move(metric));
  }
  entry.storage = StorageModel::never_standing;
  entry.off_line = true;
  entry.message_model = true;
  entry.takes_ranks = true;
  entry.storage_by_key = {{"places", StorageModel::store_and_forward}};
  entry.keys = order_keys("LTD");
  std::vector<std::string> schemes = path_scheme_names();
  schemes.emplace_back(any_scheme);
  entry.keys.insert(
      entry.keys.end(),
      {choice_key("scheme", schemes,
                  "paths tried at each stage: with one bend, horizontal first and then vertical first (PS), only one "
                  "of the two (HF, VF), or any path")
           .by_default(schemes.front()),
       boolean_key("stage_limit",
                   "the limit of the paper: on a x b nodes a packet of distance d starts before stage a + 2b - d, or "
                   "not at all")
           .by_default(false),
       integer_list_key(
           "places", "scheme any: number of packets that may wait in a node, one number or one per node; default: none")
           .or_one()
           .within(0, 1 << 20)
           .measured_in("packets"),
       plan_key()});
  entry.refuse = refuse_grids(refuse_multistage);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const bool any = keys.text("scheme") == any_scheme;
    if (keys.has("plan")) {
      const auto scheme = any ? std::nullopt : std::optional(path_scheme_named(keys.text("scheme")));
      return std::make_unique<SchedulePlayer>(
          load_plan(context, keys.text("plan"), "multistage", scheme, residents_of(keys)));
    }
    refuse_multistage(context.grid(), keys);
    if (context.ranks && !any)
      return std::make_unique<RankSweep>(context.grid(), one_bend_options(context, keys), *context.ranks);
    SchedulePlayer::Setup setup = any ? any_path(context, keys) : one_bend(context, keys);
    setup.topology = &context.grid();
    return std::make_unique<SchedulePlayer>(std::move(setup));
  };
  return entry;
}

}  // namespace starloom::links
