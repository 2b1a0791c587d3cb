// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage_plus/multistage_plus.hpp>

#include <starloom/algorithms/multistage_plus/multistage_plus_planner.hpp>
#include <starloom/algorithms/schedule_player/loaded_plan.hpp>
#include <starloom/algorithms/schedule_player/order_keys.hpp>
#include <starloom/algorithms/schedule_player/schedule_player.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// A plan from a file is checked as a whole.
void refuse_multistage_plus(const Grid& grid, const KeyValues& keys) {
  if (keys.has("plan")) return;
  if (!grid.has_rows_and_columns()) throw InputError("multistage-plus needs a two-dimensional mesh");
  check_ordering(grid, ordering_of(keys, 0));
}

}  // namespace

AlgorithmEntry multistage_plus_entry() {
  AlgorithmEntry entry;
  entry.name = "multistage-plus";
  entry.meaning = "multistage, then earlier packets give way to shorten the schedule";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.metrics = plan_metrics();
  entry.storage = StorageModel::never_standing;
  entry.off_line = true;
  entry.message_model = true;
  entry.keys = order_keys("LTD");
  entry.keys.push_back(plan_key());
  entry.refuse = refuse_grids(refuse_multistage_plus);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    if (keys.has("plan"))
      return std::make_unique<SchedulePlayer>(
          load_plan(context, keys.text("plan"), "multistage-plus", PathScheme::path_selection));
    refuse_multistage_plus(context.grid(), keys);
    SchedulePlayer::Setup setup;
    setup.topology = &context.grid();
    setup.packets = one_packet_each_to_plan(context, "multistage-plus");
    MultistagePlusPlanner planner(context.grid(), ordering_of(keys, context.seed));
    setup.plan = journeys(context.grid(), setup.packets, planner.plan(setup.packets));
    return std::make_unique<SchedulePlayer>(std::move(setup));
  };
  return entry;
}

}  // namespace starloom::links
