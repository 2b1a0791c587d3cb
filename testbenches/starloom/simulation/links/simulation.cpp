// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <starloom/fabric/links/network.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/simulation/kernel.hpp>
#include <starloom/simulation/links/attempt_generator.hpp>
#include <starloom/simulation/links/measurement.hpp>
#include <starloom/simulation/links/message_simulation.hpp>
#include <starloom/simulation/links/message_source.hpp>
#include <starloom/simulation/links/record_compactor.hpp>
#include <starloom/simulation/links/reply_generator.hpp>
#include <starloom/simulation/links/transaction_platform.hpp>
#include <starloom/simulation/links/transaction_simulation.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>

namespace starloom::links {
namespace {

RefereeRules rules_of(const SimulationSetup& setup) {
  const Declaration& declaration = setup.algorithm->declaration();
  RefereeRules rules;
  rules.storage = static_cast<RefereeRules::Storage>(declaration.storage);
  rules.bound = declaration.bound;
  rules.residents = declaration.residents;
  rules.channels = declaration.channels;
  rules.channels_of_nodes = declaration.channels_of_nodes;
  rules.capacity = declaration.capacity;
  rules.capacities = declaration.capacities;
  rules.routes_own = declaration.routes_own;
  if (setup.unreachable != nullptr) {
    rules.faults = std::make_shared<const Faults>(setup.unreachable->faults());
    if (const FaultTimeline* const timeline = setup.unreachable->timeline()) {
      rules.fault_events = timeline->events();
      if (!timeline->is_known()) rules.endless = std::make_shared<const FaultTimeline>(*timeline);
    }
    if (const Reroutes* const reroutes = setup.unreachable->reroutes()) rules.reroute = reroutes->rules();
  }
  if (setup.errors != nullptr) rules.errors = std::make_shared<const LinkErrors>(*setup.errors);
  rules.trees = declaration.multicast;
  if (const ClosedLoop* const loop = setup.traffic->closed_loop())
    rules.closed_loop =
        RefereeRules::ClosedLoop{loop->servers,       loop->clients,     loop->outstanding, loop->requests.value_or(0),
                                 loop->request_flits, loop->reply.flits, loop->think,       loop->reply.service,
                                 loop->ways,          loop->reply.queue, loop->reply.unsent};
  rules.of_netrace = setup.traffic->netrace().has_value();
  if (declaration.storage == StorageModel::virtual_channels) {
    rules.router = router_rules(declaration.pipelines);
    rules.router->credit_extra = declaration.credit_extra;
    rules.router->waits_for_tail_credit = declaration.waits_for_tail_credit;
    rules.router->whole_packets = declaration.flow.rule == router::FlowRule::cut_through;
    rules.router->whole_copies = declaration.multicast_whole;
    rules.router->longest = declaration.flow.longest;
    rules.router->rings = declaration.flow.rings;
    rules.router->places = declaration.shared.places;
    rules.router->own_places = declaration.shared.own;
    rules.router->divides_places = declaration.shared.divided;
    for (const TrafficClass& of_traffic : declaration.classes) {
      const routing::ChannelRange own = of_traffic.channels.value_or(routing::ChannelRange{0, declaration.channels});
      rules.classes.push_back({own.first, own.first + own.count - 1});
      if (const auto& reply = of_traffic.reply; reply && !rules.closed_loop)
        rules.classes.back().reply = {reply->traffic_class, reply->flits, reply->service, reply->places};
    }
  }
  return rules;
}

/// The messages that an explanation names because they wait for another one.
constexpr std::size_t most_waiting_lines = 5;

/// [class of traffic] The replies of a run; empty: no packet gets one.
std::vector<std::optional<ReplyRules>> replies_of(const SimulationSetup& setup) {
  if (setup.traffic->closed_loop() != nullptr) return {};  // they are messages
  if (const auto to_all = setup.traffic->replies()) return {to_all};
  std::vector<std::optional<ReplyRules>> replies;
  for (const TrafficClass& of_traffic : setup.algorithm->declaration().classes) replies.push_back(of_traffic.reply);
  const bool any = std::any_of(replies.begin(), replies.end(), [](const auto& reply) { return reply.has_value(); });
  return any ? replies : std::vector<std::optional<ReplyRules>>();
}

std::unique_ptr<Network> build(const SimulationSetup& setup) {
  NetworkOptions options;
  options.seed = setup.seed;
  options.period = sc_core::sc_time(setup.clock_ns, sc_core::SC_NS);
  options.count_memory = setup.traffic != nullptr && !setup.traffic->open_loop();
  options.shuffle = setup.shuffle;
  options.wake_all = setup.wake_all;
  options.stall_rate = setup.stall_rate;
  options.threads = setup.threads;
  options.unreachable = setup.unreachable;
  options.errors = setup.errors;
  options.count_events = setup.events != nullptr;
  return std::make_unique<Network>("network", *setup.network, *setup.algorithm, options);
}

/// Passes each step to the referee.
class RefereeSink final : public StepSink {
 public:
  explicit RefereeSink(Referee& referee) : referee_(referee) {}
  void step(const std::vector<Packet>& created, const std::vector<CreditRow>& credits,
            const std::vector<TraceRow>& rows) override {
    referee_.packets(created);
    referee_.rows(credits);
    referee_.rows(rows);
  }

 private:
  Referee& referee_;
};

/// Calls watchdog, progress, measurement, messages, replies, attempts and referee between two steps.
class SimulationController final : public RunController {
 public:
  SimulationController(const SimulationSetup& setup, Watchdog& watchdog, Referee* referee, MessageSource* messages,
                       ReplyGenerator* reply_generator, AttemptGenerator* attempts)
      : sums(setup.traffic->phases(), setup.algorithm->declaration().classes.size()),
        setup_(setup),
        watchdog_(watchdog),
        referee_(referee),
        messages_(messages),
        reply_generator_(reply_generator),
        attempts_(attempts) {
    const auto phases = setup.traffic->phases();
    if (phases) measurement.emplace(*phases);
    const bool replies = reply_generator != nullptr || setup.traffic->closed_loop() != nullptr;
    if (!setup.list_packets && attempts == nullptr && (messages == nullptr ? phases.has_value() : !replies))
      compactor_.emplace(sums, setup.network->graph, setup.algorithm->declaration(), watchdog, referee);
  }

  void begin() override {
    if (messages_ != nullptr) messages_->begin();
  }

  bool before_step(Step next, Engine& engine) override {
    const Step done = engine.record().steps_run - 1;
    if (setup_.progress != nullptr && done >= 0)
      setup_.progress->after_step({done, watchdog_.horizon(), engine.created_count(), engine.record().delivered_count});
    hear(engine);
    if (measurement) measurement->look(next, engine);
    outcome = watchdog_.judge(next, engine);
    if (messages_ != nullptr && !outcome) messages_->before_step(next);
    if (reply_generator_ != nullptr && !outcome) reply_generator_->before_step(next);
    if (attempts_ != nullptr && !outcome) attempts_->before_step(next);
    if (compactor_ && !outcome) compactor_->between_steps(engine);
    return !outcome;
  }

  std::optional<Outcome> outcome;
  std::optional<Measurement> measurement;
  PacketSums sums;  ///< of the packets removed from the record

  /// A step that the referee rejects ends the run after the next one, in which the last of several threads reports
  /// it.
  void hear(Engine& engine) {
    const bool rejected = referee_ != nullptr && !referee_->ok();
    if (rejected && (rejected_ || engine.reports_one_step_late())) obey(referee_, engine);
    rejected_ = rejected;
  }

 private:
  const SimulationSetup& setup_;
  Watchdog& watchdog_;
  Referee* referee_;
  MessageSource* messages_;
  ReplyGenerator* reply_generator_;
  AttemptGenerator* attempts_;
  std::optional<RecordCompactor> compactor_;
  bool rejected_ = false;  ///< the referee has rejected a step
};

}  // namespace

void locate(Violation& violation, const NetworkGraph& graph) {
  if (violation.located || violation.node == no_node) return;
  violation.text =
      "step " + std::to_string(violation.step) + ", " + graph.node_name(violation.node) + ": " + violation.text;
  violation.located = true;
}

SimulationResult simulate(const SimulationSetup& setup) {
  if (setup.messages) return simulate_messages(setup);
  if (setup.transactions != nullptr && setup.transactions->view != TransactionView::cycle_accurate)
    return simulate_transactions(setup);
  renew_kernel();
  std::unique_ptr<Network> network = build(setup);

  Limits limits = setup.limits;
  limits.end_of_time = end_of_time(setup.clock_ns);
  Watchdog watchdog(limits, *setup.algorithm, setup.network->graph, *setup.traffic, setup.interrupt);
  if (setup.counts_losses) watchdog.accept_losses();
  std::unique_ptr<Referee> referee;
  std::unique_ptr<ReplyGenerator> reply_generator;
  std::optional<RefereeSink> step_sink;
  std::vector<TraceSink*> sinks = setup.sinks;
  if (setup.referee) {
    referee = std::make_unique<Referee>(setup.network->graph, rules_of(setup));
    network->fabric.set_step_sink(&step_sink.emplace(*referee));
  }
  std::unique_ptr<MessageSource> messages;
  if (auto workload = setup.traffic->workload()) {
    messages = std::make_unique<MessageSource>(std::move(workload), network->fabric, setup.traffic->phases(),
                                               setup.list_packets || setup.traffic->closed_loop() != nullptr);
    if (referee)
      messages->announce_to([&referee](std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants) {
        referee->message(item, packets, std::move(dependants));
      });
    network->fabric.on_created([&](const std::vector<Packet>& created) { messages->created(created); });
    network->fabric.on_delivered([&](PacketId packet) { messages->delivered(packet); });
    if (messages->counts_departures()) sinks.push_back(messages.get());
  }
  if (auto replies = replies_of(setup); !replies.empty()) {
    reply_generator = std::make_unique<ReplyGenerator>(Replies(std::move(replies)), network->fabric);
    sinks.push_back(reply_generator.get());
    network->fabric.on_created([&](const std::vector<Packet>& created) { reply_generator->created(created); });
  }
  std::optional<AttemptGenerator> attempts;
  if (const auto* const repetition = repetition_of_packets(setup.errors)) {
    attempts.emplace(*repetition, setup.network->graph, network->fabric);
    if (referee)
      attempts->announce_to([&referee](PacketId attempt, PacketId first) { referee->attempt(attempt, first); });
    sinks.push_back(&*attempts);
    network->fabric.on_created([&](const std::vector<Packet>& created) { attempts->created(created); });
    watchdog.expect_attempts(attempts->attempts());
  }
  watchdog.expect_more([&] {
    return (messages && messages->pending()) || (reply_generator && reply_generator->pending()) ||
           (attempts && attempts->pending());
  });
  if (messages) watchdog.expect_blocked([&messages] { return messages->workload().blocked(); });
  SimulationController run_controller(setup, watchdog, referee.get(), messages.get(), reply_generator.get(),
                                      attempts ? &*attempts : nullptr);
  network->fabric.set_source(setup.traffic, watchdog.horizon());
  network->fabric.set_sinks(sinks);
  network->fabric.set_credit_sinks(setup.credit_sinks);
  network->fabric.set_observer(setup.observer);
  network->fabric.set_event_reader(setup.events);
  if (const auto phases = setup.traffic->phases())
    network->fabric.measure(phases->warmup, phases->warmup + phases->measure);
  network->fabric.set_run_controller(&run_controller);
  std::unique_ptr<TransactionPlatform> platform;
  if (setup.transactions != nullptr) {
    TransactionPlatform::Parts parts;
    parts.algorithm = setup.algorithm;
    parts.hardware = network.get();
    parts.period = network->fabric.period();
    parts.contents = setup.contents;
    parts.until = setup.limits.steps.value_or(no_step);
    parts.on_end = [&network] { network->fabric.end(); };
    platform = std::make_unique<TransactionPlatform>(*setup.transactions, parts);
    watchdog.expect_more([&platform] { return platform->pending(); });
  }
  sc_core::sc_start();

  Engine& engine = network->fabric.engine();
  if (engine.failure()) std::rethrow_exception(engine.failure());
  if (engine.stopped()) run_controller.hear(engine);  // it may have rejected the step before
  engine.finish(engine.stopped() ? 0 : watchdog.end());
  if (setup.events != nullptr) {
    const Step end = engine.record().steps_run;
    engine.read_events(*setup.events, end);
    setup.events->finish(end, engine.events_before(end));
  }
  SimulationResult result;
  // Transactions end a run directly; the remaining ones are due after its last step.
  if (platform && !engine.stopped() && !run_controller.outcome)
    run_controller.outcome = platform->pending() ? Outcome::step_limit : Outcome::completed;
  result.outcome = run_controller.outcome.value_or(Outcome::violation);
  if (referee && !engine.stopped()) {
    const bool accounted_for =
        result.outcome == Outcome::completed ||
        (result.outcome == Outcome::incomplete && engine.record().lost_count > 0 && engine.record().left_count() == 0);
    const bool none_left =
        accounted_for && !setup.traffic->phases() && !setup.algorithm->declaration().may_leave_packets;
    const RunRecord& record = engine.record();
    referee->finish(record.delivered, none_left, record.lost);
    const auto [drains, reroutes] = referee->changes(record.steps_run - 1);
    if (referee->ok() && (drains != record.drains || reroutes != record.reroutes))
      engine.stop(record.steps_run - 1, no_node, "changes routing functions in other steps than the rows show");
    obey(referee.get(), engine);
  }
  if (engine.stopped()) {
    result.outcome = Outcome::violation;
    result.violation = engine.violation();
    locate(result.violation, setup.network->graph);
  }
  if (result.outcome == Outcome::deadlock)
    result.deadlock = Deadlock{watchdog.last_moved(),
                               wait_cycle(engine.waiting(engine.rerouted() ? *engine.rerouted() : *setup.algorithm))};
  result.explanation = watchdog.explain(result.outcome, engine, setup.network->graph);
  result.not_created = watchdog.not_created(engine);
  if (platform) {
    result.transactions = platform->played();
    for (std::string& line : unanswered(*setup.transactions, result.transactions))
      result.explanation.push_back(std::move(line));
  }
  if (messages) {
    if (result.outcome != Outcome::completed && result.outcome != Outcome::violation)
      for (std::string& line : messages->workload().waiting(most_waiting_lines))
        result.explanation.push_back(std::move(line));
    result.messages = std::move(*messages).log();
  }
  if (attempts) {
    result.of_attempts = SimulationResult::OfAttempts{engine.record(), attempts->attempts()};
    engine.record() = of_first_attempts(std::move(engine.record()), attempts->attempts());
  }
  result.out_of_time = watchdog.out_of_time();
  result.saturation = watchdog.saturation();
  result.starved = watchdog.starved();
  result.sums = std::move(run_controller.sums);
  // Also for a run without packets.
  result.sums.network = setup.algorithm->declaration().storage == StorageModel::virtual_channels;
  add_packets(result.sums, engine.record(), setup.network->graph, setup.algorithm->declaration(),
              engine.record().packets.size());
  if (run_controller.measurement) {
    const RunRecord& record = engine.record();
    result.measured = run_controller.measurement->finish(record.steps_run, record, result.sums);
    result.measured_links = run_controller.measurement->link_use(record.steps_run, record);
  }
  result.record = std::move(engine.record());
  result.record.metrics = network->controllers().metrics();
  result.record.schedule = network->controllers().schedule();
  if (setup.inspect) setup.inspect(*network);
  const std::size_t modules = network->module_count();
  result.leave_by_exit = retire(std::move(network), modules);
  return result;
}

bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect) {
  renew_kernel();
  std::unique_ptr<Network> network = build(setup);
  sc_core::sc_start();  // binds the ports and ends: without packets there are no events
  inspect(*network);
  const std::size_t modules = network->module_count();
  return retire(std::move(network), modules);
}

}  // namespace starloom::links
