#include <starloom/kinds/pops/figures.hpp>

#include <fmt/format.h>

#include <starloom/results/figures_json.hpp>
#include <starloom/results/lines.hpp>

namespace starloom::pops {
namespace {

using Json = nlohmann::ordered_json;

/// Time of the slots and energy of the drives that there were; energy null without a packet delivered.
Json optics_json(const OpticalParts& parts, const Algorithm& algorithm, const SimulationResult& run) {
  const RunRecord& record = run.record;
  const auto slots = static_cast<double>(record.slots.size()), acks = static_cast<double>(algorithm.ack_slots(record));
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  Json json = {{"margin_db", number_json(power_margin_db(parts, algorithm.pops().group_size()))},
               {"time_ns", number_json(time_ns(parts, {slots - acks, acks, 0, 0}))},
               {"energy_pj_per_packet", nullptr}};
  const std::int64_t delivered = static_cast<std::int64_t>(run.packets.size()) - record.undelivered;
  if (delivered > 0)
    json["energy_pj_per_packet"] =
        number_json(energy_pj(parts, number(record.data_drives), number(record.ack_drives)) / number(delivered));
  return json;
}

}  // namespace

nlohmann::ordered_json figures_of(const Algorithm& algorithm, const SimulationResult& run,
                                  const std::optional<OpticalParts>& optics) {
  Json json;
  json["schedule"] = schedule_json(run.schedule);
  json["links"] = {{"flit_hops", run.record.data_drives},
                   {"control_hops", run.record.ack_drives},
                   {"max_load", run.record.max_load}};
  json["bounds"] = figures_json(algorithm.bounds());
  json["algorithm"] = figures_json(run.figures);
  if (optics) json["optics"] = optics_json(*optics, algorithm, run);
  return json;
}

std::string schedule_text(const std::optional<Schedule>& schedule) {
  if (!schedule) return "none: the program did not come to its end";
  if (schedule->unit == "slot") return counted(schedule->units, schedule->unit);
  return fmt::format("{}, {} in all", counted(schedule->units, schedule->unit), counted(schedule->steps, "slot"));
}

std::vector<Line> summary_of(const SimulationResult& run) {
  return {{"couplers", fmt::format("driven {} times with data and {} with acknowledgements; one at most {} with data",
                                   run.record.data_drives, run.record.ack_drives, run.record.max_load)}};
}

}  // namespace starloom::pops
