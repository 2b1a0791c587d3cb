// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/preflight.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include <starloom/analysis/estimate_text.hpp>
#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/protocol_cycle.hpp>
#include <starloom/analysis/run_estimate.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/run/links/energy_results.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/run/links/task_demand.hpp>
#include <starloom/run/links/zero_load_text.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>

namespace starloom::links {
namespace {

constexpr double seconds_of_year = 365.25 * 24 * 3600;

/// Empty if there is one.
std::vector<OfferedLoad> loads_of_subnets(const Experiment& experiment, const LinkNetwork& network,
                                          const Algorithm& algorithm, const Traffic& traffic,
                                          const std::vector<Packet>* packets) {
  std::vector<OfferedLoad> loads;
  for (int subnet = 0; subnet < experiment.subnets() && experiment.subnets() > 1; ++subnet)
    loads.emplace_back(experiment, network, algorithm, traffic, packets, subnet);
  return loads;
}

/// The total rate at which the queue of a class is always sending: at most one flit in a step, also to several subnets.
/// Classes in one subnet are limited by the local port there.
struct FullQueue {
  double rate = 0;
  int traffic_class = 0;
};
std::optional<FullQueue> first_full_queue(const Experiment& experiment, const NetworkGraph& graph,
                                          const Traffic& traffic) {
  double all = 0;
  int fullest = 0;
  double greatest = 0;
  for (const OfferedStream& stream : offered_streams(experiment, traffic)) {
    if (stream.replies) continue;
    all += stream.rate;
    const std::vector<double> rates = rates_of_sources(graph, stream);
    const double rate = *std::max_element(rates.begin(), rates.end());
    const bool one_subnet = experiment.classes.empty() ||
                            experiment.classes[static_cast<std::size_t>(stream.traffic_class)].facts.subnet.has_value();
    if (one_subnet || rate <= greatest) continue;
    fullest = stream.traffic_class;
    greatest = rate;
  }
  return greatest > 0 ? std::optional(FullQueue{all / greatest, fullest}) : std::nullopt;
}

/// The load at which a link or a local port of a subnet is full; nullopt: not known, or no flit moves.
std::optional<double> full_load_of(const std::vector<OfferedLoad>& subnets) {
  std::optional<double> least;
  for (const OfferedLoad& load : subnets)
    if (const auto rate = load.full_load()) least = std::min(least.value_or(*rate), *rate);
  return least;
}

/// Traffic and its paths, as far as both are known.
class Preflight {
 public:
  Preflight(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
            const Traffic& traffic, const std::vector<Packet>* packets, const PricedNetwork* priced)
      : experiment_(experiment),
        network_(network),
        graph_(network.graph),
        algorithm_(algorithm),
        traffic_(traffic),
        packets_(packets),
        priced_(priced),
        load_(experiment, network, algorithm, traffic, packets),
        of_subnets_(loads_of_subnets(experiment, network, algorithm, traffic, packets)),
        hops_(hops()) {}

  /// Answers first, then `subject`, their subject, then the cost of the run.
  PreflightReport preflight(const std::vector<std::string>& subject) {
    find_dependencies();
    std::vector<std::string> warnings = warning_lines(), lines;
    if (packets_ != nullptr) {
      lines.push_back(line_text("at least", bound_text()));
      std::string label = "bounds";
      for (const auto& [name, value] : algorithm_.bounds(*packets_))
        lines.push_back(line_text(std::exchange(label, ""), starloom::bound_text(name, value)));
    }
    const bool endless = dependencies_ && dependencies_->astray;
    if (of_subnets_.empty()) lines.push_back(line_text("link load", load_.text(endless)));
    for (std::size_t subnet = 0; subnet < of_subnets_.size(); ++subnet)
      lines.push_back(line_text(subnet == 0 ? "link load" : "",
                                fmt::format("subnet {}: {}", subnet, of_subnets_[subnet].text(endless))));
    if (const std::string queue = queue_text(); !queue.empty()) lines.push_back(line_text("", queue));
    if (traffic_.tasks() != nullptr) add_task_lines(*traffic_.tasks(), lines, warnings);
    if (packets_ == nullptr && algorithm_.routing_function(0) != nullptr && load_.links() &&
        load_.links()->meaning != LinkDemand::Meaning::shared)
      add_zero_load(lines);
    const std::optional<double> energy = energy_of_flit();
    if (priced_ != nullptr) lines.push_back(line_text("energy", energy_text(energy, endless)));
    lines.push_back(line_text("deadlock", deadlock_text()));
    if (const auto layers = pairs_of_layers(); !layers.empty())
      lines.push_back(line_text("layers", fmt::format("{}: {} pairs", layers.size(), fmt::join(layers, ", "))));
    find_protocol();
    if (protocol_) lines.push_back(line_text("protocol", protocol_text()));
    if (traffic_.closed_loop() != nullptr) lines.push_back(line_text("messages", loop_text(*traffic_.closed_loop())));
    if (dependencies_) lines.push_back(line_text("paths", paths_text()));
    else if (algorithm_.without_path() != nullptr) lines.push_back(line_text("paths", connected_text()));
    lines.insert(lines.end(), subject.begin(), subject.end());
    lines.push_back(line_text("memory", memory_line()));
    lines.push_back(line_text("run time", time_text()));
    lines.insert(lines.begin(), warnings.begin(), warnings.end());
    PreflightReport all{std::move(lines)};
    add_verdict(all.facts);
    if (priced_ != nullptr) all.facts["energy"] = energy ? number_json(*energy) : nullptr;
    if ((dependencies_ && !has_bubbles() && (dependencies_->without_escape || !dependencies_->acyclic())) ||
        (protocol_ && protocol_->limited) || holds_branches() ||
        (traffic_.closed_loop() != nullptr && overfull_server(*traffic_.closed_loop())))
      all.concerns.emplace_back("can deadlock");
    if (protocol_) all.concerns.emplace_back("requests and replies share channels");
    if (dependencies_ && dependencies_->lost) all.concerns.emplace_back("a packet can be unroutable");
    if (dependencies_ && dependencies_->astray) all.concerns.emplace_back("a packet can circulate forever");
    if (!warnings.empty()) all.concerns.emplace_back("has warnings");
    return all;
  }

 private:
  void find_dependencies() {
    const StorageModel storage = algorithm_.declaration().storage;
    if ((storage == StorageModel::virtual_channels || storage == StorageModel::links_only) && !too_many_pairs())
      dependencies_ = channel_dependencies(graph_, algorithm_);
    too_many_paths_ = dependencies_ && dependencies_->too_many_paths;
    if (too_many_paths_) dependencies_.reset();
  }
  /// Null if it is not known.
  void add_verdict(nlohmann::ordered_json& facts) const {
    const StorageModel storage = algorithm_.declaration().storage;
    facts["verdict"] = nullptr;
    facts["on_circles"] = nullptr;
    if (!dependencies_ && (storage == StorageModel::virtual_channels || storage == StorageModel::links_only)) return;
    const bool acyclic = !dependencies_ || dependencies_->acyclic() || has_bubbles();
    facts["verdict"] = acyclic && !holds_branches() ? "acyclic" : "may-deadlock";
    facts["on_circles"] = dependencies_ ? dependencies_->on_cycles : 0;
    if (const auto layers = pairs_of_layers(); !layers.empty()) facts["layers"] = layers;
  }
  /// [layer] Empty if the routing function has none.
  std::vector<std::int64_t> pairs_of_layers() const {
    const routing::RoutingFunction* const function = algorithm_.routing_function(0);
    return function == nullptr ? std::vector<std::int64_t>() : function->pairs_of_layers();
  }
  /// Calls `visit` with the load of each subnet.
  template <class Visit>
  void for_each_load(const Visit& visit) const {
    if (of_subnets_.empty()) visit(load_);
    for (const OfferedLoad& load : of_subnets_) visit(load);
  }
  std::int32_t links_between(NodeId source, NodeId destination) const {
    return least_links(algorithm_.declaration(), graph_, source, destination);
  }
  bool too_many_pairs() const { return graph_.nodes() > most_nodes_for_pairs; }

  /// The busiest links with the flows over them, and overloaded ones.
  void add_task_lines(const PlacedTasks& tasks, std::vector<std::string>& lines,
                      std::vector<std::string>& warnings) const {
    const TaskDemand demand = demand_of_tasks(graph_, algorithm_, tasks);
    std::string name = "flows";
    for (const std::string& line : demand.busiest) lines.push_back(line_text(std::exchange(name, ""), line));
    for (const std::string& warning : demand.warnings) warnings.push_back(line_text("warning", warning));
    if (!demand.warnings.empty()) warnings.push_back(line_text("", TaskDemand::advice));
  }

  /// With subnets, if a queue is full before all links and local ports.
  std::string queue_text() const {
    if (of_subnets_.empty() || packets_ != nullptr) return "";
    const auto queue = first_full_queue(experiment_, graph_, traffic_);
    const auto rate = full_load_of(of_subnets_);
    if (!queue || !rate || queue->rate >= *rate) return "";
    return fmt::format("full at a total rate of {} in the processors, which send at most one flit of class {} per step",
                       decimal(queue->rate),
                       experiment_.classes[static_cast<std::size_t>(queue->traffic_class)].facts.name);
  }

  /// The latency without contention, of each class of traffic.
  void add_zero_load(std::vector<std::string>& lines) const {
    if (experiment_.classes.empty()) {
      lines.push_back(line_text("zero load", zero_load_text(graph_, algorithm_, load_)));
      return;
    }
    std::string label = "zero load";
    for (OfferedStream stream : load_.streams()) {
      if (stream.rate == 0) continue;
      const std::string name = experiment_.classes[static_cast<std::size_t>(stream.traffic_class)].facts.name +
                               (std::exchange(stream.replies, false) ? ", replies" : "");
      const OfferedLoad own(experiment_, network_, algorithm_, traffic_, std::vector{stream});
      lines.push_back(line_text(std::exchange(label, ""), name + ": " + zero_load_text(graph_, algorithm_, own)));
    }
  }

  /// That of `zero_load_energy`; also nullopt if the loads of the links, or the bits that toggle there, are not known.
  std::optional<double> energy_of_flit() const {
    if (priced_ == nullptr || !load_.links() || experiment_.energy->conditions.counts_toggles) return std::nullopt;
    std::vector<Packet> first_flits = packets_ == nullptr ? std::vector<Packet>() : *packets_;
    for (Packet& packet : first_flits) packet.flits = 1;
    std::vector<OfferedLoad> flits, heads;
    for (int subnet = 0; subnet < experiment_.subnets(); ++subnet) {
      const auto own = experiment_.subnets() > 1 ? std::optional(subnet) : std::nullopt;
      flits.push_back(own ? of_subnets_[static_cast<std::size_t>(subnet)] : load_);
      if (packets_ != nullptr) heads.emplace_back(experiment_, network_, algorithm_, traffic_, &first_flits, own);
      else
        heads.emplace_back(experiment_, network_, algorithm_, traffic_,
                           in_packets(offered_streams(experiment_, traffic_)), own);
    }
    return zero_load_energy(*priced_, algorithm_.declaration(), flits, heads);
  }
  std::string energy_text(std::optional<double> energy, bool endless) const {
    if (!load_.links()) return load_.unknown(endless);
    if (experiment_.energy->conditions.counts_toggles) return "not known: it depends on the bits that toggle";
    if (!energy) return "none: no flit arrives";
    std::string text = fmt::format("{} pJ for each flit without contention, clocks left out", *energy);
    switch (load_.links()->meaning) {
      case LinkDemand::Meaning::certain: break;
      case LinkDemand::Meaning::expected: return text + ", averaged over random choices";
      case LinkDemand::Meaning::shared: return text + ", if packets choose all permitted ports equally often";
    }
    return text;
  }

  /// A link passes at most one flit per step, and no packet is faster than its distance.
  std::string bound_text() const {
    const ZeroLoad zero_load(graph_, algorithm_);
    double followed = 0;
    for (const Packet& packet : *packets_)
      followed += static_cast<double>(links_between(packet.source, packet.destination)) *
                  (zero_load.never_stretches() ? 1 : packet.flits);
    const bool walks = paths_are_fixed(algorithm_) && algorithm_.plan() == nullptr && followed <= most_crossings;
    Step path = 0;
    for (const Packet& packet : *packets_)
      path =
          std::max(path, packet.created + (walks ? zero_load.latency(packet, only_random_choice(algorithm_, packet))
                                                 : zero_load.least(packet.source, packet.destination, packet.flits)));
    OfferedLoad::SlowestPort port;
    // If packets draw their subnets, the loads of these are not known.
    const bool drawn = std::any_of(experiment_.classes.begin(), experiment_.classes.end(),
                                   [](const ClassConfig& config) { return !config.facts.subnet; });
    if (!drawn)
      for_each_load([&](const OfferedLoad& load) {
        if (const auto own = load.slowest_port(static_cast<double>(path)); own.steps > port.steps) port = own;
      });
    const bool at_once =
        std::all_of(packets_->begin(), packets_->end(), [](const Packet& p) { return p.created == 0; });
    const char* const last = at_once ? "the longest path" : "the last packet that is created";
    if (port.name.empty()) return fmt::format("{} steps in any run: {}", path, last);
    return fmt::format("{:.0f} steps in any run: {} for {}, {:.0f} for {}",
                       std::max(static_cast<double>(path), port.steps), path, last, port.steps, port.name);
  }

  std::string deadlock_text() const {
    const Declaration& declaration = algorithm_.declaration();
    switch (declaration.storage) {
      case StorageModel::store_and_forward: return "none: no packet waits for room in another node";
      case StorageModel::never_standing:
        return algorithm_.plan() != nullptr ? "none: no flit ever waits for a link"
                                            : "none: no flit ever waits for a link; a livelock is not excluded";
      case StorageModel::virtual_channels:
      case StorageModel::links_only: break;
    }
    if (too_many_pairs()) return fmt::format("not computed for more than {} nodes", most_nodes_for_pairs);
    if (too_many_paths_) return "not computed: too many paths are possible in so large a network";
    if (!dependencies_) return load_.unknown(false);
    const ChannelDependencies& found = *dependencies_;
    const std::string vertices =
        found.classes > 1
            ? fmt::format("{} of channels, {} per link,",
                          counted(found.vertices, found.extended ? "escape class" : "class"), found.classes)
            : counted(found.vertices, found.extended ? "escape channel" : "link");
    const std::string graph = fmt::format(
        "{} with {}", vertices, counted(found.dependencies, found.extended ? "extended dependency" : "dependency"));
    if (found.without_escape)
      return fmt::format("may-deadlock: {} has no escape channel in {}", packet_text(found.without_escape->packet),
                         graph_.node_name(found.without_escape->node));
    if (found.acyclic() && holds_branches())
      return fmt::format(
          "may-deadlock: {}, no cycle; but with multicast: flits a packet to several destinations holds one branch "
          "while it waits for another.\n{:16}multicast: packet, with room for whole packets in each buffer, excludes "
          "that",
          graph, "");
    if (found.acyclic()) return fmt::format("acyclic: {}, no cycle", graph);
    if (has_bubbles())
      return fmt::format(
          "acyclic by the bubble rule: {}; all cycles are rings, which a packet of up to {} enters only "
          "where it leaves room for another",
          graph, counted(algorithm_.declaration().flow.longest, "flit"));
    std::string text = fmt::format(
        "may-deadlock: {}; {} are on cycles, in {} strongly connected component{}; a shortest cycle:", graph,
        found.on_cycles, found.components, found.components == 1 ? "" : "s");
    for (const HeldChannel& channel : found.cycle)
      text += fmt::format("\n{:16}{} to {} over {}{}, held by {}", "", graph_.node_name(channel.node),
                          graph_.node_name(graph_.far_end(channel.node, channel.port).node),
                          graph_.link_name(channel.node, channel.port),
                          channel.first < 0 ? "" : fmt::format(", channels from {} on", channel.first),
                          packet_text(channel.packet));
    return text;
  }

  /// Packets to several destinations may wait for each other where no cycle of channels exists.
  bool holds_branches() const {
    const Declaration& declared = algorithm_.declaration();
    return declared.multicast != nullptr && !declared.multicast_whole;
  }

  /// In dimension order, the only cycles are rings, and each of them always has room for a packet (V. Puente et al.,
  /// 2001; router::FlowRule).
  bool has_bubbles() const { return algorithm_.declaration().flow.rule == router::FlowRule::bubble; }

  void find_protocol() {
    const Declaration& declared = algorithm_.declaration();
    if (declared.storage != StorageModel::virtual_channels || graph_.processors() == 1) return;
    std::vector<TrafficClass> classes = declared.classes;
    // The packets of a list may be in other subnets than their class.
    for (const Packet& packet : packets_ == nullptr || classes.empty() ? std::vector<Packet>() : *packets_)
      if (auto& own = classes[packet.traffic_class].subnet; packet.subnet >= 0 && own != packet.subnet) own.reset();
    if (traffic_.closed_loop() != nullptr) return;  // see loop_text
    protocol_ = protocol_cycle(classes, declared.channels);
    if (const auto replies = traffic_.replies(); replies && replies->channels == 0) protocol_ = ProtocolCycle{};
  }
  /// Requests that can be under way to a server.
  struct Demand {
    NodeId server = no_node;
    std::int64_t requests = 0;
  };
  /// The server to which most requests can be under way.
  static Demand greatest_demand(const ClosedLoop& loop) {
    const std::int64_t of_client = std::min(loop.outstanding, loop.requests.value_or(loop.outstanding));
    Demand most;
    for (std::size_t server = 0; server < loop.servers.size(); ++server) {
      std::int64_t requests = 0;
      for (std::size_t client = 0; client < loop.clients.size(); ++client) {
        const bool only = loop.destination == ClosedLoop::Choice::nearest;
        if (only ? loop.first_server[client] == server : loop.clients[client] != loop.servers[server])
          requests += of_client;
      }
      if (requests > most.requests) most = {loop.servers[server], requests};
    }
    return most;
  }
  /// A server whose queue does not have room for all requests, while its replies wait for the channels of these.
  static std::optional<Demand> overfull_server(const ClosedLoop& loop) {
    const Demand most = greatest_demand(loop);
    const bool limited = loop.reply.queue > 0 && loop.reply.unsent > 0 && loop.reply.channels == 0;
    return limited && most.requests > loop.reply.queue ? std::optional(most) : std::nullopt;
  }
  std::string loop_text(const ClosedLoop& loop) const {
    const ReplyRules& reply = loop.reply;
    if (reply.queue == 0) return "acyclic: servers accept any number of requests";
    if (reply.unsent == 0) return "acyclic: servers create replies whether the earlier ones have left or not";
    if (reply.channels > 0) return "acyclic: requests and replies share no channel";
    const auto demand = overfull_server(loop);
    if (!demand)
      return fmt::format("acyclic: at most {} are under way to a server, and its queue has room for {}",
                         counted(greatest_demand(loop).requests, "request"), reply.queue);
    return fmt::format(
        "may-deadlock: request -> queue -> reply -> channels -> request: {} can be under way to {},\n{:16}"
        "whose queue has room for {}; the others stay in channels for which its replies wait.\n{:16}"
        "traffic.reply.channels separates them",
        counted(demand->requests, "request"), graph_.node_name(demand->server), "", reply.queue, "");
  }

  /// The paths of a request and its reply, and of those in the other direction, are a cycle, for every routing
  /// function.
  std::string protocol_text() const {
    PacketEnds pair{graph_.processor(0), graph_.processor(1)};
    for (auto stream = load_.streams().rbegin(); stream != load_.streams().rend(); ++stream)
      for (auto given = stream->pairs.rbegin(); given != stream->pairs.rend(); ++given)
        if (!stream->replies && given->source != given->destination) pair = {given->source, given->destination};
    const std::vector<TrafficClass>& classes = algorithm_.declaration().classes;
    const TrafficClass* const requests =
        classes.empty() ? nullptr : &classes[static_cast<std::size_t>(protocol_->requests)];
    const std::string separation = requests == nullptr ? "traffic.reply.channels separates them"
                                   : requests->reply->traffic_class == protocol_->requests
                                       ? "A class of their own, with other channels, separates them"
                                       : "The keys channels of the classes separate them";
    const std::string ends = graph_.node_name(pair.source) + " to " + graph_.node_name(pair.destination);
    if (protocol_->limited)
      return fmt::format(
          "may-deadlock (protocol): requests and replies share channels, and a node accepts at most {} of\n{:16}class "
          "{} "
          "before it has sent the replies: requests from {} and back can\n{:16}wait for each other forever. {}",
          counted(requests->reply->places, "request"), "", requests->name, ends, "", separation);
    return fmt::format(
        "may-deadlock (protocol): requests and replies share channels; if nodes accepted a request only "
        "after\n{:16}their replies have left, requests from {} and back could wait for each other forever. Not "
        "in\n{:16}this run, whose nodes accept any number of requests. {}",
        "", ends, "", separation);
  }

  std::string packet_text(const PacketEnds& packet) const {
    return fmt::format("a packet from {} to {}", graph_.node_name(packet.source), graph_.node_name(packet.destination));
  }

  /// How many of the pairs of a source and another destination have a path.
  std::string connected_text() const {
    const std::int64_t all = std::int64_t{graph_.processors()} * (graph_.processors() - 1);
    const auto* const without_path = algorithm_.without_path();
    if (without_path == nullptr)
      return all == 2 ? "both pairs are connected" : fmt::format("all {} pairs are connected", all);
    const std::int64_t pairs = all - without_path->count();
    return fmt::format("{} of {} pairs ({} %) {} connected", pairs, all,
                       decimal(100.0 * static_cast<double>(pairs) / static_cast<double>(all), 3),
                       pairs == 1 ? "is" : "are");
  }

  /// The verdict on delivery of all packets, for any choices of function and router.
  std::string paths_text() const {
    const ChannelDependencies& found = *dependencies_;
    if (found.lost)
      return fmt::format("{} has no route in {}", packet_text(found.lost->packet), graph_.node_name(found.lost->node));
    if (found.astray)
      return fmt::format("endless: {} can visit {} again and again", packet_text(found.astray->packet),
                         graph_.node_name(found.astray->node));
    if (graph_.processors() == 1) return "none: there is one processor";
    if (found.longest == 0) return connected_text();
    const std::string text = fmt::format("{}, over at most {}", connected_text(), counted(found.longest, "link"));
    if (found.farthest.source == no_node) return text;
    return text + fmt::format(" ({} to {})", graph_.node_name(found.farthest.source),
                              graph_.node_name(found.farthest.destination));
  }

  double steps_of_sources() const {
    const auto phases = traffic_.phases();
    return phases ? static_cast<double>(phases->warmup + phases->measure) : 0;
  }
  double packets() const {
    if (packets_ != nullptr) return static_cast<double>(packets_->size());
    return load_.packet_rate() * graph_.processors() * steps_of_sources();
  }
  /// For a run that lists its packets; one of open loop need not.
  std::string memory_line() const {
    const NetworkSize size = size_of_network();
    const double tables = bytes_of_tables();
    const std::string listed = memory_text(run_bytes(size, packets() - waiting(), waiting()) + tables);
    if (!traffic_.phases()) return listed;
    const std::string forgotten = memory_text(run_bytes(size, 0, waiting()) + tables);
    return forgotten == listed ? listed : fmt::format("{}; with --no-packets {}", listed, forgotten);
  }
  NetworkSize size_of_network() const {
    const double subnets = experiment_.subnets();
    return {subnets * graph_.nodes(), subnets * static_cast<double>(graph_.links())};
  }
  double bytes_of_tables() const {
    double bytes = 0;
    for (int packet_class = 0; packet_class < algorithm_.class_count(); ++packet_class)
      if (const auto* function = algorithm_.routing_function(packet_class)) bytes += function->table_bytes();
    const Declaration& declared = algorithm_.declaration();
    const bool routers = declared.storage == StorageModel::virtual_channels;
    const double nodes = size_of_network().nodes, subnets = experiment_.subnets();
    double terminals = 0;
    for (NodeId node = 0; node < graph_.nodes(); ++node) terminals += graph_.is_terminal(node) ? subnets : 0;
    const int channels = routers ? (graph_.ports() + 1) * declared.channels : 0;
    bytes += flight_bytes(nodes, graph_.ports(), graph_.greatest_latency(), channels);
    return bytes + (routers ? router_bytes(nodes - terminals, terminals, channels, declared.capacity) : 0);
  }

  /// The flits of the run, if known. In open loop, links pass flits up to their capacity; the others wait.
  std::optional<FlitHops> hops() const {
    FlitHops hops;
    if (packets_ == nullptr) {
      if (!load_.links()) return std::nullopt;
      for_each_load([&](const OfferedLoad& of_subnet) {
        of_subnet.each_link([&](NodeId node, Port port, double load) {
          const double most = of_subnet.rate_of_link(node, port).flits_per_step();
          hops.all += std::min(load, most) * steps_of_sources();
          if (load > most) hops.from_full += most * steps_of_sources();
        });
      });
    } else if (load_.links()) {
      hops.all = load_.links()->hops;
    } else {
      for (const Packet& packet : *packets_)
        hops.all += static_cast<double>(links_between(packet.source, packet.destination)) * packet.flits;
    }
    return hops;
  }
  /// Packets of an open loop that links and local ports cannot carry during it.
  double waiting() const {
    if (packets_ != nullptr) return 0;
    double share = 0;
    for_each_load([&](const OfferedLoad& load) { share += load.share() * load.left_over(); });
    return packets() * share;
  }
  std::string time_text() const {
    if (!hops_) return "not known before the run";
    const std::string text =
        fmt::format("{}, an estimate for {:.0f} flit hops",
                    seconds_text(estimated_seconds(graph_, algorithm_.declaration(), *hops_)), hops_->all);
    return waiting() == 0 ? text
                          : text + fmt::format("; beyond saturation: {:.0f} packets remain undelivered", waiting());
  }
  /// Warnings about sizes that a table of energies is not known to hold for, and runs that take too long, or too much
  /// memory for this machine.
  std::vector<std::string> warning_lines() const {
    std::vector<std::string> lines;
    if (priced_ != nullptr)
      for (const std::string& text : energy_warnings(*experiment_.energy->table, priced_->costs))
        lines.push_back(line_text("warning", text));
    if (!traffic_.phases() || packets_ != nullptr) return lines;
    // If loads are not known, each flit is assumed to cross one link.
    const double flits = load_.rate() * graph_.processors() * steps_of_sources();
    if (estimated_seconds(graph_, algorithm_.declaration(), hops_.value_or(FlitHops{flits, 0})) > seconds_of_year)
      lines.push_back(
          line_text("warning", "the run takes longer than a year; lower traffic.warmup and traffic.measure"));
    const NetworkSize size = size_of_network();
    const auto available = available_bytes();
    if (available && run_bytes(size, packets() - waiting(), waiting()) + bytes_of_tables() > *available)
      lines.push_back(
          line_text("warning", fmt::format("its packets need more memory than the {:.0f} MB that are available; lower "
                                           "traffic.warmup and traffic.measure, or run it with --no-packets",
                                           *available / 1e6)));
    return lines;
  }

  const Experiment& experiment_;
  const LinkNetwork& network_;
  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  const Traffic& traffic_;
  const std::vector<Packet>* packets_;
  const PricedNetwork* const priced_;
  const OfferedLoad load_;                     ///< as if all packets were in one subnet
  const std::vector<OfferedLoad> of_subnets_;  ///< if there are several
  std::optional<ChannelDependencies> dependencies_;
  bool too_many_paths_ = false;
  std::optional<ProtocolCycle> protocol_;
  const std::optional<FlitHops> hops_;
};

}  // namespace

std::optional<double> full_load(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                                const Traffic& traffic) {
  if (experiment.subnets() == 1) return OfferedLoad(experiment, network, algorithm, traffic, nullptr).full_load();
  std::optional<double> least = full_load_of(loads_of_subnets(experiment, network, algorithm, traffic, nullptr));
  if (const auto queue = first_full_queue(experiment, network.graph, traffic); least && queue)
    least = std::min(*least, queue->rate);
  return least;
}

PreflightReport preflight_of(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                             const Traffic& traffic, const std::vector<Packet>* packets, const PricedNetwork* priced,
                             const std::vector<std::string>& subject, const std::function<void(const char*)>& begins) {
  if (traffic.ranks()) return {subject};  // many plans instead of one run
  begins("link loads, and cycles of waiting packets");
  return Preflight(experiment, network, algorithm, traffic, packets, priced).preflight(subject);
}

}  // namespace starloom::links
