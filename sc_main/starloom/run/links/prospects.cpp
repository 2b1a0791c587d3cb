// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/prospects.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <starloom/analysis/estimate_text.hpp>
#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/analysis/links/way_demand.hpp>
#include <starloom/analysis/run_estimate.hpp>
#include <starloom/control/links/ways.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/run/links/task_demand.hpp>
#include <starloom/run/traffic_setup.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/traffic/packet_lengths.hpp>

namespace starloom::links {
namespace {

/// What takes all pairs of nodes is not done for more: a second on a machine of today.
constexpr NodeId most_nodes_for_pairs = 10'000;
/// Nor are flows followed over more links in all: some seconds.
constexpr std::int64_t most_crossings = 50'000'000;
/// Nor are longer packets followed flit by flit.
constexpr std::int32_t most_flits_followed = 1'000'000;
constexpr double seconds_of_year = 365.25 * 24 * 3600;

/// Traffic and the way it takes, as far as both are known.
class Foresight {
 public:
  Foresight(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
            const Traffic& traffic, const std::vector<Packet>* packets)
      : experiment_(experiment),
        network_(network),
        graph_(network.graph),
        algorithm_(algorithm),
        traffic_(traffic),
        packets_(packets) {
    if (packets_ == nullptr) {
      per_step_ = " a step";
      demand_ = demand_of_rates();
    } else if (algorithm_.plan() != nullptr) {
      demand_ = demand_of_plan(graph_, *algorithm_.plan(), *packets_);
    } else {
      std::vector<Flow> flows;
      for (const Packet& packet : *packets_)
        flows.push_back({packet.source, packet.destination, static_cast<double>(packet.flits)});
      demand_ = demand_of_flows(flows);
    }
    hops_ = hops();
  }

  /// The rate at which a link is full, however heads choose.
  std::optional<double> full_rate() const {
    if (!demand_ || demand_->hops == 0) return std::nullopt;
    if (demand_->meaning != LinkDemand::Meaning::shared) return rate() / slowest_link().needs;
    return demand_->least == 0 ? std::nullopt : std::optional(rate() / demand_->least);
  }

  Prospects prospects() {
    find_dependencies();
    std::vector<std::string> lines = {line_text("link load", load_text())};
    if (traffic_.tasks() != nullptr) add_task_lines(*traffic_.tasks(), lines);
    if (packets_ != nullptr) lines.push_back(line_text("at least", bound_text()));
    else if (routed_by_function() && demand_ && demand_->meaning != LinkDemand::Meaning::shared)
      lines.push_back(line_text("zero load", zero_load_text()));
    lines.push_back(line_text("deadlock", deadlock_text()));
    if (dependencies_) lines.push_back(line_text("ways", ways_text()));
    lines.push_back(line_text("memory", memory_line()));
    lines.push_back(line_text("run time", time_text()));
    add_warnings(lines);
    Prospects all{std::move(lines)};
    if (dependencies_ && (dependencies_->without_escape || !dependencies_->acyclic()))
      all.concerns.emplace_back("can deadlock");
    if (dependencies_ && dependencies_->lost) all.concerns.emplace_back("a packet can have nowhere to go");
    if (dependencies_ && dependencies_->astray) all.concerns.emplace_back("a packet can go round for ever");
    const std::string warning = line_text("warning", "");
    if (std::any_of(all.lines.begin(), all.lines.end(),
                    [&](const std::string& line) { return line.rfind(warning, 0) == 0; }))
      all.concerns.emplace_back("has warnings");
    return all;
  }

 private:
  void find_dependencies() {
    const StorageModel storage = algorithm_.declaration().storage;
    if ((storage == StorageModel::virtual_channels || storage == StorageModel::links_only) && !too_many_pairs())
      dependencies_ = channel_dependencies(graph_, algorithm_);
    too_many_ways_ = dependencies_ && dependencies_->too_many_ways;
    if (too_many_ways_) dependencies_.reset();
  }
  double rate() const { return experiment_.traffic.number("rate"); }
  /// Of the replies, in the same flits per node and step.
  double reply_rate() const {
    const auto replies = traffic_.replies();
    return replies ? rate() * replies->flits / packet_lengths(experiment_.traffic).mean() : 0;
  }
  bool routed_by_function() const { return algorithm_.routing_function(false) != nullptr; }
  /// Every packet of a pair of nodes takes the same way.
  bool ways_are_fixed() const {
    const routing::RoutingFunction* function = algorithm_.routing_function(false);
    return function == nullptr || (function->draws() == 1 && !function->adaptive());
  }
  std::string zero_load_text() const {
    const ZeroLoad zero_load(graph_, algorithm_);
    if (!zero_load.never_stretches() || traffic_.replies())
      if (const auto mean = mean_over_pairs(zero_load))
        return fmt::format("mean latency {:.2f} steps without contention", *mean);
    // The latency of a head is a sum over its links.
    double head_steps = 0;
    each_link([&](NodeId node, Port port, double load) {
      head_steps += load * static_cast<double>(zero_load.head_steps(graph_.index(node, port)));
    });
    const double flits_a_step = (rate() + reply_rate()) * graph_.processors();
    const double packets_a_step =
        rate() / packet_lengths(experiment_.traffic).mean() * (traffic_.replies() ? 2 : 1) * graph_.processors();
    const double mean =
        static_cast<double>(zero_load.head_start()) + head_steps / flits_a_step + flits_a_step / packets_a_step - 1;
    return zero_load.never_stretches()
               ? fmt::format("mean latency {:.2f} steps without contention", mean)
               : fmt::format(
                     "mean latency at least {:.2f} steps without contention: small buffers or slow links stretch "
                     "packets, by what is not computed",
                     mean);
  }
  /// The mean latency of all packets, replies included; nullopt where ways are not fixed, or too long to follow in all.
  std::optional<double> mean_over_pairs(const ZeroLoad& zero_load) const {
    const PacketLengths lengths = packet_lengths(experiment_.traffic);
    const std::int32_t reply_flits = traffic_.replies() ? traffic_.replies()->flits : 0;
    const double pairs = static_cast<double>(graph_.processors()) * (pairs_.empty() ? graph_.processors() : 1);
    const double crossed = demand_->hops / ((rate() + reply_rate()) * graph_.processors()) * pairs;
    if (!ways_are_fixed() || crossed > most_crossings || lengths.longest() > most_flits_followed) return std::nullopt;
    double sum = 0;
    std::int64_t packets = 0;
    bool known = true;
    std::map<std::vector<std::int32_t>, double> request_means, reply_means;  // [latencies and intervals of the links]
    const auto see = [&](NodeId source, NodeId destination, bool reply) {
      PacketWay way;
      known = known && offered_way(graph_, algorithm_, {source, destination, 1, 0, reply}, 0, way);
      if (!known) return;
      std::vector<std::int32_t> key = {graph_.is_terminal(source) ? 1 : 0, graph_.is_terminal(destination) ? 1 : 0};
      for (const std::size_t link : way.links) {
        const auto node = static_cast<NodeId>(link / static_cast<std::size_t>(graph_.ports()));
        const auto port = static_cast<Port>(link % static_cast<std::size_t>(graph_.ports()));
        key.push_back(graph_.latency(node, port));
        key.push_back(graph_.interval(node, port));
      }
      const auto [mean, fresh] = (reply ? reply_means : request_means).emplace(std::move(key), 0);
      if (fresh && reply) {
        mean->second = static_cast<double>(zero_load.latency(way, reply_flits));
      } else if (fresh) {
        const std::vector<Step> latencies = zero_load.latencies(way, lengths.longest());
        lengths.for_each([&](std::int32_t flits, double share) {
          mean->second += share * static_cast<double>(latencies[static_cast<std::size_t>(flits) - 1]);
        });
      }
      sum += mean->second;
      ++packets;
    };
    const auto see_pair = [&](NodeId source, NodeId destination) {
      see(source, destination, false);
      if (reply_flits > 0) see(destination, source, true);
    };
    for (const PacketEnds& pair : pairs_) see_pair(pair.source, pair.destination);
    if (pairs_.empty())
      for (NodeId source = 0; source < graph_.processors() && known; ++source)
        for (NodeId destination = 0; destination < graph_.processors(); ++destination)
          see_pair(graph_.processor(source), graph_.processor(destination));
    return known && packets > 0 ? std::optional(sum / static_cast<double>(packets)) : std::nullopt;
  }
  std::int32_t links_between(NodeId source, NodeId destination) const {
    return least_links(algorithm_.declaration().storage, graph_, source, destination);
  }
  bool too_many_pairs() const { return graph_.nodes() > most_nodes_for_pairs; }

  /// Of open loop, in flits a step.
  std::optional<LinkDemand> demand_of_rates() {
    if (experiment_.pattern->uniform_destinations) {
      if (too_many_pairs()) return std::nullopt;
      const double all = rate() + reply_rate();
      auto fixed = uniform_demand(graph_, algorithm_, all);
      return fixed || !routed_by_function() ? fixed
                                            : uniform_demand_by_ways(graph_, *algorithm_.routing_function(false), all);
    }
    // Without a rate the pattern is a list of packets, whose destinations are the same.
    const auto once = make_traffic(*experiment_.pattern, traffic_context(experiment_, processors_of(network_), false),
                                   without_rate(experiment_.traffic));
    std::vector<Packet> packets;
    once->generate(0, once->end().value(), packets);
    std::vector<Flow> flows;
    flows.reserve(packets.size());
    for (const Packet& packet : packets) {
      flows.push_back({packet.source, packet.destination, rate()});
      pairs_.push_back({packet.source, packet.destination});
      if (traffic_.replies()) flows.push_back({packet.destination, packet.source, reply_rate()});
    }
    return demand_of_flows(flows);
  }

  std::optional<LinkDemand> demand_of_flows(const std::vector<Flow>& flows) {
    std::int64_t crossings = 0;
    for (const Flow& flow : flows) crossings += links_between(flow.source, flow.destination);
    too_many_crossings_ = crossings > most_crossings;
    if (too_many_crossings_) return std::nullopt;
    return demand_of_ways(graph_, algorithm_, flows);
  }
  std::string unknown() const {
    if (too_many_crossings_) return fmt::format("not computed where packets cross more than {} links", most_crossings);
    if (packets_ == nullptr && experiment_.pattern->uniform_destinations && too_many_pairs())
      return fmt::format("not computed for more than {} nodes", most_nodes_for_pairs);
    if (!routed_by_function())
      return fmt::format("not known before the run: {} has no fixed routing function", experiment_.algorithm->name);
    if (dependencies_ && dependencies_->astray) return "not known: packets may go round for ever";
    return "not computed: too many ways are open to packets in so large a network";
  }

  std::string load_text() const {
    if (!demand_) return unknown();
    const double most = demand_->most();
    if (most == 0) return "none";
    const auto at = static_cast<NodeId>(demand_->busiest());
    const Port port = at % graph_.ports();
    std::string text =
        fmt::format("mean {}, max {} flits{} over {}", decimal(demand_->hops / static_cast<double>(graph_.links())),
                    decimal(most), per_step_, graph_.link_name(at / graph_.ports(), port));
    switch (demand_->meaning) {
      case LinkDemand::Meaning::certain: break;
      case LinkDemand::Meaning::expected: text += ", the mean of what packets draw"; break;
      case LinkDemand::Meaning::shared: return text + shared_text();
    }
    return text + (packets_ == nullptr ? full_text() : busiest_text(at));
  }
  /// The link with the most flits is not always the one that they keep busy longest.
  std::string busiest_text(NodeId most) const {
    const SlowestLink busiest = slowest_link();
    const std::size_t link = graph_.index(busiest.node, busiest.port);
    if (link == static_cast<std::size_t>(most)) return "";
    return fmt::format("; busiest {}: {} flits, each for {} steps", graph_.link_name(busiest.node, busiest.port),
                       decimal(demand_->load[link]), graph_.interval(busiest.node, busiest.port));
  }
  /// The link that is full first.
  struct SlowestLink {
    double needs = 0;  ///< share of the steps, at the rate of the experiment
    NodeId node = no_node;
    Port port = no_port;
  };
  SlowestLink slowest_link() const {
    SlowestLink slowest;
    each_link([&](NodeId node, Port port, double load) {
      const double needs = load * graph_.interval(node, port);
      if (needs > slowest.needs * (1 + 1e-9)) slowest = {needs, node, port};
    });
    return slowest;
  }
  std::string full_text() const {
    const SlowestLink slowest = slowest_link();
    const std::int32_t interval = graph_.interval(slowest.node, slowest.port);
    return fmt::format(", full at rate {}{}", decimal(rate() / slowest.needs),
                       interval == 1 ? ""
                                     : fmt::format(" over {}, which takes a flit in {} steps",
                                                   graph_.link_name(slowest.node, slowest.port), interval));
  }
  template <class Visit>
  void each_link(const Visit& visit) const {
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for (PortMask left = graph_.out_mask(node); left != 0; left &= left - 1)
        visit(node, lowest_port(left), demand_->load[graph_.index(node, lowest_port(left))]);
  }
  std::string shared_text() const {
    const std::string text = " if heads take all ports alike; ";
    if (demand_->least == 0) return text + "the least possible is not computed for so large a network";
    return text + fmt::format("however they choose, some link has at least {}", decimal(demand_->least)) +
           (packets_ == nullptr
                ? fmt::format(", and is full at rate {} at the latest", decimal(rate() / demand_->least))
                : "");
  }

  /// The busiest links with the flows over them, and what needs more than it has.
  void add_task_lines(const PlacedTasks& tasks, std::vector<std::string>& lines) const {
    const TaskDemand demand = demand_of_tasks(graph_, algorithm_, tasks);
    std::string name = "flows";
    for (const std::string& line : demand.busiest) lines.push_back(line_text(std::exchange(name, ""), line));
    for (const std::string& warning : demand.warnings) lines.push_back(line_text("warning", warning));
    if (!demand.warnings.empty()) lines.push_back(line_text("", TaskDemand::advice));
  }

  /// No link passes more than a flit a step, and no packet is faster than its distance.
  std::string bound_text() const {
    const ZeroLoad zero_load(graph_, algorithm_);
    double followed = 0;
    for (const Packet& packet : *packets_)
      followed += static_cast<double>(links_between(packet.source, packet.destination)) *
                  (zero_load.never_stretches() ? 1 : packet.flits);
    const bool walks = ways_are_fixed() && algorithm_.plan() == nullptr && followed <= most_crossings;
    Step way = 0;
    for (const Packet& packet : *packets_)
      way = std::max(way, packet.created + (walks ? zero_load.latency(packet, 0)
                                                  : zero_load.least(packet.source, packet.destination, packet.flits)));
    const double link = steps_of_links();
    if (link < 0) return fmt::format("{} steps in any run: the longest path", way);
    return fmt::format("{:.0f} steps in any run: {} for the longest path, {:.0f} for the busiest link",
                       std::max(static_cast<double>(way), link), way, link);
  }
  /// That the flits of a link take in every run, on the link that takes longest; -1: not known.
  double steps_of_links() const {
    if (!demand_ || demand_->meaning == LinkDemand::Meaning::expected) return -1;
    if (demand_->meaning == LinkDemand::Meaning::shared)
      return demand_->least == 0 && demand_->most() > 0 ? -1 : std::ceil(demand_->least * (1 - 1e-9));
    double most = 0;
    each_link([&](NodeId node, Port port, double load) {
      if (load > 0) most = std::max(most, (load - 1) * graph_.interval(node, port) + graph_.latency(node, port));
    });
    return most;
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
    if (too_many_ways_) return "not computed: packets have too many ways through so large a network";
    if (!dependencies_) return unknown();
    const ChannelDependencies& found = *dependencies_;
    const std::string vertices =
        found.classes > 1
            ? fmt::format("{} of channels, {} a link,",
                          counted(found.vertices, found.extended ? "escape class" : "class"), found.classes)
            : counted(found.vertices, found.extended ? "escape channel" : "link");
    const std::string graph = fmt::format(
        "{} with {}", vertices, counted(found.dependencies, found.extended ? "extended dependency" : "dependency"));
    if (found.without_escape)
      return fmt::format("may-deadlock: {} has no escape channel in {}", packet_text(found.without_escape->packet),
                         graph_.node_name(found.without_escape->node));
    if (found.acyclic()) return fmt::format("acyclic: {}, no circle", graph);
    std::string text =
        fmt::format("may-deadlock: {}; {} lie on circles, in {} strong component{}; a shortest circle:", graph,
                    found.in_circles, found.components, found.components == 1 ? "" : "s");
    for (const HeldChannel& channel : found.circle)
      text += fmt::format("\n{:16}{} to {} over {}{}, held by {}", "", graph_.node_name(channel.node),
                          graph_.node_name(graph_.far_end(channel.node, channel.port).node),
                          graph_.link_name(channel.node, channel.port),
                          channel.first < 0 ? "" : fmt::format(", channels from {} on", channel.first),
                          packet_text(channel.packet));
    return text;
  }

  std::string packet_text(const PacketEnds& packet) const {
    return fmt::format("a packet from {} to {}", graph_.node_name(packet.source), graph_.node_name(packet.destination));
  }

  /// Whether all packets arrive, however the function and the router choose.
  std::string ways_text() const {
    const ChannelDependencies& found = *dependencies_;
    if (found.lost)
      return fmt::format("{} has nowhere to go in {}", packet_text(found.lost->packet),
                         graph_.node_name(found.lost->node));
    if (found.astray)
      return fmt::format("endless: {} may come to {} again and again", packet_text(found.astray->packet),
                         graph_.node_name(found.astray->node));
    if (found.pairs == 0) return "none: there is one processor";
    const std::string text = fmt::format("{} are connected, over at most {}",
                                         found.pairs == 2 ? "both pairs" : fmt::format("all {} pairs", found.pairs),
                                         counted(found.longest, "link"));
    if (found.furthest.source == no_node) return text;
    return text + fmt::format(" ({} to {})", graph_.node_name(found.furthest.source),
                              graph_.node_name(found.furthest.destination));
  }

  double steps_of_sources() const {
    const auto phases = traffic_.phases();
    return phases ? static_cast<double>(phases->warmup + phases->measure) : 0;
  }
  double packets() const {
    if (packets_ != nullptr) return static_cast<double>(packets_->size());
    const double requests = rate() / packet_lengths(experiment_.traffic).mean() * graph_.processors();
    return requests * (traffic_.replies() ? 2 : 1) * steps_of_sources();
  }
  /// Of a run that lists its packets; one of open loop need not.
  std::string memory_line() const {
    const NetworkSize size{static_cast<double>(graph_.nodes()), static_cast<double>(graph_.links())};
    const double tables = bytes_of_tables();
    const std::string listed = memory_text(run_bytes(size, packets() - waiting(), waiting()) + tables);
    if (!traffic_.phases()) return listed;
    const std::string forgotten = memory_text(run_bytes(size, 0, waiting()) + tables);
    return forgotten == listed ? listed : fmt::format("{}; with --no-packets {}", listed, forgotten);
  }
  double bytes_of_tables() const {
    const auto *packets = algorithm_.routing_function(false), *replies = algorithm_.routing_function(true);
    const Declaration& declared = algorithm_.declaration();
    const bool routers = declared.storage == StorageModel::virtual_channels;
    return (packets == nullptr ? 0 : packets->table_bytes()) +
           (replies == nullptr || replies == packets ? 0 : replies->table_bytes()) +
           (routers ? router_bytes(graph_.nodes(), (graph_.ports() + 1) * declared.channels, declared.capacity) : 0);
  }

  /// Of the run, if known. Of open loop, no link passes more than it can; the rest waits.
  std::optional<FlitHops> hops() const {
    FlitHops hops;
    if (packets_ == nullptr) {
      if (!demand_) return std::nullopt;
      each_link([&](NodeId node, Port port, double load) {
        const double most = 1.0 / graph_.interval(node, port);
        hops.all += std::min(load, most) * steps_of_sources();
        if (load > most) hops.from_full += most * steps_of_sources();
      });
    } else if (demand_) {
      hops.all = demand_->hops;
    } else {
      for (const Packet& packet : *packets_)
        hops.all += static_cast<double>(links_between(packet.source, packet.destination)) * packet.flits;
    }
    return hops;
  }
  /// Packets of an open loop that the links cannot carry while it lasts.
  double waiting() const {
    if (packets_ != nullptr || !demand_ || demand_->hops == 0) return 0;
    return packets() * std::max(0.0, 1 - hops_->all / (demand_->hops * steps_of_sources()));
  }
  std::string time_text() const {
    if (!hops_) return "not known before the run";
    const std::string text =
        fmt::format("{}, an estimate for {:.0f} flit hops",
                    seconds_text(estimated_seconds(graph_, algorithm_.declaration(), *hops_)), hops_->all);
    return hops_->from_full == 0 ? text
                                 : text + fmt::format("; beyond saturation: {:.0f} packets are left over", waiting());
  }
  /// Of what no machine lives to see, or this one cannot keep.
  void add_warnings(std::vector<std::string>& lines) const {
    if (!traffic_.phases() || packets_ != nullptr) return;
    // Of what is not known each flit crosses a link, about.
    const double flits = rate() * graph_.processors() * steps_of_sources();
    if (estimated_seconds(graph_, algorithm_.declaration(), hops_.value_or(FlitHops{flits, 0})) > seconds_of_year)
      lines.push_back(
          line_text("warning", "the run takes longer than a year; lower traffic.warmup and traffic.measure"));
    const NetworkSize size{static_cast<double>(graph_.nodes()), static_cast<double>(graph_.links())};
    const auto available = available_bytes();
    if (available && run_bytes(size, packets() - waiting(), waiting()) + bytes_of_tables() > *available)
      lines.push_back(
          line_text("warning", fmt::format("its packets need more memory than the {:.0f} MB that are available; lower "
                                           "traffic.warmup and traffic.measure, or run it with --no-packets",
                                           *available / 1e6)));
  }

  const Experiment& experiment_;
  const LinkNetwork& network_;
  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  const Traffic& traffic_;
  const std::vector<Packet>* packets_;
  std::string per_step_;
  std::vector<PacketEnds> pairs_;  ///< of an open-loop pattern that is not uniform
  std::optional<LinkDemand> demand_;
  std::optional<ChannelDependencies> dependencies_;
  bool too_many_crossings_ = false;
  bool too_many_ways_ = false;
  std::optional<FlitHops> hops_;
};

}  // namespace

std::optional<double> full_rate(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                                const Traffic& traffic) {
  return Foresight(experiment, network, algorithm, traffic, nullptr).full_rate();
}

Prospects prospects_of(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                       const Traffic& traffic, const std::vector<Packet>* packets,
                       const std::function<void(const char*)>& begins) {
  if (traffic.ranks()) return {};  // not one run but many plans
  begins("loads of links, and circles of waiting packets");
  return Foresight(experiment, network, algorithm, traffic, packets).prospects();
}

}  // namespace starloom::links
