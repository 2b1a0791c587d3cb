// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/pops/prepared_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/analysis/estimate_text.hpp>
#include <starloom/analysis/pops/optics_text.hpp>
#include <starloom/analysis/run_estimate.hpp>
#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/fabric/pops/network.hpp>
#include <starloom/pictures/pops/coupler_film.hpp>
#include <starloom/pictures/pops/couplers_picture.hpp>
#include <starloom/pictures/pops/netlist_picture.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/pops/netlist_json.hpp>
#include <starloom/run/pops/metrics.hpp>
#include <starloom/run/pops/row_text.hpp>
#include <starloom/run/run_setup.hpp>
#include <starloom/run/text_file.hpp>
#include <starloom/run/traffic_setup.hpp>
#include <starloom/simulation/pops/simulation.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/pops/slots_csv.hpp>
#include <starloom/trace_io/pops/trace_writer.hpp>
#include <starloom/traffic/packet_list.hpp>
#include <starloom/waveforms/pops/coupler_waves.hpp>
#include <starloom/waveforms/pops/save_file.hpp>
#include <utility>

namespace starloom::pops {
namespace {

/// Drives with data, [Pops::coupler].
std::vector<std::int64_t> coupler_load(const Engine& engine, const Pops& pops) {
  std::vector<std::int64_t> load(static_cast<std::size_t>(pops.couplers()));
  for (std::int32_t from = 0; from < pops.groups(); ++from)
    for (std::int32_t to = 0; to < pops.groups(); ++to)
      load[static_cast<std::size_t>(pops.coupler(to, from))] = engine.load(engine.coupler(to, from));
  return load;
}

/// The dump of the selected parts.
class ChosenWaves final : public WaveFile {
 public:
  ChosenWaves(const std::filesystem::path& vcd, const Pops& pops, const ShownParts& shown, WaveWindow window,
              StepTimes times)
      : pops_(pops), shown_(shown), waves_(vcd, pops, shown, window, std::move(times)) {}
  WindowedWaves& file() override { return waves_.file(); }
  WaveView view(const std::string& dump, std::uint64_t from_time) override {
    return wave_view(pops_, shown_, dump, from_time, file().times().period());
  }
  SlotObserver& observer() { return waves_; }

 private:
  const Pops& pops_;
  const ShownParts& shown_;
  CouplerWaves waves_;
};

class PopsRun final : public PreparedRun {
 public:
  explicit PopsRun(const Experiment& experiment)
      : experiment_(experiment), pops_(std::get<MakePops>(experiment.topology->make)(experiment.network)) {
    Diagnostics diagnostics;
    check_launch_power(diagnostics);
    require_memory(0, diagnostics);  // before packets and tables take memory
    const TrafficContext context = traffic_context(experiment, processors_of(pops_), true);
    TrafficSetup traffic = set_up_traffic(experiment, context, diagnostics);
    traffic_ = std::move(traffic.traffic);
    make_algorithm(context, diagnostics);
    require_memory(algorithm_->table_bytes(), diagnostics);
  }

  RunFacts facts() const override {
    RunFacts facts;
    facts.network = name_of_network();
    facts.title = title();
    facts.clock = "slot";
    // With optics the length of a slot depends on its messages; acknowledgements are short.
    facts.clock_ns = experiment_.optics ? 0 : experiment_.units.clock_ns;
    facts.nodes = pops_.nodes();
    facts.processors = pops_.nodes();
    facts.phases = traffic_->phases();
    facts.remark = algorithm_->remark();
    facts.most_threads = pops::most_threads(hardware());
    return facts;
  }

  PreflightReport preflight(const std::function<void(const char*)>& /*begins*/) override {
    std::vector<std::string> lines;
    std::string label = "bounds";
    for (const auto& [name, value] : algorithm_->bounds())
      lines.push_back(line_text(std::exchange(label, ""), bound_text(name, value)));
    for (const Line& one : permutation_costs()) lines.push_back(line_text(one.name, one.text));
    const Parts parts = parts_of(pops_);
    lines.push_back(
        line_text("network", fmt::format("{}, {}, {}, {}, {}", name_of_network(), counted(pops_.nodes(), "processor"),
                                         counted(parts.couplers, "coupler"), counted(parts.transmitters, "transmitter"),
                                         counted(parts.receivers, "receiver"))));
    lines.push_back(line_text("routing", experiment_.algorithm->name));
    if (!algorithm_->remark().empty()) lines.push_back(line_text("remark", algorithm_->remark()));
    lines.push_back(
        line_text("traffic", fmt::format("{}: {}", experiment_.pattern->name,
                                         counted(static_cast<std::int64_t>(all_packets(*traffic_).size()), "packet"))));
    const bool hardware = experiment_.model != "message";
    const auto cost = algorithm_->expected_cost();
    lines.push_back(line_text("memory", memory_text(run_bytes(pops_, algorithm_->table_bytes(), hardware))));
    lines.push_back(
        line_text("run time", cost ? fmt::format("{}, an estimate for {:.0f} slots",
                                                 seconds_text(estimated_seconds(pops_, *cost, hardware)), cost->slots())
                                   : "not known before the run"));
    if (experiment_.optics) {
      std::string text = optics_text(*experiment_.optics, pops_);
      text.pop_back();  // the end of its last line
      lines.push_back(std::move(text));
    }
    return {std::move(lines)};
  }

  void choose_waves(const std::vector<std::string>& scope) override { shown_ = choose_instances(pops_, scope); }
  WaveFile& open_waves(const std::filesystem::path& vcd, WaveWindow window) override {
    waves_ = std::make_unique<ChosenWaves>(vcd, pops_, shown_, window, slot_times());
    return *waves_;
  }

  RunReport run(const RunRequest& request) override {
    SimulationSetup setup = hardware();
    set_up_run(setup, experiment_, request);
    if (waves_ != nullptr) setup.observer = &waves_->observer();
    RequestedRows<TraceWriter, TraceSink, TraceRow> rows(request, setup.sinks,
                                                         [this](const TraceRow& row) { return describe(row, pops_); });
    std::string netlist, couplers;
    std::optional<CouplerFilm> film;
    if (!setup.messages) {
      if (request.pictures) setup.observer = &film.emplace(pops_, setup.observer);
      setup.inspect = [&](Network& network) {
        if (request.pictures)
          couplers = couplers_picture(pops_, algorithm_->dead(), film->frames(),
                                      coupler_load(network.fabric.engine(), pops_), title());
        if (request.netlist) netlist = netlist_json(network, pops_);
      };
    }
    SimulationResult result = simulate(setup);
    rows.close();

    RunReport report;
    static_cast<SimulationEnd&>(report) = result;
    report.metrics = metrics_of(*algorithm_, result, experiment_.optics);
    if (!result.schedule || result.schedule->unit != "slot" || result.outcome != Outcome::completed)
      report.timetable.push_back({"schedule", schedule_text(result.schedule)});
    if (result.packets.size() == static_cast<std::size_t>(pops_.nodes()))
      report.timetable.push_back(permutation_costs().front());
    report.lines = summary_of(result);
    if (experiment_.optics) report.lines.push_back({"optics", optics_summary(report.metrics)});
    report.steps_run = static_cast<Step>(result.record.slots.size());
    report.flit_hops = result.record.data_drives;
    if (result.outcome == Outcome::livelock) report.advice = algorithm_->livelock_advice();
    if (result.violation.step != no_step) report.look_at = result.violation.step;
    if (request.netlist) report.files.push_back(text_file("netlist.json", std::move(netlist)));
    report.files.push_back({"slots.csv", [slots = std::move(result.record.slots)](const std::filesystem::path& file) {
                              write_slots(file, slots);
                            }});
    if (!couplers.empty()) report.files.push_back(text_file("couplers.svg", std::move(couplers)));
    report.created = static_cast<std::int64_t>(result.packets.size());
    for (std::size_t p = 0; p < result.packets.size(); ++p)
      report.sums.add(result.packets[p], result.record.delivered[p]);
    if (request.packets) {
      report.packets = std::move(result.packets);
      report.delivered.assign(result.record.delivered.begin(), result.record.delivered.end());
    }
    return report;
  }

  Elaboration elaborate(NetworkText text) override {
    Elaboration elaboration;
    const std::string title = fmt::format("{}, {}", name_of_network(), experiment_.algorithm->name);
    elaboration.leave_by_exit = pops::elaborate(hardware(), [&](Network& network) {
      elaboration.text = text == NetworkText::netlist ? netlist_json(network, pops_)
                                                      : netlist_picture(network, pops_, traffic_->packets(), title);
    });
    return elaboration;
  }

 private:
  /// A slot with acknowledgements has their length.
  StepTimes slot_times() const {
    if (!experiment_.optics) return experiment_.units.clock_ns;
    std::vector<double> cycle_ns;
    for (const bool acks : algorithm_->acks_in_cycle())
      cycle_ns.push_back(acks ? ack_slot_ns(*experiment_.optics) : data_slot_ns(*experiment_.optics));
    return cycle_ns;
  }
  /// Adds an error if `launch_dbm: auto` needs more than lasers have.
  void check_launch_power(Diagnostics& diagnostics) const {
    if (!experiment_.optics || !experiment_.optics->least_launch) return;
    const double launch_dbm = launch_power_dbm(*experiment_.optics, pops_.group_size());
    if (launch_dbm > most_launch_dbm)
      diagnostics.add(experiment_.location("optics.launch_dbm"),
                      fmt::format("optics.launch_dbm: auto needs {:.1f} dBm for a loss of {:.1f} dB, at most {:g} dBm "
                                  "are possible; reduce the "
                                  "losses or the group size",
                                  launch_dbm, path_loss_db(*experiment_.optics, pops_.group_size()), most_launch_dbm));
  }
  /// \throws InputError if the netlist does not fit. `table_bytes`: of the tables that its controllers share.
  void require_memory(double table_bytes, Diagnostics& diagnostics) const {
    if (experiment_.model == "message") return;
    if (const auto large = netlist_error(pops_, table_bytes, available_bytes()))
      add_error(diagnostics, "network", *large);
    diagnostics.raise();
  }
  /// The slots of a permutation on this network for each algorithm: the length of fixed programs, the mean of random
  /// ones (with C = 4 and all couplers in service).
  std::vector<Line> permutation_costs() const {
    std::string random;
    if (const auto cost = direct_cost(pops_)) random += fmt::format("direct about {:.1f}", cost->slots());
    if (const auto cost = randomized_cost(pops_))
      random += fmt::format("{}randomized about {:.1f}", random.empty() ? "" : ", ", cost->slots());
    std::vector<Line> lines = {
        {"permutation",
         fmt::format("slots for any: offline {:.0f}, comparator-sort {:.0f}{}", offline_cost(pops_).slots(),
                     comparator_sort_cost(pops_).slots(), random.empty() ? "" : "; for a random one: " + random)}};
    if (const auto published = published_slots(pops_))
      lines.push_back(
          {"formula B",
           fmt::format("{:.0f} slots, by the published formula (B) of an older deterministic algorithm", *published)});
    return lines;
  }
  std::string name_of_network() const { return fmt::format("POPS({},{})", pops_.group_size(), pops_.groups()); }
  std::string title() const {
    return fmt::format("{} on {}, {}, seed {}", experiment_.algorithm->name, name_of_network(),
                       experiment_.pattern->name, experiment_.seed);
  }
  void add_error(Diagnostics& diagnostics, const std::string& key, const std::string& text) const {
    diagnostics.add(experiment_.location(key), fmt::format("{}: {}", key.substr(0, key.find('.')), text));
  }

  /// Without traffic, if that has errors, only the errors of the rest are found.
  void make_algorithm(const TrafficContext& traffic, Diagnostics& diagnostics) {
    AlgorithmContext context{pops_, experiment_.seed, {}, {}};
    const bool known = traffic_ != nullptr && traffic_->end() && !traffic_->open_loop();
    if (known) {
      if (const auto longer = flits_error(experiment_, traffic, *traffic_, 1))
        add_error(diagnostics, "traffic.flits", *longer);
      context.packets = all_packets(*traffic_);
      // The same packets for the run: generating 2^24 of them again takes longer than routing them.
      traffic_ = std::make_unique<PacketList>(context.packets);
    } else if (traffic_ != nullptr) {
      add_error(diagnostics, "traffic.pattern",
                fmt::format("{} creates packets during the run, but on POPS networks all packets must exist in "
                            "slot 0; use a permutation without rate",
                            experiment_.pattern->name));
    }
    if (experiment_.coupler_faults->any())
      context.dead = dead_couplers(*experiment_.coupler_faults, pops_, experiment_.seed,
                                   experiment_.location("faults.dead_couplers"), diagnostics);
    try {
      algorithm_ = std::get<MakeAlgorithm>(experiment_.algorithm->make)(context, experiment_.routing);
    } catch (const UnservedPackets& found) {
      if (known) add_error(diagnostics, "traffic", found.what());
    } catch (const InputError& found) {
      experiment_.entry_error("routing", "algorithm", found, diagnostics);
    }
    diagnostics.raise();
  }

  SimulationSetup hardware() const {
    SimulationSetup setup;
    setup.algorithm = algorithm_.get();
    const auto& rules = experiment_.algorithm->rules;
    setup.rules = rules ? rules(pops_, experiment_.routing) : couplers_alone();
    set_up(setup, experiment_, traffic_.get());
    return setup;
  }

  const Experiment& experiment_;
  const Pops pops_;
  std::unique_ptr<Traffic> traffic_;
  std::unique_ptr<Algorithm> algorithm_;
  ShownParts shown_;  ///< in waves
  std::unique_ptr<ChosenWaves> waves_;
};

}  // namespace

std::unique_ptr<PreparedRun> prepare(const Experiment& experiment) { return std::make_unique<PopsRun>(experiment); }

}  // namespace starloom::pops
