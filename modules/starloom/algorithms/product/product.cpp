// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/product/product.hpp>

#include <starloom/algorithms/product/product_planner.hpp>
#include <starloom/algorithms/schedule_player/loaded_plan.hpp>
#include <starloom/algorithms/schedule_player/schedule_player.hpp>

namespace starloom::links {

AlgorithmEntry product_entry() {
  AlgorithmEntry entry;
  entry.name = "product";
  entry.meaning = "edge colouring: three phases, along one side, the other, the first";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.storage = StorageModel::store_and_forward;
  entry.bounds = {
      integer_metric("steps", "steps", "duration of the three phases").only("the plan is not read from a file")};
  entry.metrics = plan_metrics();
  entry.off_line = true;
  entry.message_model = true;
  entry.keys = {plan_key()};
  entry.refuse = refuse_grids([](const Grid& grid, const KeyValues& keys) {
    if (!keys.has("plan")) check_product_mesh(grid);
  });
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const std::vector<std::int64_t> residents = {1};  // between phases
    if (keys.has("plan"))
      return std::make_unique<SchedulePlayer>(
          load_plan(context, keys.text("plan"), "product", std::nullopt, residents));
    SchedulePlayer::Setup setup;
    setup.topology = &context.grid();
    setup.packets = one_packet_each_to_plan(context, "product");
    setup.plan = plan_product(context.grid(), setup.packets);
    setup.style = PlayStyle::staying;
    setup.residents = residents;
    setup.scheme.reset();
    setup.bounds = {{"steps", static_cast<double>(product_bound(context.grid()))}};
    return std::make_unique<SchedulePlayer>(std::move(setup));
  };
  return entry;
}

}  // namespace starloom::links
