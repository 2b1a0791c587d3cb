// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/offline_worms/offline_worms.hpp>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/algorithms/offline_worms/offline_worms_planner.hpp>
#include <starloom/algorithms/schedule_player/loaded_plan.hpp>
#include <starloom/algorithms/schedule_player/order_keys.hpp>
#include <starloom/algorithms/schedule_player/schedule_player.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

std::int32_t common_length(const std::vector<Packet>& packets) {
  for (std::size_t p = 1; p < packets.size(); ++p)
    if (packets[p].flits != packets[0].flits)
      throw InputError("packet " + std::to_string(p) + " has " + std::to_string(packets[p].flits) +
                       " flits, packet 0 " + std::to_string(packets[0].flits) +
                       "; offline-worms plans for worms of one length");
  return packets.empty() ? 1 : packets[0].flits;
}

/// Theorem 1, for a permutation in any order.
std::map<std::string, double> theory(const Grid& mesh, const std::vector<Packet>& packets, std::int32_t flits) {
  if (!is_permutation(mesh.nodes(), packets)) return {};
  return {{"steps", static_cast<double>(offline_worms_bound(mesh, flits))}};
}

/// A plan from a file is checked as a whole.
void refuse_offline_worms(const Grid& grid, const KeyValues& keys) {
  if (!keys.has("plan") && !grid.has_rows_and_columns()) throw InputError("offline-worms needs a two-dimensional mesh");
}

}  // namespace

AlgorithmEntry offline_worms_entry() {
  AlgorithmEntry entry;
  entry.name = "offline-worms";
  entry.meaning = "each worm in turn takes the earliest free row-column path";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.bounds = {integer_metric("steps", "steps", "Roberts and Symvonis, TR 490, theorem 1")
                      .only("the packets are a permutation")};
  entry.metrics = plan_metrics();
  entry.storage = StorageModel::never_standing;
  entry.off_line = true;
  entry.message_model = true;
  for (KeySpec& key : order_keys("LLH"))
    if (key.name != "lexicographic") entry.keys.push_back(std::move(key));
  entry.keys.push_back(plan_key());
  entry.refuse = refuse_grids(refuse_offline_worms);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    if (keys.has("plan"))
      return std::make_unique<SchedulePlayer>(
          load_plan(context, keys.text("plan"), "offline-worms", PathScheme::horizontal_first));
    refuse_offline_worms(context.grid(), keys);
    Ordering ordering = ordering_of(keys, context.seed);
    // The paper sorts on the pair of distances.
    ordering.lexicographic = by_one_distance(ordering.order);
    SchedulePlayer::Setup setup;
    setup.topology = &context.grid();
    setup.packets = one_packet_each_to_plan(context, "offline-worms");
    const std::int32_t flits = common_length(setup.packets);
    OneBendPlanner planner = offline_worms_planner(context.grid(), ordering, flits);
    setup.plan = journeys(context.grid(), setup.packets, planner.plan(setup.packets), flits);
    setup.bounds = theory(context.grid(), setup.packets, flits);
    setup.scheme = PathScheme::horizontal_first;
    return std::make_unique<SchedulePlayer>(std::move(setup));
  };
  return entry;
}

}  // namespace starloom::links
