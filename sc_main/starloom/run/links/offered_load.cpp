// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/offered_load.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/traffic/packet_lengths.hpp>

namespace starloom::links {
namespace {

/// Loads that are mathematically equal differ in their last digits.
bool exceeds(double one, double other) { return one > other * (1 + 1e-9); }

void add(LinkDemand& sum, const LinkDemand& more) {
  for (std::size_t link = 0; link < sum.load.size(); ++link) sum.load[link] += more.load[link];
  sum.hops += more.hops;
  sum.meaning = std::max(sum.meaning, more.meaning);
  sum.least = std::max(sum.least, more.least);
}

}  // namespace

std::vector<OfferedStream> offered_streams(const Experiment& experiment, const Traffic& traffic) {
  std::vector<OfferedStream> streams;
  for (PacketStream& own : traffic.streams()) {
    const auto number = static_cast<std::size_t>(own.traffic_class);
    const auto reply = experiment.classes.empty() ? traffic.replies() : experiment.classes[number].facts.reply;
    streams.push_back({std::move(own)});
    if (!reply) continue;
    OfferedStream replies = streams.back();
    const auto factor = [&, mean = replies.lengths.mean()](std::int32_t flits) {
      return reply->flits / (flits > 0 ? flits : mean);
    };
    replies.rate *= factor(0);
    for (PairRate& pair : replies.pairs) pair = {pair.destination, pair.source, pair.rate * factor(pair.flits)};
    replies.lengths = PacketLengths(reply->flits);
    replies.traffic_class = reply->traffic_class;
    replies.replies = true;
    streams.push_back(std::move(replies));
  }
  return streams;
}

std::vector<OfferedStream> in_packets(std::vector<OfferedStream> streams) {
  for (OfferedStream& stream : streams) {
    const double mean = stream.lengths.mean();
    stream.rate /= mean;
    for (PairRate& pair : stream.pairs) {
      pair.rate /= pair.flits > 0 ? pair.flits : mean;
      pair.flits = 0;
    }
    stream.lengths = PacketLengths(1);
  }
  return streams;
}

std::vector<double> rates_of_sources(const NetworkGraph& graph, const PacketStream& stream) {
  std::vector<double> rates(static_cast<std::size_t>(graph.nodes()));
  for (NodeId processor = 0; processor < graph.processors(); ++processor)
    rates[static_cast<std::size_t>(graph.processor(processor))] = stream.rate * stream.uniform_share;
  for (const PairRate& pair : stream.pairs) rates[static_cast<std::size_t>(pair.source)] += pair.rate;
  return rates;
}

OfferedLoad::OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                         const Traffic& traffic, const std::vector<Packet>* packets, std::optional<int> subnet)
    : OfferedLoad(experiment, network, algorithm, traffic, packets,
                  packets == nullptr ? offered_streams(experiment, traffic) : std::vector<OfferedStream>(), subnet) {}

OfferedLoad::OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                         const Traffic& traffic, std::vector<OfferedStream> streams, std::optional<int> subnet)
    : OfferedLoad(experiment, network, algorithm, traffic, nullptr, std::move(streams), subnet) {}

OfferedLoad::OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                         const Traffic& traffic, const std::vector<Packet>* packets, std::vector<OfferedStream> streams,
                         std::optional<int> subnet)
    : experiment_(experiment),
      graph_(network.graph),
      algorithm_(algorithm),
      traffic_(traffic),
      packets_(packets),
      streams_(std::move(streams)),
      sent_(static_cast<std::size_t>(graph_.nodes())),
      received_(sent_.size()) {
  if (packets_ == nullptr) {
    for (OfferedStream& stream : streams_)
      if (!stream.replies) rate_ += stream.rate;
    if (algorithm_.without_path() != nullptr) leave_out_lost_pairs(*algorithm_.without_path());
    double all = 0, own = 0;
    for (OfferedStream& stream : streams_) {
      all += stream.rate;
      Packet packet;
      packet.traffic_class = static_cast<std::uint8_t>(stream.traffic_class);
      const double share = share_in(subnet, packet);
      stream.rate *= share;
      for (PairRate& pair : stream.pairs) pair.rate *= share;
      own += stream.rate;
    }
    if (all > 0) share_ = own / all;
    for (const OfferedStream& stream : streams_) longest_mean_ = std::max(longest_mean_, stream.lengths.mean());
    if (!streams_.empty()) links_ = demand_of_rates();
    return;
  }
  std::vector<Flow> flows;
  for (const Packet& packet : *packets_)
    if (const double share = share_in(subnet, packet); share > 0)
      add_flow(flows, {packet.source, packet.destination, share * static_cast<double>(packet.flits)});
  if (algorithm_.plan() != nullptr) {
    links_ = demand_of_plan(graph_, *algorithm_.plan(), *packets_);
  } else {
    links_ = demand_of_flows(flows);
    find_channels(flows, {});
  }
}

/// Packets of pairs without a path are not sent. If there are any, uniform packets have pairs, too.
void OfferedLoad::leave_out_lost_pairs(const routing::PairsWithoutPath& lost) {
  if (any_uniform() && graph_.nodes() > most_nodes_for_pairs) return;
  for (OfferedStream& stream : streams_) {
    const double uniform =
        stream.rate * std::exchange(stream.uniform_share, 0) / (graph_.processors() - (stream.to_itself ? 0 : 1));
    for (NodeId source = 0; source < graph_.processors() && uniform > 0; ++source)
      for (NodeId destination = 0; destination < graph_.processors(); ++destination)
        if (source != destination || stream.to_itself)
          stream.pairs.push_back({graph_.processor(source), graph_.processor(destination), uniform});
    stream.pairs.erase(
        std::remove_if(stream.pairs.begin(), stream.pairs.end(),
                       [&lost](const PairRate& pair) { return lost.contains(pair.source, pair.destination); }),
        stream.pairs.end());
    double carried = 0;
    for (const PairRate& pair : stream.pairs) carried += pair.rate;
    stream.rate = carried / graph_.processors();
  }
}

/// The probability that a packet of an experiment is in a subnet.
double OfferedLoad::share_in(std::optional<int> subnet, const Packet& packet) const {
  if (!subnet) return 1;
  const std::vector<TrafficClass>& classes = algorithm_.declaration().classes;
  std::optional<int> own = 0;
  if (packet.subnet >= 0) own = packet.subnet;
  else if (!classes.empty()) own = classes[packet.traffic_class].subnet;
  if (own) return *own == *subnet ? 1 : 0;
  return 1.0 / experiment_.subnets();
}

int OfferedLoad::source_streams() const {
  return static_cast<int>(
      std::count_if(streams_.begin(), streams_.end(), [](const OfferedStream& stream) { return !stream.replies; }));
}

double OfferedLoad::flit_rate() const {
  double all = 0;
  for (const OfferedStream& stream : streams_) all += stream.rate;
  return all;
}

double OfferedLoad::uniform_share() const {
  double uniform = 0;
  for (const OfferedStream& stream : streams_)
    if (!stream.replies) uniform += stream.rate * stream.uniform_share;
  if (streams_.empty()) return 0;
  return rate_ == 0 ? streams_.front().uniform_share : uniform / rate_;
}

bool OfferedLoad::any_uniform() const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const OfferedStream& stream) { return stream.uniform_share > 0; });
}

double OfferedLoad::packet_rate() const {
  double all = 0;
  for (const OfferedStream& stream : streams_) all += stream.rate / stream.lengths.mean();
  return all;
}

void OfferedLoad::add_flow(std::vector<Flow>& flows, const Flow& flow) {
  flows.push_back(flow);
  if (flow.source == flow.destination && !algorithm_.declaration().routes_own) return;
  sent_[static_cast<std::size_t>(flow.source)] += flow.flits;
  if (is_group(flow.destination)) {
    for (const NodeId node : algorithm_.declaration().tree_of(flow.destination).group.destinations)
      received_[static_cast<std::size_t>(node)] += flow.flits;
  } else {
    received_[static_cast<std::size_t>(flow.destination)] += flow.flits;
  }
}

/// For open loop, in flits per step.
std::optional<LinkDemand> OfferedLoad::demand_of_rates() {
  if (!any_uniform()) return demand_of_pairs();
  std::optional<LinkDemand> sum = demand_of_uniform();
  if (std::all_of(streams_.begin(), streams_.end(),
                  [](const OfferedStream& stream) { return stream.uniform_share == 1; }))
    return sum;
  const std::optional<LinkDemand> pairs = demand_of_pairs();
  if (!sum || !pairs) return std::nullopt;
  add(*sum, *pairs);
  return sum;
}

std::optional<LinkDemand> OfferedLoad::demand_of_uniform() {
  double all = 0;
  const double others = algorithm_.declaration().routes_own ? 1 : 1 - 1.0 / graph_.processors();
  for (const OfferedStream& stream : streams_)
    all += stream.rate * stream.uniform_share * (stream.to_itself ? others : 1);
  for (NodeId processor = 0; processor < graph_.processors(); ++processor) {
    const auto node = static_cast<std::size_t>(graph_.processor(processor));
    sent_[node] += all;
    received_[node] += all;
  }
  if (graph_.nodes() > most_nodes_for_pairs) return std::nullopt;
  const auto among = [this](bool to_itself) {
    return std::any_of(streams_.begin(), streams_.end(), [&](const OfferedStream& stream) {
      return stream.uniform_share > 0 && stream.to_itself == to_itself;
    });
  };
  std::optional<LinkDemand> demand = demand_of_uniform(among(true));
  if (demand && among(true) && among(false)) {
    const std::optional<LinkDemand> others = demand_of_uniform(false);
    if (!others) return std::nullopt;
    add(*demand, *others);
  }
  if (demand) find_channels({}, {});
  return demand;
}

std::optional<LinkDemand> OfferedLoad::demand_of_uniform(bool to_itself) {
  double rate = 0;
  for (const OfferedStream& stream : streams_)
    if (stream.to_itself == to_itself) rate += stream.rate * stream.uniform_share;
  const routing::RoutingFunction* function = algorithm_.routing_function(0);
  auto demand = uniform_demand(graph_, algorithm_, rate, to_itself);
  if (!demand && function != nullptr) demand = uniform_demand_by_paths(graph_, *function, rate, to_itself);
  return demand;
}

std::optional<LinkDemand> OfferedLoad::demand_of_pairs() {
  std::vector<Flow> requests, replies;
  for (const OfferedStream& stream : streams_)
    for (const PairRate& pair : stream.pairs)
      add_flow(stream.replies ? replies : requests, {pair.source, pair.destination, pair.rate});
  std::vector<Flow> all = requests;
  all.insert(all.end(), replies.begin(), replies.end());
  auto demand = demand_of_flows(all);
  if (demand && !any_uniform()) find_channels(requests, replies);  // else those of uniform packets are all
  return demand;
}

std::optional<LinkDemand> OfferedLoad::demand_of_flows(const std::vector<Flow>& flows) {
  std::int64_t crossings = 0;
  for (const Flow& flow : flows)
    crossings += least_links(algorithm_.declaration(), graph_, flow.source, flow.destination);
  too_many_crossings_ = crossings > most_crossings;
  if (too_many_crossings_) return std::nullopt;
  return demand_of_paths(graph_, algorithm_, flows);
}

/// A function that divides channels offers only some of them on a link. If a link with one channel would carry less
/// than with all, the channels that these packets may take are counted.
void OfferedLoad::find_channels(const std::vector<Flow>& requests, const std::vector<Flow>& replies) {
  // Classes of traffic have channels of their own; all are taken for those of all.
  if (!routers() || !algorithm_.declaration().classes.empty() || !channels_matter()) return;
  // Copies of packets to several destinations may take all of them.
  if (algorithm_.declaration().multicast != nullptr) return;
  const auto offered = [&](int packet_class, const std::vector<Flow>& flows) {
    const routing::RoutingFunction* function = algorithm_.routing_function(packet_class);
    if (function == nullptr) return std::vector<std::int32_t>();
    const auto demand =
        any_uniform() ? uniform_demand_by_paths(graph_, *function, rate()) : demand_by_paths(graph_, *function, flows);
    return demand ? demand->channels : std::vector<std::int32_t>();
  };
  if (!traffic_.replies() || algorithm_.class_count() == 1) {
    std::vector<Flow> all = requests;
    all.insert(all.end(), replies.begin(), replies.end());
    channels_ = offered(0, all);
    return;
  }
  // Requests and replies never share a channel here.
  channels_ = offered(0, requests);
  const std::vector<std::int32_t> of_replies = offered(1, replies);
  if (channels_.size() != of_replies.size()) channels_.clear();
  for (std::size_t link = 0; link < channels_.size(); ++link) channels_[link] += of_replies[link];
}

bool OfferedLoad::channels_matter() const {
  const Declaration& declared = algorithm_.declaration();
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (const Port port : graph_.out_ports(node)) {
      const auto most = [&](std::int32_t channels) {
        return greatest_rate(capacity_of_link(graph_, declared, node, port, channels), longest_mean_).flits_per_step();
      };
      if (exceeds(most(declared.channels_at(graph_.far_end(node, port).node)), most(1))) return true;
    }
  return false;
}

PortCapacity OfferedLoad::capacity(NodeId node, Port port) const {
  const std::int32_t channels = channels_.empty()
                                    ? algorithm_.declaration().channels_at(graph_.far_end(node, port).node)
                                    : channels_[graph_.index(node, port)];
  // A link that is not offered to any packet is not limited by that.
  return capacity_of_link(graph_, algorithm_.declaration(), node, port, std::max(channels, 1));
}

PortRate OfferedLoad::rate_of_link(NodeId node, Port port) const {
  return greatest_rate(capacity(node, port), longest_mean_);
}

OfferedLoad::Limit OfferedLoad::fullest_link() const {
  Limit fullest;
  each_link([&](NodeId node, Port port, double load) {
    const PortRate most = rate_of_link(node, port);
    const double needs = load / most.flits_per_step();
    if (exceeds(needs, fullest.needs)) fullest = {needs, node, port, most};
  });
  return fullest;
}

OfferedLoad::Limit OfferedLoad::fullest_local_port() const {
  Limit fullest;
  if (!routers()) return fullest;
  const auto consider = [&](const std::vector<double>& loads, const auto& capacity) {
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      if (!local_port(node)) continue;
      const PortRate most = greatest_rate(capacity(graph_, algorithm_.declaration(), node), longest_mean_);
      const double needs = loads[static_cast<std::size_t>(node)] / most.flits_per_step();
      if (exceeds(needs, fullest.needs)) fullest = {needs, node, no_port, most};
    }
  };
  consider(received_, capacity_to_processor);
  consider(sent_, capacity_from_processor);
  return fullest;
}

/// For any choices of heads.
OfferedLoad::Limit OfferedLoad::limit() const {
  const Limit local = fullest_local_port();
  Limit link;
  if (links_ && links_->meaning != LinkDemand::Meaning::shared) {
    link = fullest_link();
  } else if (links_ && links_->least > 0) {
    // Some link has the least load; it carries no more than the widest link.
    each_link([&](NodeId node, Port port, double /*load*/) {
      const PortRate most = rate_of_link(node, port);
      if (link.node == no_node || most.flits_per_step() > link.most.flits_per_step()) link = {0, node, port, most};
    });
    link.needs = links_->least / link.most.flits_per_step();
  }
  return exceeds(local.needs, link.needs) ? local : link;
}

std::string OfferedLoad::load_name() const {
  return experiment_.classes.empty() ? experiment_.pattern->load_key : "rate";
}

double OfferedLoad::load() const {
  return experiment_.classes.empty() ? experiment_.traffic.number(experiment_.pattern->load_key) : rate();
}

std::optional<double> OfferedLoad::full_load() const {
  const Limit most = limit();
  return most.needs == 0 ? std::nullopt : std::optional(load() / most.needs);
}

double OfferedLoad::left_over() const {
  double carried = 0, created = 0, sent = 0, received = 0;
  if (links_)
    each_link([&](NodeId node, Port port, double load) {
      carried += std::min(load, rate_of_link(node, port).flits_per_step());
    });
  const auto passing = [&](double load, const PortCapacity& capacity) {
    return std::min(load, greatest_rate(capacity, longest_mean_).flits_per_step());
  };
  for (std::size_t at = 0; at < sent_.size(); ++at) {
    const auto node = static_cast<NodeId>(at);
    if (!local_port(node)) continue;
    created += sent_[at];
    sent += passing(sent_[at], capacity_from_processor(graph_, algorithm_.declaration(), node));
    received += passing(received_[at], capacity_to_processor(graph_, algorithm_.declaration(), node));
  }
  double passed = 1;
  if (links_ && exceeds(links_->hops, carried)) passed = carried / links_->hops;
  if (exceeds(created, std::min(sent, received))) passed = std::min(passed, std::min(sent, received) / created);
  return 1 - passed;
}

OfferedLoad::SlowestPort OfferedLoad::slowest_port(double path) const {
  SlowestPort slowest{path, ""};
  if (links_ && links_->meaning == LinkDemand::Meaning::certain) {
    slowest = {0, "the busiest link"};
    each_link([&](NodeId node, Port port, double load) {
      if (load > 0)
        slowest.steps = std::max(slowest.steps, capacity(node, port).least_steps(load) + graph_.latency(node, port));
    });
  } else if (links_ && links_->meaning == LinkDemand::Meaning::shared && (links_->least > 0 || links_->hops == 0)) {
    // Some link has the least load, possibly the one that takes the fewest steps for it.
    const double flits = std::ceil(links_->least * (1 - 1e-9));
    double steps = std::numeric_limits<double>::infinity();
    each_link([&](NodeId node, Port port, double /*load*/) {
      steps = std::min(steps, flits > 0 ? capacity(node, port).least_steps(flits) + 1 : 0);
    });
    slowest = {steps, "the busiest link"};
  }
  if (!routers()) return slowest;
  const auto consider = [&](const std::vector<double>& loads, const auto& capacity_of_port) {
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      if (!local_port(node)) continue;
      const double flits = loads[static_cast<std::size_t>(node)];
      const double steps =
          flits > 0 ? capacity_of_port(graph_, algorithm_.declaration(), node).least_steps(flits) + 1 : 0;
      if (steps > slowest.steps) slowest = {steps, "the local port of " + graph_.node_name(node)};
    }
  };
  consider(received_, capacity_to_processor);
  consider(sent_, capacity_from_processor);
  return slowest;
}

std::string OfferedLoad::unknown(bool endless) const {
  if (too_many_crossings_) return fmt::format("not computed where packets cross more than {} links", most_crossings);
  if (any_uniform() && graph_.nodes() > most_nodes_for_pairs)
    return fmt::format("not computed for more than {} nodes", most_nodes_for_pairs);
  if (algorithm_.routing_function(0) == nullptr)
    return fmt::format("not known before the run: {} has no fixed routing function", experiment_.algorithm->name);
  if (packets_ == nullptr && streams_.empty()) return "not known before the run: clients wait for their replies";
  if (endless) return "not known: packets may circulate forever";
  return "not computed: too many paths are possible in so large a network";
}

std::string OfferedLoad::text(bool endless) const {
  if (!links_) return unknown(endless) + full_text();
  const double most = links_->most();
  if (most == 0) return "none" + full_text();
  const auto at = static_cast<NodeId>(links_->busiest());
  std::string text = fmt::format(
      "mean {}, max {} flits{} over {}", decimal(links_->hops / static_cast<double>(graph_.links())), decimal(most),
      packets_ == nullptr ? " per step" : "", graph_.link_name(at / graph_.ports(), at % graph_.ports()));
  switch (links_->meaning) {
    case LinkDemand::Meaning::certain: break;
    case LinkDemand::Meaning::expected: text += ", averaged over random choices"; break;
    case LinkDemand::Meaning::shared:
      text += " if packets choose all permitted ports equally often; ";
      text += links_->least == 0
                  ? "the lower bound is not computed for so large a network"
                  : fmt::format("whatever they choose, some link has at least {}", decimal(links_->least));
      return text + full_text();
  }
  return text + (packets_ == nullptr ? full_text() : busiest_text(at));
}

std::string OfferedLoad::full_text() const {
  const Limit full = limit();
  if (packets_ != nullptr || full.needs == 0) return "";
  const bool certain = links_ && links_->meaning != LinkDemand::Meaning::shared;
  const std::string rate = (source_streams() > 1 ? "a total rate of " : load_name() + " ") + decimal(*full_load());
  if (full.port == no_port)
    return fmt::format("{} at the local port of {}{}",
                       certain ? fmt::format(", full at {}", rate) : fmt::format("; full at {} at the latest,", rate),
                       graph_.node_name(full.node), reason(full.most, ", which", ", whose"));
  if (!certain) return fmt::format(", and is full at {} at the latest{}", rate, reason(full.most, ": it", ": its"));
  const std::string why = reason(full.most, ", which", ", whose");
  return fmt::format(", full at {}{}", rate,
                     why.empty() ? "" : " over " + graph_.link_name(full.node, full.port) + why);
}

/// The reason why a port carries less than one flit per step; empty if it does not.
std::string OfferedLoad::reason(const PortRate& most, const char* it, const char* its) const {
  const std::string steps = decimal(most.steps) + " steps";
  switch (most.limit) {
    case PortLimit::width: break;
    case PortLimit::slots:
      return fmt::format("{} buffers take {} in {}", its, counted(static_cast<std::int64_t>(most.flits), "flit"),
                         steps);
    case PortLimit::heads: {
      const auto channels = std::lround(most.flits / longest_mean_);
      return fmt::format(
          "{} {} in {}", its,
          channels == 1 ? "channel takes a packet" : fmt::format("{} channels each take a packet", channels), steps);
    }
  }
  return most.steps == 1 ? "" : fmt::format("{} carries one flit per {}", it, steps);
}

/// The link with the most flits is not always the one that is busy longest.
std::string OfferedLoad::busiest_text(NodeId most) const {
  std::size_t busiest = static_cast<std::size_t>(most);
  double steps = 0;
  std::int32_t each = 1;
  each_link([&](NodeId node, Port port, double load) {
    if (!exceeds(load * graph_.interval(node, port), steps)) return;
    each = graph_.interval(node, port);
    steps = load * each;
    busiest = graph_.index(node, port);
  });
  if (busiest == static_cast<std::size_t>(most)) return "";
  const auto link = static_cast<NodeId>(busiest);
  return fmt::format("; busiest {}: {} flits, each for {} steps",
                     graph_.link_name(link / graph_.ports(), link % graph_.ports()), decimal(links_->load[busiest]),
                     each);
}

}  // namespace starloom::links
