// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/prepared_run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/core/links/flit_contents.hpp>
#include <starloom/energy/report.hpp>
#include <starloom/energy/toggle_tally.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/pictures/links/links_picture.hpp>
#include <starloom/pictures/links/netlist_picture.hpp>
#include <starloom/pictures/links/power_picture.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/links/buffers_csv.hpp>
#include <starloom/results/links/link_use.hpp>
#include <starloom/results/links/netlist_json.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/run/links/collective_results.hpp>
#include <starloom/run/links/energy_results.hpp>
#include <starloom/run/links/falsified_plan.hpp>
#include <starloom/run/links/fault_report.hpp>
#include <starloom/run/links/fault_results.hpp>
#include <starloom/run/links/fault_search.hpp>
#include <starloom/run/links/fault_setup.hpp>
#include <starloom/run/links/flow_results.hpp>
#include <starloom/run/links/metrics.hpp>
#include <starloom/run/links/needed_paths.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/run/links/planned_run.hpp>
#include <starloom/run/links/preflight.hpp>
#include <starloom/run/links/row_text.hpp>
#include <starloom/run/links/task_demand.hpp>
#include <starloom/run/links/task_rows.hpp>
#include <starloom/run/links/transaction_results.hpp>
#include <starloom/run/links/workload_results.hpp>
#include <starloom/run/run_setup.hpp>
#include <starloom/run/text_file.hpp>
#include <starloom/run/traffic_setup.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/simulation/kernel.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/topology/folded_clos.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/trace_io/links/credits_csv.hpp>
#include <starloom/trace_io/links/network_json.hpp>
#include <starloom/trace_io/links/trace_writer.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include <starloom/waveforms/links/save_file.hpp>
#include <utility>

namespace starloom::links {
namespace {

/// The dump of the selected instances.
class ChosenWaves final : public WaveFile {
 public:
  ChosenWaves(const std::filesystem::path& vcd, const NetworkGraph& graph, const Declaration& declaration,
              const std::vector<ShownNode>& shown, WaveWindow window, double clock_ns,
              const OptionalVariables& optional)
      : graph_(graph),
        declaration_(declaration),
        shown_(shown),
        optional_(optional),
        waves_(vcd, graph, declaration, shown, window, clock_ns, optional) {}
  WindowedWaves& file() override { return waves_.file(); }
  WaveView view(const std::string& dump, std::uint64_t from_time) override {
    return wave_view(graph_, declaration_, shown_, dump, from_time, file().times().period(), optional_);
  }
  LinkWaves& waves() { return waves_; }

 private:
  const NetworkGraph& graph_;
  const Declaration& declaration_;
  const std::vector<ShownNode>& shown_;
  const OptionalVariables optional_;
  LinkWaves waves_;
};

/// A reader of the folder recreates the networks of Starloom from their keys, unless they came from a file.
bool is_unknown_to_verify(const TopologyEntry& topology) {
  const std::vector<TopologyEntry> known = topology_table();
  return std::none_of(known.begin(), known.end(),
                      [&](const TopologyEntry& entry) { return entry.name == topology.name; }) ||
         std::any_of(topology.keys.begin(), topology.keys.end(),
                     [](const KeySpec& key) { return key.type == KeyType::file; });
}

/// Makes an entry of an experiment; errors get the location of the key `selector` of its section.
template <class Make>
auto made(const Experiment& experiment, const char* section, const char* selector, const Make& make) {
  try {
    return make();
  } catch (const DataFileError&) {
    throw;  // it contains its locations
  } catch (const InputError& error) {
    Diagnostics diagnostics;
    experiment.entry_error(section, selector, error, diagnostics);
    diagnostics.raise();
    throw;
  }
}

/// One subnet.
LinkNetwork network_of(const Experiment& experiment) {
  LinkNetwork network =
      with_link_changes(make_link_network(*experiment.topology, experiment.network), experiment.link_changes);
  router::require_nodes(network.graph, experiment.regions);
  return router::with_clocks_of_regions(std::move(network), experiment.regions, experiment.clocks);
}

class LinkRun final : public PreparedRun {
 public:
  explicit LinkRun(const Experiment& experiment)
      : experiment_(experiment),
        network_(made(experiment, "network", "topology", [&] { return network_of(experiment); })),
        hardware_(made(experiment, "network", "subnets", [&] { return with_subnets(network_, experiment.subnets()); })),
        graph_(hardware_.graph) {
    Diagnostics diagnostics;
    faults_ = faults_of(experiment, network_.graph, diagnostics);
    errors_ = errors_of(experiment, network_.graph, diagnostics);
    diagnostics.raise();
    const TrafficContext context = traffic_context(experiment, processors_of(network_), false);
    TrafficSetup traffic = set_up_traffic(experiment, context, diagnostics);
    traffic_ = std::move(traffic.traffic);
    if (traffic_ != nullptr) require_time(diagnostics);
    plan_transactions(diagnostics);
    make_algorithm(context, traffic.known, diagnostics);
    diagnostics.raise();
    require_paths(diagnostics);
    if (experiment.energy) energy_ = energy_hardware(experiment, graph_, algorithm_->declaration(), diagnostics);
    diagnostics.raise();
  }

  RunFacts facts() const override {
    RunFacts facts;
    facts.network = hardware_.title;
    facts.title = title();
    facts.clock = "step";
    facts.clock_ns = experiment_.units.clock_ns;
    facts.nodes = graph_.nodes();
    facts.processors = graph_.processors();
    facts.classes = algorithm_->declaration().classes.size();
    if (traffic_ != nullptr) facts.groups = traffic_->groups();
    facts.subnets = graph_.subnets();
    const bool reckoned = experiment_.tlm && experiment_.tlm->view != transaction_view_names[2];
    if (experiment_.model != "message" && !reckoned) facts.most_threads = graph_.nodes();
    facts.phases = traffic_->phases();
    facts.remark = algorithm_->remark();
    if (faults_)
      facts.search_faults = [this](const FaultSets& sets) {
        const std::optional<std::uint64_t> seed = experiment_.link_faults->keys.seed;
        return search_faults(faults_->start(), sets, seed.value_or(experiment_.seed), [this](const Faults& faults) {
          return made(experiment_, "routing", "algorithm", [&] { return make_with_(&faults); });
        });
      };
    if (algorithm_->plan() != nullptr && !traffic_->ranks()) {
      facts.plan = [this](const PlanRequest& request) {
        return planned_run(*network_.as<Grid>(), all_packets(*traffic_).list(), *algorithm_, request);
      };
      facts.falsify = [this](std::optional<double> seconds) {
        return falsified_plan(*network_.as<Grid>(), experiment_, seconds);
      };
    }
    return facts;
  }

  PreflightReport preflight(const std::function<void(const char*)>& begins) override {
    PreflightReport report = preflight_of_run(begins);
    if (energy_) report.facts.update(silicon_facts(*energy_));
    if (!unreachable_) return report;
    begins("what the faults leave");
    const FaultReport faults = fault_report(*unreachable_, *algorithm_, *make_with_(nullptr));
    report.lines.insert(report.lines.begin(), faults.lines.begin(), faults.lines.end());
    report.facts.update(faults.facts);
    if (faults.may_deadlock) report.concerns.emplace_back("can deadlock after a change of routing functions");
    if (faults.unreachable > 0) report.concerns.push_back(counted(faults.unreachable, "pair") + " unreachable");
    return report;
  }

  std::optional<double> full_load() const override {
    return traffic_->phases() && traffic_->closed_loop() == nullptr
               ? links::full_load(experiment_, network_, *algorithm_, *traffic_)
               : std::nullopt;
  }

  std::optional<double> greatest_load() const override {
    const std::vector<PacketStream> streams = traffic_->streams();
    if (streams.size() != 1 || !experiment_.classes.empty()) return std::nullopt;
    const std::vector<double> rates = rates_of_sources(graph_, streams.front());
    const double greatest = *std::max_element(rates.begin(), rates.end());
    return greatest > 0 ? std::optional(experiment_.traffic.number(experiment_.pattern->load_key) / greatest)
                        : std::nullopt;
  }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> warnings;
    if (energy_) warnings = energy_warnings(*experiment_.energy->table, *energy_);
    if (traffic_->tasks() == nullptr) return warnings;
    const TaskDemand demand = demand_of_tasks(network_.graph, *algorithm_, *traffic_->tasks());
    warnings.insert(warnings.end(), demand.warnings.begin(), demand.warnings.end());
    if (!demand.warnings.empty()) warnings.emplace_back(TaskDemand::advice);
    return warnings;
  }

  void choose_waves(const std::vector<std::string>& scope) override {
    shown_ = choose_instances(graph_, algorithm_->declaration(), scope);
  }
  WaveFile& open_waves(const std::filesystem::path& vcd, WaveWindow window) override {
    OptionalVariables optional;
    if (faults_) optional.faults = &faults_->start();
    optional.repeats = errors_ && repeats_flits(&*errors_);
    optional.power = experiment_.energy && experiment_.energy->window > 0;
    waves_ = std::make_unique<ChosenWaves>(vcd, graph_, algorithm_->declaration(), shown_, window,
                                           experiment_.units.clock_ns, optional);
    return *waves_;
  }

  RunReport run(const RunRequest& request) override {
    SimulationSetup setup = hardware();
    set_up_run(setup, experiment_, request);
    setup.list_packets = request.packets;
    setup.wake_all = request.wake_all;
    if (waves_ != nullptr) setup.observer = &waves_->waves();
    const bool channels = algorithm_->declaration().storage == StorageModel::virtual_channels;
    RequestedRows<TraceWriter, TraceSink, TraceRow> rows(
        request, setup.sinks, [this](const TraceRow& row) { return describe(row, graph_); }, channels,
        SubnetRows(graph_));
    std::optional<TraceFile<CreditsWriter, CreditSink, CreditRow>> credits;
    if (channels && request.trace)
      setup.credit_sinks.push_back(
          &credits.emplace(request.folder / "credits.csv", *request.trace, request.stop, SubnetRows(graph_)));
    std::optional<energy::Windows> windows;
    std::optional<energy::BusySteps> busy;
    std::optional<FlitContents> contents;
    std::optional<energy::ToggleTally> toggles;
    std::optional<MeasuredEvents> events;
    if (energy_) {
      if (experiment_.energy->gates_idle) setup.sinks.push_back(&busy.emplace(graph_, faults_.has_value()));
      if (experiment_.energy->conditions.counts_toggles) {
        setup.contents = &contents.emplace(static_cast<std::size_t>(experiment_.units.flit_bytes));
        setup.sinks.push_back(&toggles.emplace(graph_, *contents));
      }
      windows.emplace(*energy_, experiment_.units.clock_ns);
      setup.events = &events.emplace(traffic_->phases(), busy ? &*busy : nullptr, experiment_.energy->window,
                                     [&](Step from, const EventCounts& counts, Step steps) {
                                       add_window(*windows, from,
                                                  energy::events_of(graph_, algorithm_->declaration(), counts, steps));
                                     });
    }
    std::optional<TaskRows> task_rows;
    if (const PlacedTasks* tasks = traffic_->tasks())
      setup.sinks.push_back(&task_rows.emplace(graph_, *tasks, all_packets(*traffic_).list()));
    std::string netlist;
    if (request.netlist) setup.inspect = [&](Network& network) { netlist = netlist_json(network, graph_); };
    // Routing functions are made in a run whose hardware dies at random.
    SimulationResult result = made(experiment_, "routing", "algorithm", [&] { return simulate(setup); });
    rows.close();
    if (credits) credits->close();
    if (waves_ != nullptr) waves_->waves().finish_power(result.record.steps_run);

    RunReport report;
    static_cast<SimulationEnd&>(report) = result;
    report.metrics = metrics_of(graph_, *algorithm_, result, traffic_->phases());
    report.lines = summary_of(graph_, *algorithm_, result);
    if (faults_) faults_->extend(result.record.steps_run - 1);
    if (unreachable_) add_faults(report, *unreachable_, errors_ ? &*errors_ : nullptr, *algorithm_, result);
    const LinkUse links = link_use_of(result);
    std::optional<energy::Events> use;
    if (events) {
      use = energy::events_of(graph_, algorithm_->declaration(), events->events(), links.steps);
      if (toggles) use->toggles = toggles->toggles();
      add_energy(report, experiment_, graph_, algorithm_->declaration(), *energy_, *use, events->events().requests,
                 *windows, result);
    }
    Captions captions = node_captions();
    if (faults_) add_dead_hardware(captions, faults_->start(), faults_->events(), result.record.steps_run - 1);
    if (result.messages) {
      if (const auto ideal = traffic_->ideal_workload())
        report.metrics["bounds.critical_path"] = ideal_run_of(network_.graph, *algorithm_, *ideal).critical_path;
      if (traffic_->closed_loop() != nullptr)
        add_closed_loop(report, *result.messages, traffic_->phases(), result.measured);
      OperationLog operations = std::exchange(result.messages->operations, {});
      const Step end = result.outcome == Outcome::completed ? result.messages->end : result.record.steps_run;
      captions.link =
          add_messages(report, std::move(*result.messages), *traffic_, network_.graph, *algorithm_, setup.list_packets);
      if (graph_.subnets() > 1) captions.link.clear();  // the packets of a flow may be in several
      if (const Program* program = traffic_->program()) {
        if (request.pictures)
          report.files.push_back(
              text_file("collectives.svg", picture_of_operations(operations, *program, end, title())));
        add_collectives(report, std::move(operations), *program, experiment_, network_, *algorithm_,
                        setup.list_packets);
      }
    }
    if (transactions_) add_transactions(report, *transactions_, result.transactions);
    if (task_rows) {
      report.metrics["application.placement"] = traffic_->tasks()->node;
      report.metrics["saturated"] = result.saturation.has_value();
      const TaskLoad& load = task_rows->load(result.record.steps_run);
      std::string name = "flows";
      for (const std::string& line : load.busiest_lines(10)) report.lines.push_back({std::exchange(name, ""), line});
      captions.link = link_captions(load);
      add_task_flows(report, result.record, *traffic_->tasks());
    }
    if (result.deadlock)
      for (const Engine::Waiting& waiting : result.deadlock->cycle)
        if (waiting.wants != no_port && waiting.wants < graph_.ports())
          captions.cycle[graph_.index(waiting.port_node(), waiting.wants)].push_back(waiting.packet);
    report.steps_run = result.record.steps_run;
    report.flit_hops = result.record.flit_hops;
    report.activations = result.record.activations;
    if (result.outcome == Outcome::saturated)
      report.advice = traffic_->closed_loop() != nullptr
                          ? "packets of the measurement phase are undelivered after the drain; raise traffic.drain"
                          : saturation_text(graph_, *result.saturation, "traffic." + experiment_.pattern->load_key);
    if (result.outcome == Outcome::deadlock && result.record.delivered_count == result.record.created_count())
      report.advice =
          "all messages are delivered, but ranks wait for each other; let them enter collectives in one order";
    if (result.outcome == Outcome::incomplete && result.record.lost_count > 0)
      report.advice = fmt::format("{} lost because of faults; with faults.losses: count such a run is completed",
                                  counted(result.record.lost_count, "packet"));
    if (result.starved)
      report.advice = fmt::format(
          "flits of class {} are in the network, but none was delivered after step {}, because other classes go first; "
          "routing.priority: age delivers every packet; raise limits.quiet if this is expected",
          algorithm_->declaration().classes[result.starved->number].name, result.starved->since);
    if (result.violation.step != no_step) report.look_at = result.violation.step;
    if (result.deadlock) report.look_at = std::max<Step>(result.deadlock->step, 0);
    if (const auto& queues = result.record.use) {
      report.files.push_back(text_file("links.csv", links_csv(graph_, links)));
      report.files.push_back(text_file("buffers.csv", buffers_csv(graph_, *queues, [this](NodeId node) {
                                         return algorithm_->declaration().channels_at(node);
                                       })));
    }
    if (request.netlist) report.files.push_back(text_file("netlist.json", std::move(netlist)));
    if (is_unknown_to_verify(*experiment_.topology))
      report.files.push_back(text_file("network.json", network_json(network_)));
    if (request.pictures && !links.flits.empty())
      report.files.push_back(text_file("links.svg", links_picture(hardware_, links, title(), captions)));
    if (request.pictures && use) {
      const PowerUse power = power_use_of(graph_, *energy_, *use, experiment_.units.clock_ns);
      report.files.push_back(text_file("power.svg", power_picture(hardware_, power, title(), captions)));
    }
    RunRecord& listed = result.of_attempts ? result.of_attempts->record : result.record;
    report.created = listed.created_count();
    report.sums = std::move(result.sums);
    if (setup.list_packets) {
      if (channels && listed.injected.size() == listed.packets.size()) report.injected = std::move(listed.injected);
      report.packets = std::move(listed.packets);
      report.delivered = std::move(listed.delivered);
      if (unreachable_) report.lost = std::move(listed.lost);
      if (result.of_attempts) report.attempts = result.of_attempts->attempts.firsts();
    }
    return report;
  }

  Elaboration elaborate(NetworkText text) override {
    Elaboration elaboration;
    const std::string title = fmt::format("{}, {}", hardware_.title, experiment_.algorithm->name);
    elaboration.leave_by_exit = links::elaborate(hardware(), [&](Network& network) {
      elaboration.text = text == NetworkText::netlist
                             ? netlist_json(network, graph_)
                             : netlist_picture(network, hardware_, algorithm_->declaration(), title, node_captions());
    });
    return elaboration;
  }

 private:
  void add_window(energy::Windows& windows, Step from, const energy::Events& events) {
    windows.add(from, events);
    if (waves_ == nullptr) return;
    const energy::Duration duration = energy::duration_of(events.steps, experiment_.units.clock_ns);
    waves_->waves().show_power(from + events.steps, windows.list().back().power_mw, [&](NodeId node) {
      return energy::mean_power_mw(use_of_router(*energy_, events, node), duration);
    });
  }

  PreflightReport preflight_of_run(const std::function<void(const char*)>& begins) {
    begins("distances");
    std::optional<PricedNetwork> priced;
    if (energy_) priced.emplace(PricedNetwork{graph_, *energy_});
    const PricedNetwork* const prices = priced ? &*priced : nullptr;
    std::string own;  // of its family
    if (const Grid* const grid = network_.as<Grid>()) own = rows_text(*grid);
    if (const auto* const clos = network_.as<FoldedClos>())
      own = fmt::format("oversubscription of a leaf {}", decimal(clos->oversubscription()));
    std::vector<std::string> lines = {line_text(
        "network", fmt::format("{}, {}, {}, diameter {}{}", hardware_.title, counted(graph_.nodes(), "node"),
                               counted(graph_.links(), "link"), graph_.diameter(), own.empty() ? "" : "; " + own))};
    for (const router::Region& region : experiment_.regions)
      lines.push_back(line_text("region", fmt::format("{}: {}", counted(nodes_in(network_.graph, region), "node"),
                                                      region_text(region, experiment_.clocks))));
    add_clocks(lines);
    for (const LinkChange& change : experiment_.link_changes)
      lines.push_back(
          line_text("links", fmt::format("{}: {}", counted(matching_links(network_.graph, change.links), "link"),
                                         link_change_text(change))));
    lines.push_back(line_text(
        "routing", fmt::format("{}, {}", experiment_.algorithm->name,
                               storage_model_names[static_cast<std::size_t>(algorithm_->declaration().storage)])));
    if (!algorithm_->remark().empty()) lines.push_back(line_text("remark", algorithm_->remark()));
    if (energy_)
      for (std::string& line : silicon_lines(*energy_)) lines.push_back(std::move(line));
    const std::unique_ptr<Workload> workload = traffic_->ideal_workload();
    const ClosedLoop* const loop = traffic_->closed_loop();
    if (!traffic_->end() && workload == nullptr) {
      lines.push_back(line_text("traffic", experiment_.pattern->name + ": " +
                                               (loop == nullptr ? "unlimited sources" : closed_loop_text(*loop))));
      return preflight_of(experiment_, network_, *algorithm_, *traffic_, nullptr, prices, lines, begins);
    }
    std::vector<Packet> packets;
    std::string messages, deadlines;
    if (workload) {
      const IdealRun ideal = ideal_run_of(network_.graph, *algorithm_, *workload,
                                          [&packets](const Packet& packet) { packets.push_back(packet); });
      if (loop == nullptr) messages = messages_text(*workload, packets, ideal.critical_path);
      if (ideal.deadlines > 0) deadlines = deadlines_text(ideal, *workload);
    } else {
      packets = transactions_ ? expected_packets(*transactions_) : all_packets(*traffic_).list();
    }
    const std::size_t lost_requests = leave_out_lost(packets);
    add_replies(packets);
    const std::size_t lost = lost_requests + leave_out_lost(packets);
    lines.push_back(line_text(
        "traffic", fmt::format("{}: {}", experiment_.pattern->name,
                               loop != nullptr ? closed_loop_text(*loop)
                                               : counted(static_cast<std::int64_t>(packets.size() + lost), "packet")) +
                       (lost == 0 ? "" : fmt::format(", {} of them unreachable", lost))));
    if (const auto netrace = traffic_->netrace()) lines.push_back(line_text("netrace", netrace_text(*netrace)));
    if (!messages.empty()) lines.push_back(line_text("messages", messages));
    if (!deadlines.empty()) lines.push_back(line_text("deadlines", deadlines));
    Histogram distances;
    const Declaration& declared = algorithm_->declaration();
    for (const Packet& packet : packets)
      distances.add(least_links(declared, graph_, packet.source, packet.destination));
    if (const auto metrics = statistics_of(distances))
      lines.push_back(line_text("distance", fmt::format("mean {:.2f}, max {}", metrics->mean, metrics->max)));
    return preflight_of(experiment_, network_, *algorithm_, *traffic_, &packets, prices, lines, begins);
  }

  std::string title() const {
    return fmt::format("{} on {}, {}, seed {}", experiment_.algorithm->name, hardware_.title, experiment_.pattern->name,
                       experiment_.seed);
  }

  void plan_transactions(Diagnostics& diagnostics) {
    if (traffic_ == nullptr || traffic_->transactions() == nullptr) return;
    if (graph_.has_clocks() && experiment_.tlm && experiment_.tlm->view != transaction_view_names[2])
      diagnostics.add(experiment_.location("tlm.view"),
                      fmt::format("tlm.view: {} reckons with nodes that run in every step; use {}, or leave "
                                  "network.clocks, and synchroniser and fifo of network.links, out",
                                  experiment_.tlm->view, transaction_view_names[2]));
    transactions_ = transaction_plan(experiment_, *traffic_->transactions());
    const std::string error = plan_error(*transactions_, graph_, experiment_.units.clock_ns);
    if (!error.empty()) diagnostics.add(experiment_.location("tlm"), "tlm: " + error);
    diagnostics.raise();
  }

  void require_paths(Diagnostics& diagnostics) const {
    std::optional<std::vector<Packet>> packets;
    if (transactions_) packets = expected_packets(*transactions_);
    require_needed_paths(experiment_, network_, *algorithm_, *traffic_, packets ? &*packets : nullptr, diagnostics);
  }

  /// Refuses packets that are created after the end of simulated time.
  void require_time(Diagnostics& diagnostics) const {
    const Step end = end_of_time(experiment_.units.clock_ns);
    const auto phases = traffic_->phases();
    const Step last = phases ? phases->warmup + phases->measure : traffic_->end().value_or(0);
    if (experiment_.model == "message" || last <= end || experiment_.limits.steps.value_or(last) <= end) return;
    diagnostics.add(
        experiment_.location("traffic"),
        fmt::format("traffic: the last packets are created in step {}, but simulated time ends before step {} "
                    "(2^63 x 0.1 ps); create them earlier, or lower units.clock_ns from {}",
                    last - 1, end, experiment_.units.clock_ns));
  }

  void make_algorithm(const TrafficContext& context, const std::optional<std::vector<Packet>>& known,
                      Diagnostics& diagnostics) {
    const AlgorithmEntry& entry = *experiment_.algorithm;
    try {
      AlgorithmContext routed{&network_, experiment_.seed, known ? &*known : nullptr, {}, context.folder};
      for (const ClassConfig& config : experiment_.classes) routed.classes.push_back(config.facts);
      routed.subnets = experiment_.subnets();
      routed.regions = experiment_.regions;
      if (faults_ && (faults_->start().any() || faults_->changes())) {
        routed.faults = &faults_->start();
        routed.hardware_changes = faults_->changes();
      }
      if (traffic_ != nullptr) {
        routed.ranks = traffic_->ranks();
        if (const auto replies = traffic_->replies()) routed.reply_channels = replies->channels;
        if (transactions_)
          routed.reply_channels = static_cast<std::int32_t>(experiment_.routing.integer("channels") / 2);
        if (const ClosedLoop* const loop = traffic_->closed_loop()) divide_channels(*loop, routed);
        routed.preloaded = traffic_->preloaded();
        routed.groups = traffic_->groups();
        routed.longest_packet = [this, &context] {
          return static_cast<std::int32_t>(longest_packet(experiment_, context, *traffic_).value_or(0));
        };
      }
      if (!routed.groups.empty() && !entry.divides_channels)
        throw ConfigError("algorithm",
                          fmt::format("broadcasts with algorithm multicast need routers that copy packets, "
                                      "such as those of vc-wormhole, not {}",
                                      entry.name));
      if (!routed.groups.empty() && faults_)
        throw ConfigError("algorithm",
                          "networks with faults have no packets to several destinations; leave one of "
                          "the two out");
      algorithm_ = std::get<MakeAlgorithm>(entry.make)(routed, experiment_.routing);
      if (faults_) {
        refuse_faults(experiment_, *faults_, *algorithm_, traffic_.get(), diagnostics);
        routed.packets = nullptr;
        if (routed.longest_packet) routed.longest_packet = [longest = routed.longest_packet()] { return longest; };
        make_with_ = [this, &entry, routed](const Faults* faults) {
          AlgorithmContext own = routed;
          own.faults = faults;
          return std::get<MakeAlgorithm>(entry.make)(own, experiment_.routing);
        };
        const std::optional<RerouteRules>& rules = experiment_.link_faults->reroute;
        if (rules && faults_->changes())
          reroutes_.emplace(*rules, faults_->start(), faults_->events(), *algorithm_,
                            [this](const Faults& faults) { return make_with_(&faults); });
        unreachable_.emplace(faults_->start(), algorithm_->without_path(), &*faults_,
                             reroutes_ ? &*reroutes_ : nullptr);
      }
      const Declaration& declaration = algorithm_->declaration();
      if (declaration.storage == StorageModel::virtual_channels && traffic_ != nullptr && traffic_->phases())
        refuse_rates(diagnostics);
      const std::int32_t latency = graph_.greatest_latency();
      if (latency != 1 && (all_at_once(entry) || moves_worms(declaration.storage)))
        diagnostics.add(experiment_.location("network.link_latency"),
                        fmt::format("network.link_latency: {} {}, which needs links of latency 1, not {}", entry.name,
                                    entry.off_line       ? "replays a plan"
                                    : all_at_once(entry) ? "counts steps"
                                                         : "moves whole worms",
                                    latency));
      const Plan* plan = algorithm_->plan();
      if (experiment_.model == "message" && plan != nullptr && experiment_.limits.steps.value_or(no_step) != no_step &&
          *experiment_.limits.steps <= plan->length())
        diagnostics.add(
            experiment_.location("limits.steps"),
            fmt::format("limits.steps: {} is less than the {} steps of the plan, which model: message computes "
                        "as a whole; leave it out, or use model: netlist",
                        *experiment_.limits.steps, plan->length() + 1));
      if (traffic_ != nullptr && declaration.most_flits != 0)
        if (const auto error = flits_error(experiment_, context, *traffic_, declaration.most_flits))
          diagnostics.add(experiment_.location("traffic.flits"),
                          fmt::format("traffic: {}{}", *error,
                                      declaration.flow.rule == router::FlowRule::wormhole
                                          ? ""
                                          : fmt::format(" with flow: {} and buffers of {}; raise {}",
                                                        experiment_.routing.text("flow"), declaration.least_capacity(),
                                                        declaration.capacities.empty()
                                                            ? "routing.buffer"
                                                            : "routing.buffer, and buffer of network.regions")));
    } catch (const DataFileError& error) {
      diagnostics.add_placed(error.what());
    } catch (const InputError& error) {
      experiment_.entry_error("routing", "algorithm", error, diagnostics);
    }
  }

  /// Requests and replies are classes if they have channels of their own.
  void divide_channels(const ClosedLoop& loop, AlgorithmContext& context) const {
    if (!experiment_.algorithm->divides_channels) return;  // refused above
    if (loop.reply.channels == 0) {
      if (loop.reply.queue > 0) context.replies = loop.reply;
      return;
    }
    const auto channels = static_cast<int>(experiment_.routing.integer("channels"));
    const int requests = channels - loop.reply.channels;
    if (requests < 1)
      throw ConfigError("channels", fmt::format("replies have {} channels (traffic.reply.channels), of {} in total",
                                                loop.reply.channels, channels));
    context.classes = {{ClosedLoop::request_class, routing::ChannelRange{0, requests}, 0, loop.reply},
                       {ClosedLoop::reply_class, routing::ChannelRange{requests, loop.reply.channels}}};
  }
  void add_clocks(std::vector<std::string>& lines) const {
    for (const NetworkClock& clock : experiment_.clocks) {
      lines.push_back(line_text("clock", fmt::format("{}: {}", clock.name, counted(clock.period, "step"))));
    }
    if (!experiment_.clocks.empty())
      lines.push_back(line_text(
          "crossings", counted(links_between_clocks(network_.graph), "link") + " between clocks of other periods"));
  }

  /// Adds the replies to packets of classes of traffic. A reply is created later than here, where requests take no
  /// time.
  void add_replies(std::vector<Packet>& packets) const {
    if (experiment_.classes.empty()) return;
    const std::size_t requests = packets.size();
    for (std::size_t i = 0; i < requests; ++i) {
      const Packet request = packets[i];
      const auto& reply = experiment_.classes[request.traffic_class].facts.reply;
      if (!reply) continue;
      packets.push_back({request.destination, request.source, reply->flits, request.created + reply->service, true,
                         static_cast<std::uint8_t>(reply->traffic_class)});
    }
  }

  /// Removes the packets that faults make unreachable. \return their number.
  std::size_t leave_out_lost(std::vector<Packet>& packets) const {
    const std::size_t before = packets.size();
    if (unreachable_)
      packets.erase(std::remove_if(packets.begin(), packets.end(),
                                   [this](const Packet& packet) {
                                     return unreachable_->cause(packet.source, packet.destination).has_value();
                                   }),
                    packets.end());
    return before - packets.size();
  }

  /// A processor sends at most one flit per step into a subnet, and at most one from a queue.
  void refuse_rates(Diagnostics& diagnostics) const {
    const auto refuse = [&](const std::string& key, const std::string& rate, const char* most) {
      diagnostics.add(experiment_.location(key),
                      fmt::format("{}: {} is more than a processor can send: {}", key, rate, most));
    };
    std::vector<std::vector<double>> of_subnet(static_cast<std::size_t>(graph_.subnets()),
                                               std::vector<double>(static_cast<std::size_t>(graph_.nodes())));
    constexpr double inexact = 1e-9;  // sums of decimal fractions
    for (const OfferedStream& stream : offered_streams(experiment_, *traffic_)) {
      if (stream.replies) continue;
      const auto number = static_cast<std::size_t>(stream.traffic_class);
      const std::optional<int> subnet = experiment_.classes.empty() ? 0 : experiment_.classes[number].facts.subnet;
      const std::vector<double> rates = rates_of_sources(graph_, stream);
      const double greatest = *std::max_element(rates.begin(), rates.end());
      if (!subnet && greatest > 1 + inexact)
        return refuse(class_path(experiment_.classes[number].facts.name), fmt::format("rate {}", decimal(greatest)),
                      "one flit per step from the queue of a class");
      for (int own = 0; own < graph_.subnets(); ++own)
        for (std::size_t node = 0; node < rates.size(); ++node)
          of_subnet[static_cast<std::size_t>(own)][node] += !subnet          ? rates[node] / graph_.subnets()
                                                            : own == *subnet ? rates[node]
                                                                             : 0;
    }
    double most = 0;
    std::size_t busiest = 0;
    for (const std::vector<double>& rates : of_subnet) {
      const auto at = std::max_element(rates.begin(), rates.end());
      if (*at <= most) continue;
      most = *at;
      busiest = static_cast<std::size_t>(at - rates.begin());
    }
    if (most <= 1 + inexact) return;
    const bool classes = !experiment_.classes.empty();
    const std::string& load = experiment_.pattern->load_key;
    refuse(classes ? "traffic.classes" : "traffic." + load,
           (classes          ? "the sum of the rates, "
            : load != "rate" ? fmt::format("the rate of {}, ", graph_.node_name(static_cast<NodeId>(busiest)))
                             : "") +
               decimal(most),
           graph_.subnets() == 1 ? "with virtual channels one flit per step"
                                 : "with virtual channels one flit per step into a subnet");
  }

  /// The names of tasks at their nodes.
  Captions node_captions() const {
    Captions captions;
    const PlacedTasks* tasks = traffic_->tasks();
    if (tasks == nullptr) return captions;
    captions.node.resize(static_cast<std::size_t>(graph_.nodes()));
    for (std::size_t task = 0; task < tasks->names.size(); ++task)
      captions.node[static_cast<std::size_t>(tasks->node[task])] = tasks->names[task];
    return captions;
  }
  std::vector<std::string> link_captions(const TaskLoad& load) const {
    constexpr std::size_t most_flows = 10;
    std::vector<std::string> captions;
    for (std::size_t link = 0; link < graph_.link_slots(); ++link)
      captions.push_back(fmt::format("{}", fmt::join(load.flows(link, most_flows), "; ")));
    return captions;
  }

  SimulationSetup hardware() const {
    SimulationSetup setup;
    setup.network = &hardware_;
    setup.algorithm = algorithm_.get();
    set_up(setup, experiment_, traffic_.get());
    setup.stall_rate = experiment_.stall_rate;
    if (unreachable_) setup.unreachable = &*unreachable_;
    if (errors_) setup.errors = &*errors_;
    setup.counts_losses = experiment_.link_faults && experiment_.link_faults->counts_losses;
    if (transactions_) setup.transactions = &*transactions_;
    return setup;
  }

  const Experiment& experiment_;
  const LinkNetwork network_;   ///< as routing functions and patterns know it
  const LinkNetwork hardware_;  ///< with its subnets
  const NetworkGraph& graph_;   ///< of the hardware
  std::unique_ptr<Traffic> traffic_;
  std::optional<TransactionPlan> transactions_;
  std::optional<FaultTimeline> faults_;
  std::optional<LinkErrors> errors_;
  std::optional<energy::Hardware> energy_;  ///< with `energy`
  std::unique_ptr<Algorithm> algorithm_;
  std::optional<Reroutes> reroutes_;        ///< with faults of which routing functions learn during the run
  std::optional<Unreachable> unreachable_;  ///< with faults
  /// With faults: makes the algorithm with others, or with none (null).
  std::function<std::unique_ptr<Algorithm>(const Faults*)> make_with_;
  std::vector<ShownNode> shown_;  ///< in waves
  std::unique_ptr<ChosenWaves> waves_;
};

}  // namespace

std::unique_ptr<PreparedRun> prepare(const Experiment& experiment) { return std::make_unique<LinkRun>(experiment); }

}  // namespace starloom::links
