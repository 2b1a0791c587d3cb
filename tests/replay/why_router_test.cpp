// SPDX-License-Identifier: Apache-2.0
// Why heads waited in routers, step by step, against the reference simulator, which knows who won.
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include <starloom/commands/known_entries.hpp>
#include <starloom/core/random.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>

#include "cli/child_run.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/packet_stories.hpp"
#include "support/scenario_files.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

/// A head in a router from being readable in its buffer until its row `hop` or `eject`. ports() is the processor.
struct RouterStay {
  PacketId packet;
  NodeId node;
  Port in, out;
  std::int32_t in_channel, out_channel;
  Step from, to;
};

/// A step of a wait: its cause, and the packets that it may be behind.
struct Verdict {
  WaitCause cause;
  std::vector<PacketId> behind{};
  std::vector<std::int64_t> reason{};  ///< numbers in it: the winner, and both priorities
};

/// A run that the program has traced, run again by the reference simulator.
class StepState {
 public:
  StepState(const RunFiles& run, const ResultDocument& result) : run_(run), graph_(run.network.graph) {
    TraceReader trace(find_trace(run.folder));
    for (std::vector<TraceRow> rows; trace.next(rows);) traced_.insert(traced_.end(), rows.begin(), rows.end());
    std::map<std::string, KeyValue> keys;
    for (const auto& [key, value] : result.at("experiment.routing").items()) {
      if (value.is_null() || key == "algorithm") continue;
      if (value.is_object())
        for (const auto& [inner, number] : value.items()) keys[key + "." + inner] = number.get<std::int64_t>();
      else if (value.is_string() && key.find("allocator") != std::string::npos)
        keys[key] = PartValue{value.get<std::string>()};
      else if (value.is_string()) keys[key] = value.get<std::string>();
      else if (value.is_boolean()) keys[key] = value.get<bool>();
      else keys[key] = value.get<std::int64_t>();
    }
    AlgorithmContext context{&run.network};
    if (result.given("experiment.traffic.classes"))
      for (const auto& entry : result.at("experiment.traffic.classes")) {
        context.classes.push_back({entry.at("name").get<std::string>()});
        if (entry.contains("priority")) context.classes.back().priority = entry.at("priority").get<std::int64_t>();
      }
    context.regions = regions_of(result);
    const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
    pipelines_ = algorithm->declaration().pipelines;
    channels_ = algorithm->declaration().channels;
    channels_of_nodes_ = algorithm->declaration().channels_of_nodes;
    order_ = algorithm->declaration().port_order;
    StepperOptions options;
    options.seed = static_cast<std::uint64_t>(result.integer("experiment.seed"));
    options.max_steps = traced_.back().step + 1;
    options.wake_all = options.keep_turns = true;
    options.selection = result.text("experiment.routing.selection");
    options.stall_rate = result.number("experiment.stalls.rate");
    stalls_ = options.stall_rate > 0;
    rules_ = plain_rules(keys);
    for (const TrafficClass& one : context.classes) rules_.classes.push_back({0, channels_ - 1, one.priority, 0});
    options.rules = rules_;
    options.errors = run.rules.errors.get();
    cut_through_ = rules_.flow == "cut-through";
    ListSource source(run.packets.packets);
    result_ = run_stepper(run.network, *algorithm, source, options);
    find_stays();
  }
  /// The stepper runs the very same run.
  bool agrees() const { return result_.rows == traced_; }
  const std::vector<RouterStay>& stays() const { return stays_; }
  /// [packet] the step in which its head leaves its memory, or no_step.
  const std::vector<Step>& injected() const { return injected_; }

  static std::vector<router::Region> regions_of(const ResultDocument& result) {
    std::vector<router::Region> regions;
    if (!result.given("experiment.network.regions")) return regions;
    for (const auto& entry : result.at("experiment.network.regions")) {
      regions.push_back({entry.at("nodes").get<std::string>()});
      if (entry.contains("channels")) regions.back().channels = entry.at("channels").get<std::int32_t>();
      for (std::size_t stage = 0; stage < regions.back().stages.size(); ++stage)
        if (entry.contains("stages") && entry.at("stages").contains(router::pipeline_stages[stage].name))
          regions.back().stages[stage] = entry.at("stages").at(router::pipeline_stages[stage].name).get<int>();
    }
    return regions;
  }

  /// With classes, turns do not show what the processor sends.
  bool knows_memories() const { return rules_.classes.empty(); }
  Verdict in_memory(PacketId packet, Step step) const {
    const NodeId node = packet_source(packet);
    const Step created = run_.packets.packets[static_cast<std::size_t>(packet)].created;
    if (step - step % period(node) < created) return {WaitCause::crossing};
    const PacketId sending = turn(node, step).sending;
    return sending == packet ? Verdict{WaitCause::credit} : Verdict{WaitCause::source, {sending}};
  }
  /// \param front the first step in which the head is in front of its buffer.
  Verdict in_router(const RouterStay& stay, Step front, Step step) const {
    const bool home = stay.out == graph_.ports();
    const RouterTurn& now = turn(stay.node, step);
    if (step < front) return {WaitCause::worm, {now.front[channel(stay.in, stay.in_channel)]}};
    if (step < front + period(stay.node) * (pipelines_.at(stay.node).head_steps() - 1)) return {WaitCause::pipeline};
    if (step >= passes(stay)) return behind_switch(stay, step);
    if (const auto others = carried(now, stay); !others.empty()) return {WaitCause::channel, others};
    const std::int32_t flits = result_.record.packets[static_cast<std::size_t>(stay.packet)].flits;
    if (cut_through_ && !home && flits > 1 && now.credits[channel(stay.out, stay.out_channel)] < flits)
      return {WaitCause::cut_through, {last_over(stay, step)}};
    if (!home && now.credits[channel(stay.out, stay.out_channel)] == 0)
      return {WaitCause::credit, {last_over(stay, step)}};
    if (const std::vector<RouterTurn::InFifo> queue = in_fifo(stay, step, true);
        rules_.fifo > 0 && static_cast<int>(queue.size()) >= rules_.fifo)
      return {WaitCause::fifo, {queue.front().packet}};
    if (now.full_replays.count(stay.out) != 0) return {WaitCause::retry};
    std::vector<PacketId> holders;
    for (const RouterTurn::Passing& holder : now.held)
      if (on_in_line(holder, stay) || on_out_line(holder, stay)) holders.push_back(holder.packet);
    if (!holders.empty()) return {WaitCause::hold, holders};
    for (const RouterTurn::Passing& winner : now.passed)
      if (on_out_line(winner, stay)) return lost_to(winner, stay, now, WaitCause::contention);
    for (const RouterTurn::Passing& winner : now.passed)
      if (on_in_line(winner, stay)) return lost_to(winner, stay, now, WaitCause::in_port);
    if (!rules_.has_fifo() && now.full_links.count(stay.out) != 0)
      return {WaitCause::crossing, {last_over(stay, step, true)}};
    const auto busy = now.busy_links.find(stay.out);
    if (!rules_.has_fifo() && busy != now.busy_links.end() && busy->second != stay.packet)
      return {WaitCause::interval, {busy->second}};
    return {stalls_ && !home ? WaitCause::stall : WaitCause::allocation};
  }
  Step front_of(const RouterStay& stay) const {
    Step step = stay.from;
    while (turn(stay.node, step).front[channel(stay.in, stay.in_channel)] != stay.packet) ++step;
    return step;
  }
  /// The step in which the head passes the switch.
  Step passes(const RouterStay& stay) const {
    for (Step step = stay.to; step >= stay.from; --step)
      if (step % period(stay.node) == 0)
        for (const RouterTurn::Passing& passing : turn(stay.node, step).passed)
          if (passing.packet == stay.packet && passing.flit == 0 && passing.in == stay.in && passing.out == stay.out)
            return step;
    return no_step;
  }

 private:
  Verdict behind_switch(const RouterStay& stay, Step step) const {
    if (run_.rules.errors != nullptr && stay.out != graph_.ports()) {
      // In the last step, it is in front of the link.
      const bool in_crossbar = step < passes(stay) + pipelines_.at(stay.node).crossbar_steps;
      return {in_crossbar || step + 1 == stay.to ? WaitCause::pipeline : WaitCause::retry};
    }
    const std::vector<RouterTurn::InFifo> queue = in_fifo(stay, step, false);
    const bool is_there = std::any_of(queue.begin(), queue.end(), [&](const RouterTurn::InFifo& one) {
      return one.packet == stay.packet && one.flit == 0;
    });
    if (!is_there) return {WaitCause::pipeline};
    if (queue.front().packet != stay.packet) return {WaitCause::fifo, {queue.front().packet}};
    const RouterTurn& now = turn(stay.node, step);
    if (const auto busy = now.busy_links.find(stay.out); busy != now.busy_links.end())
      return {WaitCause::interval, {busy->second}};
    if (now.full_links.count(stay.out) != 0) return {WaitCause::crossing, {last_on_link(stay)}};
    return {WaitCause::pipeline};
  }
  /// The flits between the switch and the link that may leave in a step, or could in the one before.
  std::vector<RouterTurn::InFifo> in_fifo(const RouterStay& stay, Step step, bool one_before) const {
    const auto fifo = turn(stay.node, step).in_fifo.find(stay.out);
    std::vector<RouterTurn::InFifo> flits;
    if (fifo == turn(stay.node, step).in_fifo.end()) return flits;
    for (const RouterTurn::InFifo& one : fifo->second)
      if (one.from <= step / period(stay.node) - (one_before ? 1 : 0)) flits.push_back(one);
    return flits;
  }
  Verdict lost_to(const RouterTurn::Passing& winner, const RouterStay& stay, const RouterTurn& now,
                  WaitCause otherwise) const {
    const std::string& allocator = rules_.switch_allocator.name;
    const bool ignored = allocator == "islip" || allocator == "lonely-output";
    const std::int64_t its = now.priorities[channel(winner.in, winner.in_channel)],
                       own = now.priorities[channel(stay.in, stay.in_channel)];
    if (its <= own || (ignored && !(on_in_line(winner, stay) && winner.out == stay.out)))
      return {otherwise, {winner.packet}};
    std::vector<std::int64_t> reason;
    if (!rules_.donate) reason = {winner.packet, std::abs(its), std::abs(own)};
    return {WaitCause::priority, {winner.packet}, reason};
  }
  int place_of(Port port) const {
    return static_cast<int>(std::find(order_.begin(), order_.end(), port) - order_.begin());
  }
  bool on_in_line(const RouterTurn::Passing& other, const RouterStay& stay) const {
    return other.in == stay.in && (other.in_channel - stay.in_channel) % rules_.input == 0;
  }
  bool on_out_line(const RouterTurn::Passing& other, const RouterStay& stay) const {
    return other.out == stay.out && (place_of(other.in) - place_of(stay.in)) % rules_.output == 0;
  }
  Step period(NodeId node) const { return graph_.period(node); }
  NodeId packet_source(PacketId packet) const { return run_.packets.packets[static_cast<std::size_t>(packet)].source; }
  const RouterTurn& turn(NodeId node, Step step) const {
    return result_.turns.at(static_cast<std::size_t>(step * graph_.nodes() + node));
  }
  std::size_t channel(Port port, std::int32_t number) const {
    return static_cast<std::size_t>(port * channels_ + number);
  }
  /// The packet that has the output channel; if rows do not name the channel, towards the processor, the packets that
  /// have all of them.
  std::vector<PacketId> carried(const RouterTurn& turn, const RouterStay& stay) const {
    const bool home = stay.out == graph_.ports();
    const auto begin =
        turn.carries.begin() + static_cast<std::ptrdiff_t>(channel(stay.out, home ? 0 : stay.out_channel));
    const std::int32_t all =
        channels_of_nodes_.empty() ? channels_ : channels_of_nodes_[static_cast<std::size_t>(stay.node)];
    const std::vector<PacketId> carried(begin, begin + (home ? all : 1));
    return std::count(carried.begin(), carried.end(), no_packet) > 0 ? std::vector<PacketId>{} : carried;
  }
  /// The last packet that passed the switch for the output channel, or for any of the link, before a step.
  PacketId last_over(const RouterStay& stay, Step step, bool any_channel = false) const {
    step -= step % period(stay.node);
    while (--step >= 0)
      if (step % period(stay.node) == 0)
        for (const RouterTurn::Passing& one : turn(stay.node, step).passed)
          if (one.out == stay.out && (any_channel || one.out_channel == stay.out_channel)) return one.packet;
    return no_packet;
  }
  /// The packet that enters the link before the head.
  PacketId last_on_link(const RouterStay& stay) const {
    PacketId last = no_packet;
    for (const TraceRow& row : result_.rows)
      if (row.event == TraceEvent::hop && row.node == stay.node && row.port == stay.out && row.step < stay.to)
        last = row.packet;
    return last;
  }
  void find_stays() {
    injected_.assign(run_.packets.packets.size(), no_step);
    std::map<PacketId, RouterStay> open;
    std::map<std::tuple<PacketId, NodeId, Port>, Step> accepted;  // by head and link: the step of its last crossing
    for (const TraceRow& row : result_.rows)
      if (row.flit == 0 && (row.event == TraceEvent::hop || row.event == TraceEvent::resend))
        accepted[{row.packet, row.node, row.port}] = row.step;
    std::map<std::pair<NodeId, Port>, Step> read;  // by link: the step in which the last flit is readable behind it
    for (const TraceRow& row : result_.rows) {
      Step readable = row.step;
      if (row.event == TraceEvent::hop) {
        const ClockCrossing clocks = graph_.crossing(row.node, row.port);
        readable += graph_.latency(row.node, row.port);
        while (readable % clocks.receiver != 0) ++readable;
        readable += clocks.synchroniser * clocks.receiver;
        const auto [last, first] = read.emplace(std::pair(row.node, row.port), readable);
        if (!first) readable = last->second = std::max(readable, last->second + clocks.receiver);
      }
      if (row.flit != 0 || is_repetition(row.event)) continue;
      if (row.event == TraceEvent::hop && run_.rules.errors != nullptr)
        readable = accepted.at({row.packet, row.node, row.port}) + graph_.latency(row.node, row.port);
      if (row.event == TraceEvent::inject) {
        injected_[static_cast<std::size_t>(row.packet)] = row.step;
        if (!graph_.is_terminal(row.node))
          open[row.packet] = {
              row.packet, row.node, graph_.ports(), no_port, row.channel, -1, row.step + 2 * period(row.node), 0};
        continue;
      }
      const bool hop = row.event == TraceEvent::hop;
      if (const auto at = open.find(row.packet); at != open.end()) {
        RouterStay stay = at->second;
        stay.out = hop ? row.port : graph_.ports();
        stay.out_channel = row.channel;
        stay.to = row.step;
        stays_.push_back(stay);
        open.erase(at);
      }
      if (hop && !graph_.is_terminal(row.to))
        open[row.packet] = {row.packet, row.to, graph_.far_end(row.node, row.port).port, no_port, row.channel, -1,
                            readable,   0};
    }
  }

  const RunFiles& run_;
  const NetworkGraph& graph_;
  std::vector<TraceRow> traced_;
  StepperResult result_;
  std::vector<RouterStay> stays_;
  std::vector<Step> injected_;
  router::Pipelines pipelines_;
  std::int32_t channels_ = 0;
  std::vector<std::int32_t> channels_of_nodes_;
  std::vector<Port> order_;  ///< of the arbiters
  PlainRules rules_;
  bool stalls_ = false, cut_through_ = false;
};

std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
    std::size_t length = 0;
    numbers.push_back(std::stoll(text.substr(at), &length));
    at += length;
  }
  return numbers;
}

class WhyInRouters : public ChildTest {
 protected:
  /// Runs an experiment, and compares every step of every wait that has ended.
  void compare(const std::string& file) {
    const ProgramRun made = starloom("run '" + file + "' --trace --quiet --force --out out");
    ASSERT_EQ(made.status, 0) << made.err;
    const KnownEntries known = known_entries(catalogue_);
    const RunFiles run = read_run_files(scratch_.file("out"), known);
    const StepState state_of_step(run, ResultDocument(scratch_.file("out") / "result.json"));
    ASSERT_TRUE(state_of_step.agrees());
    std::vector<PacketId> numbers(run.packets.packets.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<PacketHistory> histories = open_run_folder(scratch_.file("out"), known)->histories(numbers);
    const auto history = [&](PacketId packet) -> const PacketHistory& {
      return histories[static_cast<std::size_t>(packet)];
    };
    ASSERT_NO_FATAL_FAILURE(require_sums(histories));
    for (const PacketId packet : state_of_step.knows_memories() ? numbers : std::vector<PacketId>{})
      for (Step step = history(packet).created; step < state_of_step.injected()[static_cast<std::size_t>(packet)];
           ++step)
        ASSERT_NO_FATAL_FAILURE(expect(history(packet), step, state_of_step.in_memory(packet, step)));
    for (const RouterStay& stay : state_of_step.stays()) {
      ASSERT_NE(state_of_step.passes(stay), no_step) << history_text(history(stay.packet), "step");
      const Step front = state_of_step.front_of(stay);
      for (Step step = stay.from; step < stay.to; ++step)
        ASSERT_NO_FATAL_FAILURE(expect(history(stay.packet), step, state_of_step.in_router(stay, front, step)));
    }
  }
  /// The waits of a packet do not overlap, and their sum is its latency.
  static void require_sums(const std::vector<PacketHistory>& histories) {
    for (const PacketHistory& one : histories) {
      Step sum = one.distance;
      for (std::size_t i = 0; i < one.waits.size(); ++i) {
        ASSERT_TRUE(i == 0 || one.waits[i - 1].to <= one.waits[i].from) << history_text(one, "step");
        sum += one.waits[i].to - one.waits[i].from;
      }
      if (one.delivered == no_step) continue;
      ASSERT_EQ(sum, one.latency()) << history_text(one, "step");
    }
  }
  std::map<WaitCause, Step> seen_;

 private:
  void expect(const PacketHistory& history, Step step, const Verdict& verdict) {
    const auto wait = std::find_if(history.waits.begin(), history.waits.end(),
                                   [step](const Wait& one) { return one.from <= step && step < one.to; });
    ASSERT_NE(wait, history.waits.end()) << "step " << step << ", " << history_text(history, "step");
    ASSERT_EQ(name_of(wait->cause), name_of(verdict.cause)) << "step " << step << ", " << history_text(history, "step");
    const bool named = std::any_of(verdict.behind.begin(), verdict.behind.end(), [&](PacketId other) {
      return other == no_packet || std::count(wait->behind.begin(), wait->behind.end(), other) == 1;
    });
    ASSERT_TRUE(named || verdict.behind.empty())
        << testing::PrintToString(verdict.behind) << ", step " << step << ", " << history_text(history, "step");
    if (verdict.cause == WaitCause::priority && wait->from == step) {
      ASSERT_EQ(numbers_in(wait->reason), verdict.reason) << wait->reason;
    }
    ++seen_[verdict.cause];
  }

  const Catalogue catalogue_ = standard_catalogue();
};

/// A small network of routers with more traffic than it carries easily.
/// \param options of the router, which works with its stages.
std::string router_experiment(std::uint64_t seed, const std::string& options = "") {
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  const auto one_of = [&dice](const std::vector<std::string>& words) {
    return words[dice.bounded(static_cast<std::uint32_t>(words.size()))];
  };
  const auto number = [&dice](std::uint32_t from, std::uint32_t to) {
    return std::to_string(from + dice.bounded(to - from + 1));
  };
  static const std::array<std::pair<std::string, std::vector<std::string>>, 6> networks = {{
      {"topology: mesh, shape: [4, 4]", {"dimension-order", "west-first", "o1turn", "adaptive", "valiant"}},
      {"topology: mesh, shape: [4, 3], link_latency: 2", {"yx", "odd-even", "adaptive"}},
      {"topology: torus, shape: [4, 3]", {"dimension-order", "up-down"}},
      {"topology: ring, nodes: 6", {"dimension-order"}},
      {"topology: fat-tree, arity: 2, levels: 3", {"nearest-ancestor"}},
      {"topology: concentrated-mesh, shape: [3, 2], concentration: 2", {"dimension-order", "o1turn"}},
  }};
  const auto& [network, functions] = networks[seed % networks.size()];
  const std::uint64_t variety = seed / networks.size() % 4;
  const std::string regions[] = {
      "", ", regions: [{nodes: \"*1\", channels: 3, stages: {routing: 2, crossbar: 3}}]",
      ", clocks: {a: 1, b: 2, c: 3}, regions: [{nodes: \"*1\", clock: b}, {nodes: \"*0\", clock: c}], "
      "links: [{links: \"*\", fifo: " +
          number(1, 4) + ", synchroniser: 1}]",
      ", links: [{links: \"*\", width: 1/" + number(2, 3) + "}]"};
  return "schema: 1\nnetwork: {" + network + regions[variety] +
         "}\nrouting: {algorithm: vc-wormhole, function: " + one_of(functions) + ", channels: " + number(2, 4) +
         ", buffer: " + one_of({number(1, 6), "8, flow: cut-through"}) + ", " +
         one_of({"pipeline: 3", "pipeline: 4", "pipeline: 4, speculative: false", "pipeline: 5",
                 "stages: {routing: 3, crossbar: 2}, speculative: true",
                 options.empty() ? "stages: {channel: 2, switch: 3, crossbar: 3}" : "stages: {channel: 2}"}) +
         options + "}\ntraffic: {pattern: uniform, flits: {uniform: [1, " + number(1, 8) + "]}, rate: 0." +
         number(2, 6) + ", warmup: 20, measure: 100, drain: 40}\nseed: " + std::to_string(seed) +
         "\nlimits: {latency: off}\n" + one_of({"", "", "stalls: {rate: 0.2}\n"});
}

/// Options with FIFOs, and with packets that hold the switch.
std::string switch_options(std::uint64_t seed) {
  static const std::array<std::string, 6> options = {
      ", speedup: {output: 2}",
      ", speedup: {fifo: 1}, hold_switch: true",
      ", hold_switch: true",
      ", speedup: {input: 2, output: 3, fifo: 2}",
      ", speedup: {input: 2}, hold_switch: true",
      ", speedup: {output: 2, fifo: 1}, hold_switch: true, allocator: wavefront"};
  return options[seed / 24 % options.size()];
}

TEST_F(WhyInRouters, CausesAreWhatThePlainStepperKnows) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    SCOPED_TRACE(router_experiment(seed));
    scratch_.write("e.yaml", router_experiment(seed));
    compare("e.yaml");
  }
  compare(scenario_file("vc_transpose").string());
  for (const WaitCause cause : {WaitCause::source, WaitCause::channel, WaitCause::credit, WaitCause::cut_through,
                                WaitCause::worm, WaitCause::contention, WaitCause::in_port, WaitCause::allocation,
                                WaitCause::stall, WaitCause::pipeline, WaitCause::crossing})
    EXPECT_GT(seen_[cause], 50) << name_of(cause);
}

/// A rule of priorities, and an allocator.
std::string priority_options(std::uint64_t seed) {
  static const std::array<std::string, 8> rules = {"class",     "age",          "network-age", "local-age",
                                                   "hop-count", "queue-length", "sequence",    "class"};
  static const std::array<std::string, 6> others = {
      "allocator: priority-islip",
      "allocator: wavefront",
      "allocator: lonely-output, speedup: {input: 2}",
      "switch_allocator: priority-islip, donate: true",
      "allocator: wavefront, donate: true, speedup: {output: 2}",
      "switch_allocator: wavefront, channel_allocator: priority-islip, hold_switch: true"};
  return ", priority: " + rules[seed % rules.size()] + ", " + others[seed / rules.size() % others.size()];
}

/// The same traffic in two classes, the second with a greater priority.
std::string with_classes(std::string file) {
  const auto traffic = file.find("traffic: {");
  const auto rate = file.find("pattern: uniform", traffic), end = file.find(", warmup", rate);
  const std::string one = file.substr(rate, end - rate);
  const std::string half = one.substr(0, one.size() - 1) + "1";
  return file.replace(rate, end - rate,
                      "classes: [{name: low, " + half + "}, {name: high, " + half + ", priority: 3}]");
}

/// Rows do not show the rounds of a step, so causes are not compared.
TEST_F(WhyInRouters, WaitsInSeveralRoundsOfAStepAddUp) {
  const std::array<std::string, 4> options = {"internal: 2", "internal: 3, output: 2", "internal: 4, fifo: 1",
                                              "internal: 2, output: 2, fifo: 2"};
  for (int seed = 0; seed < 8; ++seed) {
    const std::string file =
        "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]" +
        std::string(seed < 4 ? "" : ", clocks: {a: 2, b: 3}, regions: [{nodes: \"*1\", clock: b}]") +
        "}\nrouting: {algorithm: vc-wormhole, channels: 3, buffer: 2, hold_switch: true, speedup: {" +
        options[static_cast<std::size_t>(seed) % options.size()] +
        "}}\ntraffic: {pattern: uniform, flits: {uniform: [1, 6]}, rate: 0.2, warmup: 20, measure: 100, drain: 60}\n"
        "limits: {latency: off}\n";
    SCOPED_TRACE(file);
    scratch_.write("e.yaml", file);
    const ProgramRun made = starloom("run e.yaml --trace --quiet --force --out out");
    ASSERT_EQ(made.status, 0) << made.err;
    require_sums(packet_histories(scratch_.file("out")));
  }
}

TEST_F(WhyInRouters, PrioritiesAreThoseOfThePlainStepper) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    std::string file = router_experiment(seed * 5, priority_options(seed));
    if (seed % 8 == 0 || seed % 8 >= 6) file = with_classes(file);
    SCOPED_TRACE(file);
    scratch_.write("e.yaml", file);
    compare("e.yaml");
  }
  for (const WaitCause cause : {WaitCause::priority, WaitCause::contention, WaitCause::in_port})
    EXPECT_GT(seen_[cause], 50) << name_of(cause);
}

TEST_F(WhyInRouters, RetriesAreWhatThePlainStepperKnows) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    // Of four varieties of networks, those with one clock and links that take a flit in each step.
    std::string file = router_experiment(seed / 12 * 24 + seed % 12, seed % 3 == 0 ? ", hold_switch: true" : "");
    for (const char* const allocation : {"stages: {channel: 2}", "stages: {channel: 2, switch: 3, crossbar: 3}"})
      if (const auto at = file.find(allocation); at != std::string::npos)
        file.replace(at, std::string(allocation).size(), "stages: {crossbar: 3}");
    file += "faults: {errors: {flit: 0.0" + std::to_string(1 + seed % 9) +
            (seed % 2 == 0 ? ", replay: " + std::to_string(2 + seed % 5) : "") + "}}\n";
    SCOPED_TRACE(file);
    scratch_.write("e.yaml", file);
    compare("e.yaml");
  }
  for (const WaitCause cause : {WaitCause::retry, WaitCause::hold, WaitCause::credit, WaitCause::contention})
    EXPECT_GT(seen_[cause], 50) << name_of(cause);
}

TEST_F(WhyInRouters, WaitsBehindTheSwitchAndForHeldPortsAreWhatThePlainStepperKnows) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string file = router_experiment(seed * 5, switch_options(seed * 5));
    SCOPED_TRACE(file);
    scratch_.write("e.yaml", file);
    compare("e.yaml");
  }
  for (const WaitCause cause : {WaitCause::fifo, WaitCause::hold, WaitCause::interval, WaitCause::contention,
                                WaitCause::in_port, WaitCause::crossing})
    EXPECT_GT(seen_[cause], 50) << name_of(cause);
}

}  // namespace
}  // namespace starloom::links
