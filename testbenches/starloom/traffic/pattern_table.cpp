// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/application.hpp>
#include <starloom/traffic/application_graph.hpp>
#include <starloom/traffic/chakra/chakra_traffic.hpp>
#include <starloom/traffic/class_traffic.hpp>
#include <starloom/traffic/closed_loop/closed_loop_traffic.hpp>
#include <starloom/traffic/netrace/netrace_traffic.hpp>
#include <starloom/traffic/open_loop.hpp>
#include <starloom/traffic/packet_file.hpp>
#include <starloom/traffic/packet_list.hpp>
#include <starloom/traffic/permutation_file.hpp>
#include <starloom/traffic/permutations.hpp>
#include <starloom/traffic/placed_tasks.hpp>
#include <starloom/traffic/program/collective_traffic.hpp>
#include <starloom/traffic/program/program_traffic.hpp>
#include <starloom/traffic/random_patterns.hpp>
#include <starloom/traffic/rate_matrix.hpp>
#include <starloom/traffic/replies.hpp>
#include <starloom/traffic/task_mapping.hpp>
#include <starloom/traffic/traffic.hpp>
#include <starloom/traffic/transactions.hpp>

namespace starloom {
namespace {

// ---- Keys

/// Phases if the file gives none of them; in steps.
constexpr Phases default_phases{1000, 10000, 100000};
/// True for keys, and those in nested sections, that only open loop has.
bool needs_rate(const std::string& key) {
  static const std::vector<std::string> open_loop = {"warmup", "measure", "drain", "injection", "reply"};
  return contains(open_loop, key.substr(0, key.find('.')));
}

constexpr const char* share_key = "share";
/// Of `uniform`: leaves packets of processors to themselves out.
constexpr const char* self_key = "self";

KeySpec rate_key(std::string meaning) {
  return number_key("rate", std::move(meaning)).at_least(0).measured_in("flits per processor and step");
}

std::vector<KeySpec> phase_specs() {
  const auto phase = [](const char* name, double least, const char* meaning) {
    return integer_key(name, meaning).within(least, static_cast<double>(most_steps)).measured_in("steps");
  };
  return {phase("warmup", 0, "open loop: length of the warm-up phase (default 1000)"),
          phase("measure", 1, "open loop: length of the measurement phase (default 10000)"),
          phase("drain", 0,
                "open loop: time limit of the drain phase, in which packets of the measurement phase still arrive "
                "(default 100000)")};
}

void append(std::vector<KeySpec>& keys, const std::vector<KeySpec>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
}

/// Keys for the sources and their replies.
std::vector<KeySpec> source_specs(const KeySpec& injection) {
  const auto mean_time = [](const char* name, const char* meaning) {
    return number_key(name, meaning).within(1, 1e9).measured_in("steps").is_required();
  };
  std::vector<KeySpec> keys = {injection, mean_time("injection.on_off.on", "mean duration of the on state of a source"),
                               mean_time("injection.on_off.off", "mean duration of the off state of a source")};
  append(keys, reply_keys());
  return keys;
}

/// Keys of patterns that give every node one destination: their own, the length of packets, and those of open loop.
std::vector<KeySpec> destination_keys(std::vector<KeySpec> own = {}) {
  append(own, length_keys());
  own.push_back(rate_key(
      "open loop: mean rate at which each node sends to its destination; without it each node sends one packet"));
  append(own, phase_specs());
  append(
      own,
      source_specs(choice_key(
          "injection", {"bernoulli"},
          "open loop: arrival process of the sources (default bernoulli: an independent random choice in each step)")));
  return own;
}

/// Of patterns that are always open loop.
std::vector<KeySpec> default_phase_specs() {
  const KeyValue defaults[] = {default_phases.warmup, default_phases.measure, default_phases.drain};
  std::vector<KeySpec> phases = phase_specs();
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = phases[i].by_default(defaults[i]);
  return phases;
}

std::vector<KeySpec> uniform_keys() {
  std::vector<KeySpec> keys = length_keys();
  keys.push_back(rate_key("mean rate of each node").is_required());
  keys.push_back(boolean_key(self_key, "whether nodes send to themselves as often as to each other node (default true)")
                     .omitted_at_default());
  append(keys, default_phase_specs());
  append(keys, source_specs(choice_key("injection", {"bernoulli"},
                                       "arrival process of the sources: an independent random choice in each step")
                                .by_default("bernoulli")));
  return keys;
}

std::vector<KeySpec> matrix_keys() {
  std::vector<KeySpec> keys = {
      file_key("file", "file of the rates, CSV").is_required(),
      number_key("scale", "factor of all rates, which is the load of starloom saturate").by_default(1.0).at_least(0)};
  append(keys, length_keys());
  append(keys, default_phase_specs());
  append(keys, reply_keys());
  return keys;
}

std::vector<KeySpec> class_list_keys() {
  std::vector<KeySpec> keys = {
      text_key("classes",
               "a list of {name, pattern and its keys, channels: [first, last], priority, subnet, reply} "
               "(docs/traffic-classes.md)")
          .is_required()};
  append(keys, phase_specs());
  return keys;
}

std::vector<KeySpec> closed_loop_specs() {
  std::vector<KeySpec> keys = closed_loop_keys();
  for (const KeySpec& phase : phase_specs()) keys.push_back(phase.omitted_at_default());
  return keys;
}

std::vector<KeySpec> application_keys() {
  return {file_key("file", "file of the application graph, YAML").is_required(),
          integer_key("steps", "length of the run: packets are created in steps 0 to steps-1")
              .at_least(1)
              .measured_in("steps")
              .is_required(),
          number_key("scale", "factor of all bandwidths").by_default(1.0).at_least(0), length_keys().front(),
          mapping_key()};
}

Phases phases_of(const KeyValues& keys) {
  const auto phase = [&](const char* name, Step otherwise) { return keys.has(name) ? keys.integer(name) : otherwise; };
  return {phase("warmup", default_phases.warmup), phase("measure", default_phases.measure),
          phase("drain", default_phases.drain)};
}

Injection injection_of(const KeyValues& keys) {
  Injection injection{keys.number("rate"), packet_lengths(keys)};
  if (keys.has("injection.on_off.on"))
    injection.on_off = {keys.number("injection.on_off.on"), keys.number("injection.on_off.off")};
  injection.replies = reply_rules(keys);
  if (injection.probability() <= 1) return injection;
  const double most = injection.lengths.mean() * (injection.on_off ? injection.on_off->share_on() : 1);
  throw ConfigError("rate", value_text(keys.number("rate")) + " is more than the limit of " + value_text(most) +
                                " (flits per processor and step): a node creates at most one packet per step" +
                                (injection.on_off ? ", and only while its source is on" : "") +
                                ", so raise flits or lower rate");
}

std::unique_ptr<Traffic> open_loop(const TrafficContext& context, const KeyValues& keys, Destinations destinations,
                                   std::optional<HotSpotShare> share = std::nullopt, bool to_itself = true) {
  return std::make_unique<OpenLoop>(context.seed, context.processors.count, injection_of(keys), phases_of(keys),
                                    std::move(destinations), context.first_word, share, to_itself);
}

// ---- From processors to nodes

/// Packets between processors as packets between nodes.
class OnNodes final : public Traffic {
 public:
  OnNodes(std::unique_ptr<Traffic> traffic, std::vector<NodeId> node)
      : traffic_(std::move(traffic)), node_(std::move(node)) {
    if (traffic_->tasks() == nullptr) return;
    tasks_ = *traffic_->tasks();
    for (NodeId& task : tasks_->node) task = node_[static_cast<std::size_t>(task)];
    for (PlacedTasks::Edge& edge : tasks_->edges)
      for (NodeId* end : {&edge.source, &edge.destination}) *end = node_[static_cast<std::size_t>(*end)];
  }

  void generate(Step from, Step to, std::vector<Packet>& out) override {
    const std::size_t before = out.size();
    traffic_->generate(from, to, out);
    for (std::size_t i = before; i < out.size(); ++i)
      for (NodeId* end : {&out[i].source, &out[i].destination})
        if (*end != no_node) *end = node_[static_cast<std::size_t>(*end)];
  }
  Step next_creation(Step from) const override { return traffic_->next_creation(from); }
  std::optional<Step> end() const override { return traffic_->end(); }
  std::optional<Phases> phases() const override { return traffic_->phases(); }
  std::vector<PacketStream> streams() const override {
    std::vector<PacketStream> streams = traffic_->streams();
    for (PacketStream& stream : streams)
      for (PairRate& pair : stream.pairs)
        for (NodeId* end : {&pair.source, &pair.destination}) *end = node_[static_cast<std::size_t>(*end)];
    return streams;
  }
  bool open_loop() const override { return traffic_->open_loop(); }
  std::optional<ReplyRules> replies() const override { return traffic_->replies(); }
  std::optional<std::int64_t> packet_count() const override { return traffic_->packet_count(); }
  double deviation(double flits) const override { return traffic_->deviation(flits); }
  bool preloaded() const override { return traffic_->preloaded(); }
  std::optional<RankRange> ranks() const override { return traffic_->ranks(); }
  const PlacedTasks* tasks() const override { return tasks_ ? &*tasks_ : nullptr; }
  const std::vector<Transaction>* transactions() const override { return traffic_->transactions(); }
  std::unique_ptr<Workload> workload() const override { return traffic_->workload(); }
  std::unique_ptr<Workload> ideal_workload() const override { return traffic_->ideal_workload(); }
  const ClosedLoop* closed_loop() const override { return traffic_->closed_loop(); }
  const Program* program() const override { return traffic_->program(); }
  std::optional<NetraceFacts> netrace() const override { return traffic_->netrace(); }

 private:
  std::unique_ptr<Traffic> traffic_;
  std::vector<NodeId> node_;  ///< [processor]
  std::optional<PlacedTasks> tasks_;
};

// ---- Makers

using MadeTraffic = std::unique_ptr<Traffic>;

MadeTraffic from_destinations(const TrafficContext& context, const KeyValues& keys, Destinations destinations) {
  if (keys.has("rate")) return open_loop(context, keys, std::move(destinations));
  for (const auto& [key, value] : keys.all())
    if (needs_rate(key) && keys.has(key))
      throw ConfigError(key, "only open-loop traffic has this key; set traffic.rate");
  return std::make_unique<PacketList>(
      packets_of(std::move(destinations), packet_lengths(keys), context.seed, context.first_word));
}

template <Destinations (*rule)(const Processors&)>
MadeTraffic make_fixed(const TrafficContext& context, const KeyValues& keys) {
  return from_destinations(context, keys, rule(context.processors));
}

template <Destinations (*rule)(const Processors&, std::uint64_t seed)>
MadeTraffic make_random(const TrafficContext& context, const KeyValues& keys) {
  return from_destinations(context, keys, rule(context.processors, context.seed));
}

MadeTraffic make_shift(const TrafficContext& context, const KeyValues& keys) {
  return from_destinations(context, keys, patterns::shift(context.processors, keys.integer("offset")));
}

MadeTraffic make_bounded(const TrafficContext& context, const KeyValues& keys) {
  return from_destinations(context, keys,
                           patterns::bounded_permutation(context.processors, context.seed, keys.integer("distance")));
}

MadeTraffic make_hot_spot(const TrafficContext& context, const KeyValues& keys) {
  Destinations targets = patterns::hot_spot(context.processors, keys.list("targets"));
  if (!keys.has(share_key)) return from_destinations(context, keys, std::move(targets));
  const HotSpotShare share(keys.number(share_key));
  if (keys.has("rate")) return open_loop(context, keys, std::move(targets), share);
  for (NodeId node = 0; node < context.processors.count; ++node)
    targets[node] = share.destination(targets[node], context.processors.count,
                                      {context.seed, Purpose::destination, node, 0, context.first_word});
  return from_destinations(context, keys, std::move(targets));
}

MadeTraffic make_file(const TrafficContext& context, const KeyValues& keys) {
  return from_destinations(context, keys, read_permutation_file(context, keys.text("file")));
}

MadeTraffic make_packets(const TrafficContext& context, const KeyValues& keys) {
  const auto longest = keys.has("packet") ? static_cast<std::int32_t>(keys.integer("packet")) : 0;
  return read_packet_file(context, keys.text("file"), longest);
}

/// Classes of traffic draw different random words.
constexpr std::uint32_t words_of_class = 65536;

/// \throws ConfigError with the key `classes.NAME.KEY`.
MadeTraffic make_class(TrafficContext context, const KeyValues& common, std::size_t number) {
  const ClassPattern& of_class = context.classes[number];
  context.first_word = static_cast<std::uint32_t>(number) * words_of_class;
  std::map<std::string, KeyValue> keys = of_class.keys.all();
  const bool has_load = of_class.keys.has(of_class.pattern->load_key);
  if (has_load)
    for (const KeySpec& phase : phase_specs()) keys[phase.name] = common.all().at(phase.name);
  if (of_class.reply && has_load) {
    keys["reply.flits"] = std::int64_t{of_class.reply->flits};
    keys["reply.service"] = of_class.reply->service;
  }
  try {
    return of_class.pattern->make(context, KeyValues(std::move(keys)));
  } catch (const ConfigError& error) {
    std::vector<ConfigError::Diagnostic> diagnostics = error.diagnostics();
    for (ConfigError::Diagnostic& diagnostic : diagnostics)
      diagnostic.key = "classes." + of_class.name + "." + diagnostic.key;
    throw ConfigError(std::move(diagnostics));
  }
}

MadeTraffic make_classes(const TrafficContext& context, const KeyValues& keys) {
  std::vector<MadeTraffic> classes;
  std::optional<std::size_t> first;  // with packets of its own
  for (std::size_t number = 0; number < context.classes.size(); ++number) {
    classes.push_back(context.classes[number].pattern == nullptr ? nullptr : make_class(context, keys, number));
    if (classes.back() == nullptr) continue;
    if (!first) first = number;
    if (classes.back()->open_loop() != classes[*first]->open_loop())
      throw ConfigError("classes." + context.classes[number].name,
                        "either all classes have a rate, or none: " + context.classes[*first].name + " has " +
                            (classes[*first]->open_loop() ? "one" : "none"));
  }
  for (const KeySpec& phase : phase_specs())
    if (!classes[first.value()]->open_loop() && keys.has(phase.name))
      throw ConfigError(phase.name, "only open-loop traffic has this key; give the classes a rate");
  return of_classes(std::move(classes));
}

MadeTraffic make_matrix(const TrafficContext& context, const KeyValues& keys) {
  const PacketLengths lengths = packet_lengths(keys);
  const double scale = keys.number("scale");
  return std::make_unique<RateMatrix>(context.seed, context.processors.count,
                                      read_rates(context, keys.text("file"), lengths, scale), scale, lengths,
                                      reply_rules(keys), phases_of(keys), context.first_word);
}

MadeTraffic make_application(const TrafficContext& context, const KeyValues& keys) {
  const ApplicationGraph graph = read_application_graph(context, keys.text("file"));
  ApplicationRun run;
  run.steps = keys.integer("steps");
  run.scale = keys.has("scale") ? keys.number("scale") : 1.0;
  run.flits = static_cast<std::int32_t>(keys.integer("flits"));
  return std::make_unique<Application>(graph, mapping_of(graph, context, keys), context.units, run);
}

MadeTraffic make_transactions(const TrafficContext& context, const KeyValues& keys) {
  return std::make_unique<TransactionTraffic>(read_transaction_file(context, keys.text("file")));
}

MadeTraffic make_closed_loop_pattern(const TrafficContext& context, const KeyValues& keys) {
  return make_closed_loop(context, keys, phases_of(keys));
}

MadeTraffic make_uniform(const TrafficContext& context, const KeyValues& keys) {
  const bool to_itself = !keys.has(self_key) || keys.boolean(self_key);
  if (!to_itself && context.processors.count < 2)
    throw ConfigError(self_key, "with self: false a node needs another one to send to; leave it out");
  return open_loop(context, keys, {}, std::nullopt, to_itself);
}

std::vector<PatternEntry> patterns_of_networks() {
  const KeySpec offset = integer_key("offset", "distance from a node to its destination, by number; can be negative")
                             .measured_in("nodes")
                             .is_required();
  const KeySpec distance =
      integer_key("distance", "greatest distance of a packet").at_least(0).measured_in("hops").is_required();
  const KeySpec targets =
      integer_list_key("targets", "nodes that receive all packets; a node listed twice receives twice as many")
          .at_least(0)
          .is_required();
  const KeySpec share = number_key(share_key,
                                   "share of the packets that go to the targets; the others go to random nodes "
                                   "(default: all to the targets)")
                            .within(0, 1)
                            .omitted_at_default();
  return {
      {"uniform", "every packet goes to a random processor (open loop)", uniform_keys(), make_uniform},
      {"hot-spot", "node v sends to targets[v mod number of targets], or a share of its packets",
       destination_keys({targets, share}), make_hot_spot},
      {"random-permutation", "a random permutation of the nodes", destination_keys(),
       make_random<patterns::random_permutation>},
      {"random-function", "every node sends to one random node, possibly to itself", destination_keys(),
       make_random<patterns::random_function>},
      {"bounded", "a random permutation in which no packet travels farther than the key distance",
       destination_keys({distance}), make_bounded},
      {"identity", "every node sends to itself", destination_keys(), make_fixed<patterns::identity>},
      {"transpose", "(row, column) sends to (column, row); in d dimensions coordinates i and i + d/2 swap",
       destination_keys(), make_fixed<patterns::transpose>},
      {"antitranspose", "(row, column) of an n x n mesh sends to (n-1-column, n-1-row)", destination_keys(),
       make_fixed<patterns::antitranspose>},
      {"quarter-turn", "(row, column) of an n x n mesh sends to (column, n-1-row)", destination_keys(),
       make_fixed<patterns::quarter_turn>},
      {"reversal", "node v sends to n-1-v", destination_keys(), make_fixed<patterns::reversal>},
      {"column-reversal", "the first coordinate x of a side k becomes k-1-x: the columns are reversed",
       destination_keys(), make_fixed<patterns::column_reversal>, Audience::networks, "colreverse"},
      {"bit-reversal", "the bits of the node number in reverse order; needs 2^k nodes", destination_keys(),
       make_fixed<patterns::bit_reversal>},
      {"bit-complement", "the bits of the node number inverted; needs 2^k nodes", destination_keys(),
       make_fixed<patterns::bit_complement>},
      {"shuffle", "the bits of the node number rotated left by one; needs 2^k nodes", destination_keys(),
       make_fixed<patterns::shuffle>},
      {"tornado", "each coordinate x of a side k becomes (x + ceil(k/2) - 1) mod k", destination_keys(),
       make_fixed<patterns::tornado>},
      {"neighbour", "each coordinate x of a side k becomes (x + 1) mod k", destination_keys(),
       make_fixed<patterns::neighbour>},
      {"shift", "node v sends to (v + offset) mod n", destination_keys({offset}), make_shift},
      {"block", "each coordinate x of an even side k becomes (x + k/2) mod k", destination_keys(),
       make_fixed<patterns::block>},
      {"application", "an application graph: every edge sends packets at its bandwidth", application_keys(),
       make_application},
      {pattern_of_classes, "the packets of several classes of traffic, each with a pattern of its own",
       class_list_keys(), make_classes},
      {"transactions",
       "reads and writes of initiators, as packets of requests and responses (docs/tlm.md)",
       {file_key("file", "file of the transactions, CSV").is_required()},
       make_transactions},
      {"packets",
       "a packet file: step of creation, source, destination and flits of every packet",
       {file_key("file", "file of the packets, CSV").is_required(),
        integer_key("packet", "rows are messages, cut into packets of at most this length; default: a row is a packet")
            .within(1, std::numeric_limits<std::int32_t>::max())
            .measured_in("flits")
            .omitted_at_default(),
        text_key("classes",
                 "classes of traffic, numbered in the column class of the file: a list of {name, channels: [first, "
                 "last], priority, subnet, reply} (docs/traffic-classes.md)")
            .omitted_at_default()},
       make_packets},
      {"netrace", "recorded packets that wait for others, from a netrace file (docs/workloads.md)", netrace_keys(),
       make_netrace},
      {"collective", "one collective of all ranks, such as an all-reduce (docs/collectives.md)", collective_keys(),
       make_collective},
      {"program", "collectives and computations of ranks, from a program file (docs/collectives.md)", program_keys(),
       make_program},
      {"chakra", "execution traces of ranks in the format of MLCommons Chakra (docs/chakra.md)", chakra_keys(),
       make_chakra},
      {"closed-loop", "clients that wait for the replies of servers (docs/closed-loop.md)", closed_loop_specs(),
       make_closed_loop_pattern},
      {"file", "a permutation file: entry i is the destination of node i",
       destination_keys({file_key("file", "file of the permutation").is_required()}), make_file},
  };
}

PatternEntry matrix_entry() {
  PatternEntry entry{"matrix", "a rate for every pair of processors, from a file (open loop)", matrix_keys(),
                     make_matrix};
  entry.load_key = "scale";
  return entry;
}

PatternEntry half_permutation_entry() {
  PatternEntry entry{"half-permutation", "a random permutation from which each packet is missing with probability 1/2",
                     destination_keys(), make_random<patterns::half_permutation>};
  entry.audience = Audience::theory;
  entry.old_name = "part50";
  return entry;
}

std::vector<PatternEntry> make_table() {
  std::vector<PatternEntry> table = patterns_of_networks();
  table.insert(table.begin() + 2, matrix_entry());
  table.push_back(half_permutation_entry());
  return table;
}

}  // namespace

const std::vector<PatternEntry>& pattern_table() {
  static const std::vector<PatternEntry> table = make_table();
  return table;
}

const PatternEntry* find_entry(const std::vector<PatternEntry>& table, const std::string& name) {
  const auto find = [&](std::string PatternEntry::*field) -> const PatternEntry* {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.*field == name; });
    return found == table.end() ? nullptr : &*found;
  };
  const PatternEntry* const current = find(&PatternEntry::name);
  return current != nullptr || name.empty() ? current : find(&PatternEntry::old_name);
}

PatternEntry pattern_entry(const AlgorithmPattern& pattern) {
  PatternEntry entry{pattern.name, pattern.meaning, pattern.keys, {}};
  entry.audience = Audience::theory;
  entry.old_name = pattern.old_name;
  const bool makes = std::visit([](const auto& make) { return static_cast<bool>(make); }, pattern.make);
  if (!makes) return entry;  // the catalogue is refused
  if (const auto* const destinations = std::get_if<MakeDestinations>(&pattern.make)) {
    entry.keys = destination_keys(pattern.keys);
    entry.make = [make = *destinations](const TrafficContext& context, const KeyValues& keys) {
      return from_destinations(context, keys, make(context.processors, context.seed, keys));
    };
    return entry;
  }
  entry.keys.push_back(length_keys().front());
  entry.make = [make = std::get<MakeStoredPackets>(pattern.make)](const TrafficContext& context,
                                                                  const KeyValues& keys) {
    return std::make_unique<PacketList>(make(context.processors, context.seed, keys), true);
  };
  return entry;
}

std::unique_ptr<Traffic> make_traffic(const PatternEntry& entry, const TrafficContext& context, const KeyValues& keys) {
  std::unique_ptr<Traffic> traffic = entry.make(context, keys);
  if (context.processors.node.empty()) return traffic;
  return std::make_unique<OnNodes>(std::move(traffic), context.processors.node);
}

}  // namespace starloom
