// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/pops/metrics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/support/numbers.hpp>

namespace starloom::pops {
namespace {

/// Time of the slots and energy of the drives of the run; no energy without a packet delivered.
void add_optics(MetricValues& values, const OpticalParts& parts, const Algorithm& algorithm,
                const SimulationResult& run) {
  const RunRecord& record = run.record;
  const std::vector<bool> carries_acks = algorithm.ack_slots(record);
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  const double acks = number(std::count(carries_acks.begin(), carries_acks.end(), true));
  const auto slots = static_cast<double>(record.slots.size());
  values["optics.margin_db"] = number_json(power_margin_db(parts, algorithm.pops().group_size()));
  values["optics.time_ns"] = number_json(time_ns(parts, {slots - acks, acks, 0, 0}));
  const std::int64_t delivered = static_cast<std::int64_t>(run.packets.size()) - record.undelivered;
  if (delivered > 0)
    values["optics.energy_pj_per_packet"] =
        number_json(energy_pj(parts, number(record.data_drives), number(record.ack_drives)) / number(delivered));
}

}  // namespace

MetricValues metrics_of(const Algorithm& algorithm, const SimulationResult& run,
                        const std::optional<OpticalParts>& optics) {
  MetricValues values;
  add_schedule(values, run.schedule);
  values["links.flit_hops"] = run.record.data_drives;
  values["links.control_hops"] = run.record.ack_drives;
  values["links.max_load"] = run.record.max_load;
  add_metrics(values, "bounds", algorithm.bounds());
  add_metrics(values, "algorithm", run.metrics);
  if (optics) add_optics(values, *optics, algorithm, run);
  return values;
}

std::string schedule_text(const std::optional<Schedule>& schedule) {
  if (!schedule) return "none: the schedule was not completed";
  if (schedule->unit == "slot") return counted(schedule->units, schedule->unit);
  return fmt::format("{}, {} in total", counted(schedule->units, schedule->unit), counted(schedule->steps, "slot"));
}

std::vector<Line> summary_of(const SimulationResult& run) {
  return {{"couplers", fmt::format("driven {} times with data and {} with acknowledgements; one at most {} with data",
                                   run.record.data_drives, run.record.ack_drives, run.record.max_load)}};
}

}  // namespace starloom::pops
