// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_facts.hpp>

#include <algorithm>
#include <limits>
#include <starloom/control/links/pipeline.hpp>
#include <starloom/control/links/regions.hpp>
#include <starloom/control/links/shared_buffer.hpp>
#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/verify/links/run_faults.hpp>
#include <starloom/verify/links/run_regions.hpp>

namespace starloom::links {
namespace {

constexpr std::int64_t most_outstanding = 1'000'000;
constexpr std::int64_t max_residents = std::numeric_limits<std::int32_t>::max();

/// Words for the storage models, in the order of RefereeRules::Storage.
constexpr std::string_view storage_names[] = {"store-and-forward", "virtual-channels", "links-only", "never-standing"};

std::vector<std::int32_t> read_residents(const ResultDocument& result, NodeId nodes) {
  if (!result.given("storage.places")) return {};
  const std::vector<std::int64_t> numbers = result.integers("storage.places");
  const bool sound =
      std::all_of(numbers.begin(), numbers.end(), [](std::int64_t most) { return most >= 0 && most <= max_residents; });
  if (!sound || numbers.size() != static_cast<std::size_t>(nodes))
    result.fail("storage.places", "is not one number from 0 for each of the " + std::to_string(nodes) + " nodes");
  return {numbers.begin(), numbers.end()};
}

/// `credit_latency` is that of the link with the slowest side wires.
RouterRules read_router(const ResultDocument& result, const LinkNetwork& network, const router::Pipelines& pipelines) {
  const NetworkGraph& graph = network.graph;
  RouterRules router = router_rules(pipelines);
  const std::int32_t least = router::credit_delay(graph.greatest_wire_cycles());
  if (result.given("experiment.routing.credit_latency"))
    router.credit_extra = result.small("experiment.routing.credit_latency", least) - least;
  router.waits_for_tail_credit = result.given("experiment.routing.wait_for_tail_credit") &&
                                 result.boolean("experiment.routing.wait_for_tail_credit");
  if (result.given("experiment.routing.flow")) {
    const std::string flow = result.text("experiment.routing.flow");
    router.whole_packets = flow == "cut-through";
    const Grid* grid = network.as<Grid>();
    if (flow == "bubble" && grid != nullptr)
      for (Port port = 0; port < graph.ports(); ++port) router.rings.push_back(grid->axis_of(port));
  }
  const std::string multicast = "experiment.routing.multicast";
  router.whole_copies = !result.given(multicast) || result.text(multicast) == "packet";
  const std::string buffers = "experiment.routing.buffers";
  const std::string policy = result.given(buffers + ".policy") ? result.text(buffers + ".policy") : "shared";
  if (!result.given(buffers) || policy == "private") return router;
  router.places = result.small(buffers + ".places", 1, router::most_places);
  if (result.given(buffers + ".private"))
    router.own_places = result.small(buffers + ".private", 1, router::most_places);
  router.divides_places = policy == "dynamic";
  return router;
}

/// The replies to packets of a class of traffic. \param names of all classes.
RefereeRules::Reply read_reply(const ResultDocument& result, const std::string& path,
                               const std::vector<std::string>& names) {
  RefereeRules::Reply reply;
  const auto named = std::find(names.begin(), names.end(), result.text(path + ".class"));
  if (named == names.end()) result.fail(path + ".class", "is not the name of a class");
  reply.traffic_class = static_cast<std::int32_t>(named - names.begin());
  reply.flits = result.small(path + ".flits", 1);
  reply.service = result.integer(path + ".service", 1, most_steps);
  if (result.given(path + ".places")) reply.places = result.small(path + ".places", 1);
  return reply;
}

/// The channels of each class of traffic, and the replies to its packets.
std::vector<RefereeRules::Class> read_classes(const ResultDocument& result, std::int32_t channels) {
  std::vector<RefereeRules::Class> classes;
  if (!result.given("experiment.traffic.classes")) return classes;
  const nlohmann::ordered_json& list = result.at("experiment.traffic.classes");
  if (!list.is_array() || list.empty() || list.size() > most_classes)
    result.fail("experiment.traffic.classes", "is not a list of 1 to " + std::to_string(most_classes) + " classes");
  std::vector<std::string> names;
  for (std::size_t number = 0; number < list.size(); ++number)
    names.push_back(result.text("experiment.traffic.classes." + std::to_string(number) + ".name"));
  for (std::size_t number = 0; number < list.size(); ++number) {
    const std::string of_class = "experiment.traffic.classes." + std::to_string(number);
    classes.push_back({0, channels - 1});
    if (result.given(of_class + ".reply")) classes.back().reply = read_reply(result, of_class + ".reply", names);
    const std::string path = of_class + ".channels";
    if (!result.given(path)) continue;
    const std::vector<std::int64_t> ends = result.integers(path);
    if (ends.size() != 2 || ends[0] < 0 || ends[1] < ends[0] || ends[1] >= channels)
      result.fail(path, "is not the first and the last of " + std::to_string(channels) + " channels");
    classes.back().first = static_cast<std::int32_t>(ends[0]);
    classes.back().last = static_cast<std::int32_t>(ends[1]);
  }
  return classes;
}

/// [node] The flits of a buffer behind its in-ports; empty if nodes do not differ.
std::vector<std::int32_t> read_capacities(const ResultDocument& result, const NetworkGraph& graph) {
  return with_regions(result, [&](const std::vector<router::Region>& regions) -> std::vector<std::int32_t> {
    if (regions.empty()) return {};
    const std::string routing = "experiment.routing.";
    const std::int32_t otherwise =
        result.given(routing + "buffers.places")
            ? result.small(routing + "buffers.places", 1, router::most_places) / result.small("storage.channels", 1)
            : result.small(routing + "buffer", 1, router::most_buffer_flits);
    return router::values_of_nodes(graph, regions, &router::Region::buffer, otherwise);
  });
}

/// [node] The channels of its in-ports; empty if nodes do not differ.
std::vector<std::int32_t> read_channels(const ResultDocument& result, const NetworkGraph& graph) {
  return with_regions(result, [&](const std::vector<router::Region>& regions) -> std::vector<std::int32_t> {
    if (regions.empty()) return {};
    const std::vector<std::int32_t> channels = router::values_of_nodes(
        graph, regions, &router::Region::channels, result.small("experiment.routing.channels", 1, most_channels));
    const std::int32_t most = result.small("storage.channels", 1, most_channels);
    if (!channels.empty() && *std::max_element(channels.begin(), channels.end()) != most)
      result.fail("storage.channels", "is not the greatest number of channels of experiment.network.regions");
    return channels;
  });
}

/// The nodes of a list of processors; all, if it is a word.
std::vector<NodeId> read_processors(const ResultDocument& result, const std::string& path, const NetworkGraph& graph) {
  std::vector<NodeId> nodes;
  if (!result.at(path).is_array()) {
    for (NodeId processor = 0; processor < graph.processors(); ++processor) nodes.push_back(graph.processor(processor));
    return nodes;
  }
  for (const std::int64_t processor : result.integers(path)) {
    if (processor < 0 || processor >= graph.processors())
      result.fail(path, "is not a list of processors from 0 to " + std::to_string(graph.processors() - 1));
    nodes.push_back(graph.processor(static_cast<NodeId>(processor)));
  }
  return nodes;
}

/// Clients are all processors that are not servers, unless they are listed or all are servers.
std::optional<RefereeRules::ClosedLoop> read_closed_loop(const ResultDocument& result, const NetworkGraph& graph) {
  const std::string traffic = "experiment.traffic.";
  if (result.text(traffic + "pattern") != "closed-loop") return std::nullopt;
  const auto otherwise = [&](const char* key, std::int64_t value) {
    return result.given(traffic + key) ? result.integer(traffic + key, 0, most_steps) : value;
  };
  RefereeRules::ClosedLoop loop;
  loop.servers = read_processors(result, traffic + "servers", graph);
  const bool all = !result.given(traffic + "clients") && !result.at(traffic + "servers").is_array();
  if (all) loop.clients = loop.servers;
  else if (result.given(traffic + "clients")) loop.clients = read_processors(result, traffic + "clients", graph);
  else
    for (NodeId processor = 0; processor < graph.processors(); ++processor)
      if (const NodeId node = graph.processor(processor);
          std::find(loop.servers.begin(), loop.servers.end(), node) == loop.servers.end())
        loop.clients.push_back(node);
  loop.outstanding = result.integer(traffic + "outstanding", 1, most_outstanding);
  loop.requests = otherwise("requests", 0);
  loop.request_flits = result.given(traffic + "request.flits") ? result.small(traffic + "request.flits", 1) : 1;
  loop.reply_flits = result.small(traffic + "reply.flits", 1);
  loop.think = result.integer(traffic + "think", 1, most_steps);
  loop.service = result.integer(traffic + "reply.service", 1, most_steps);
  loop.ways = otherwise("server.ways", 1);
  loop.queue = otherwise("server.queue", 0);
  loop.unsent = otherwise("server.replies", 0);
  return loop;
}

/// Requests and replies are classes if replies have channels of their own, the last ones.
std::vector<RefereeRules::Class> classes_of_closed_loop(const ResultDocument& result, std::int32_t channels) {
  const std::string path = "experiment.traffic.reply.channels";
  if (!result.given(path)) return {};
  const std::int32_t replies = result.small(path, 1, most_channels);
  if (replies >= channels) result.fail(path, "is not less than the number of channels");
  return {{0, channels - replies - 1, {}}, {channels - replies, channels - 1, {}}};
}

RefereeRules read_rules(const ResultDocument& result, const LinkNetwork& network, const router::Pipelines& pipelines) {
  const NetworkGraph& graph = network.graph;
  RefereeRules rules;
  rules.storage = static_cast<RefereeRules::Storage>(result.choice("storage.model", storage_names, "a storage model"));
  rules.bound = result.small("storage.bound", 0);
  rules.residents = read_residents(result, graph.nodes());
  rules.channels = result.small("storage.channels", 1, most_channels);
  rules.capacity = result.small("storage.capacity", 0);
  rules.routes_own = result.boolean("storage.routes_own");
  rules.closed_loop = read_closed_loop(result, graph);
  if (const std::optional<FaultTimeline> faults = faults_of_run(result, graph, rules.channels)) {
    rules.faults = std::make_shared<const Faults>(faults->start());
    rules.fault_events = faults->events();
    rules.reroute = reroute_rules_of_run(result);
    rules.errors = errors_of_run(result, graph);
  }
  if (rules.storage == RefereeRules::Storage::virtual_channels &&
      (result.given("experiment.routing.pipeline") || result.given("experiment.routing.stages"))) {
    rules.router = read_router(result, network, pipelines);
    rules.classes =
        rules.closed_loop ? classes_of_closed_loop(result, rules.channels) : read_classes(result, rules.channels);
    rules.channels_of_nodes = read_channels(result, graph);
    rules.capacities = read_capacities(result, graph);
  }
  return rules;
}

std::optional<QueueMaximum> read_queue(const ResultDocument& result) {
  if (result.at("queue").is_null() || result.at("queue.max").is_null()) return std::nullopt;
  QueueMaximum queue;
  queue.max = result.integer("queue.max");
  if (!result.at("queue.node").is_null()) queue.node = result.small("queue.node", 0);
  if (!result.at("queue.step").is_null()) queue.step = result.integer("queue.step");
  return queue;
}

}  // namespace

int read_subnets(const ResultDocument& result) {
  const std::string key = "experiment.network.subnets";
  return result.given(key) ? result.small(key, 1, most_subnets) : 1;
}

router::Pipelines read_pipelines(const ResultDocument& result, const NetworkGraph& graph) {
  const std::string routing = "experiment.routing.";
  router::Pipeline pipeline;
  if (result.given(routing + "stages")) {
    for (const router::Stage& stage : router::pipeline_stages)
      pipeline.*stage.steps = result.small(routing + "stages." + stage.name, stage.least, router::most_stage_steps);
    pipeline.speculative = result.given(routing + "speculative") && result.boolean(routing + "speculative");
  } else if (result.given(routing + "pipeline")) {
    const std::int64_t cycles = result.integer(routing + "pipeline", 3, 5);
    const auto known = router::Pipeline::of(
        cycles, result.given(routing + "speculative") ? result.boolean(routing + "speculative") : cycles == 3);
    if (!known) result.fail(routing + "pipeline", "does not fit the key speculative");
    pipeline = *known;
  }
  const auto speedup = [&](const char* key, std::int32_t otherwise, std::int32_t most) {
    const std::string name = routing + "speedup." + key;
    return result.given(name) ? result.small(name, 1, most) : otherwise;
  };
  pipeline.speedup = {speedup("input", 1, most_channels), speedup("output", 1, max_ports + 1),
                      speedup("internal", 1, router::most_rounds), speedup("fifo", 0, router::most_fifo_flits)};
  return with_regions(result, [&](const std::vector<router::Region>& regions) {
    return router::pipelines_of_nodes(graph, regions, pipeline);
  });
}

Numbering numbering_of(const ResultDocument& result) {
  if (result.text("experiment.traffic.pattern") != "netrace") return Numbering();
  // The records before the last one that was created have been created, or wait in the window.
  return Numbering(result.integer("experiment.traffic.window", 1, most_steps));
}

std::shared_ptr<const std::vector<MulticastTree>> paths_of(const ResultDocument& result, const LinkNetwork& network,
                                                           const std::vector<MulticastGroup>& groups) {
  if (groups.empty()) return nullptr;
  const Grid* const grid = network.as<Grid>();
  if (grid == nullptr || grid->kind() != GridKind::mesh)
    result.fail("experiment.network", "is not a mesh, but packets have several destinations");
  std::vector<int> axes = grid->route_axes();
  const std::string function = "experiment.routing.function";
  if (result.given(function) && result.text(function) == "yx") std::reverse(axes.begin(), axes.end());
  std::vector<MulticastTree> trees;
  for (const MulticastGroup& group : groups) {
    MulticastTree& tree = trees.emplace_back();
    tree.group = group;
    tree.ports.resize(static_cast<std::size_t>(grid->nodes()), 0);
    for (const NodeId destination : group.destinations) {
      if (destination >= grid->nodes() || group.source >= grid->nodes())
        result.fail("experiment.network",
                    "has no node " + std::to_string(std::max(destination, group.source)) + ", which packets.csv names");
      NodeId node = group.source;
      const auto leave = [&](Port port) { tree.ports[static_cast<std::size_t>(node)] |= std::uint64_t{1} << port; };
      for (const int axis : axes)
        while (const std::int32_t offset = grid->offset(node, destination, axis)) {
          const Port port = grid->port_along(axis, offset);
          leave(port);
          node = network.graph.far_end(node, port).node;
        }
      leave(grid->ports());
    }
  }
  return std::make_shared<const std::vector<MulticastTree>>(std::move(trees));
}

RunFacts read_run_facts(const ResultDocument& result, const LinkNetwork& network, const KnownEntries& known) {
  const router::Pipelines pipelines = read_pipelines(result, network.graph);
  RunFacts facts{read_rules(result, network, pipelines), pipelines};
  facts.outcome = result.outcome();
  facts.subnets = read_subnets(result);

  facts.phases = result.given("experiment.traffic.measure");
  // All keys of a pattern are present, so a pattern that could have a rate, and has none, is closed loop. One without
  // such a key may be either (a packet file is closed loop, an application is not).
  facts.rules.of_netrace = numbering_of(result).has_gaps();
  if (facts.phases || facts.rules.of_netrace || facts.rules.closed_loop) facts.count_unsent = false;
  else if (result.find("experiment.traffic.rate") != nullptr)
    facts.count_unsent = !result.given("experiment.traffic.rate");
  if (facts.phases) {
    if (result.given("experiment.traffic.warmup"))
      facts.measured_from = result.integer("experiment.traffic.warmup", 0, most_steps);
    facts.measured_to = facts.measured_from + result.integer("experiment.traffic.measure", 0, most_steps);
  }
  const std::string algorithm = result.text("experiment.routing.algorithm");
  facts.may_leave_packets = contains(known.leave_packets, algorithm);

  facts.packets_undelivered = result.integer("packets.undelivered");
  facts.queue = read_queue(result);
  return facts;
}

void require_classes_and_subnets(const std::filesystem::path& file, const std::vector<Packet>& packets,
                                 const RunFacts& facts) {
  const std::size_t classes = facts.rules.classes.size();
  const auto refuse = [&](std::size_t packet, const std::string& text) {
    throw InputError(file.string() + ": packet " + std::to_string(packet) + " is " + text);
  };
  for (std::size_t packet = 0; packet < packets.size(); ++packet) {
    const Packet& facts_of_packet = packets[packet];
    if (facts_of_packet.traffic_class >= std::max<std::size_t>(classes, 1))
      refuse(packet, "of class " + std::to_string(facts_of_packet.traffic_class) + ", but result.json has " +
                         counted(static_cast<std::int64_t>(classes), "class"));
    if (facts_of_packet.subnet >= facts.subnets)
      refuse(packet, "in subnet " + std::to_string(facts_of_packet.subnet) + ", but result.json has " +
                         counted(facts.subnets, "subnet"));
  }
}

void note_longest(RefereeRules& rules, const std::vector<Packet>& packets) {
  if (!rules.router || rules.router->rings.empty()) return;
  for (const Packet& packet : packets) rules.router->longest = std::max(rules.router->longest, packet.flits);
}

}  // namespace starloom::links
