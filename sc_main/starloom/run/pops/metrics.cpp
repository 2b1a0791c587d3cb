// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/pops/metrics.hpp>

#include <fmt/format.h>

#include <starloom/planning/pops/optical_energy.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::pops {
namespace {

OpticalUse use_of(const Algorithm& algorithm, const RunRecord& record) {
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  OpticalUse use;
  use.drives = {number(record.data_drives), number(record.ack_drives)};
  const std::vector<bool> carries_acks = algorithm.ack_slots(record);
  for (std::size_t slot = 0; slot < record.slots.size(); ++slot) {
    const auto of_slot = [&](SlotTally& tally) -> double& { return carries_acks[slot] ? tally.acks : tally.data; };
    of_slot(use.slots) += 1;
    of_slot(use.listens) += number(record.slots[slot].listeners);
    of_slot(use.heard) += number(record.slots[slot].delivered);
  }
  return use;
}

/// Time of the slots of the run, and energy of its transmitters and receivers.
void add_optics(MetricValues& values, const OpticalParts& parts, const Algorithm& algorithm,
                const SimulationResult& run) {
  const OpticalUse use = use_of(algorithm, run.record);
  const std::int32_t group_size = algorithm.pops().group_size();
  values["optics.margin_db"] = number_json(power_margin_db(parts, group_size));
  values["optics.time_ns"] = number_json(time_ns(parts, {use.slots.data, use.slots.acks, 0, 0}));
  double energy_of_run = 0;
  if (parts.transceivers) {
    const OpticalEnergy energy = energy_of(parts, *parts.transceivers, algorithm.pops(), use);
    energy_of_run = energy.total_pj();
    values["optics.launch_dbm"] = number_json(launch_power_dbm(parts, group_size));
    values["optics.parts.laser_pj"] = number_json(energy.laser_pj);
    values["optics.parts.modulators_pj"] = number_json(energy.modulators_pj);
    values["optics.parts.receivers_pj"] = number_json(energy.receivers_pj);
    values["optics.parts.receivers_static_pj"] = number_json(energy.receivers_static_pj);
    values["optics.parts.tuning_pj"] = number_json(energy.tuning_pj);
    values["optics.parts.total_pj"] = number_json(energy_of_run);
  } else {
    energy_of_run = energy_pj(parts, use.drives.data, use.drives.acks);
  }
  const std::int64_t delivered = static_cast<std::int64_t>(run.packets.size()) - run.record.undelivered;
  if (delivered > 0)
    values["optics.energy_pj_per_packet"] = number_json(energy_of_run / static_cast<double>(delivered));
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

std::string optics_summary(const MetricValues& metrics) {
  const auto value = [&metrics](const char* name) {
    const auto found = metrics.find(std::string("optics.") + name);
    return found == metrics.end() ? 0 : found->second.get<double>();
  };
  std::string text = fmt::format("all slots take {} ns", decimal(value("time_ns"), 10));
  const double total = value("parts.total_pj");
  if (total == 0) return text;
  const auto share = [total](double part) { return fmt::format("{:.1f} %", 100 * part / total); };
  text += fmt::format("; {} nJ: lasers {}, modulators {}, receivers {}", decimal(total / 1e3),
                      share(value("parts.laser_pj")), share(value("parts.modulators_pj")),
                      share(value("parts.receivers_pj") + value("parts.receivers_static_pj")));
  if (value("parts.tuning_pj") > 0) text += ", tuning " + share(value("parts.tuning_pj"));
  return text;
}

std::vector<Line> summary_of(const SimulationResult& run) {
  return {{"couplers", fmt::format("driven {} times with data and {} with acknowledgements; one at most {} with data",
                                   run.record.data_drives, run.record.ack_drives, run.record.max_load)}};
}

}  // namespace starloom::pops
