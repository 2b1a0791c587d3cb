// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/closed_loop/closed_loop_traffic.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/closed_loop/closed_loop_workload.hpp>

namespace starloom {
namespace {

constexpr double most_loop_flits = std::numeric_limits<std::int32_t>::max();
/// Requests of all clients in a run, or outstanding ones.
constexpr std::int64_t most_requests = (std::int64_t{1} << 30) - 1;

class ClosedLoopTraffic final : public Traffic {
 public:
  ClosedLoopTraffic(ClosedLoop loop, std::uint64_t seed, const Phases& phases)
      : loop_(std::make_shared<const ClosedLoop>(std::move(loop))), seed_(seed), phases_(phases) {}

  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return std::nullopt; }
  bool open_loop() const override { return true; }
  std::optional<Phases> phases() const override { return loop_->requests ? std::nullopt : std::optional(phases_); }
  /// Replies do not count.
  std::optional<std::int64_t> packet_count() const override {
    if (!loop_->requests) return std::nullopt;
    return *loop_->requests * static_cast<std::int64_t>(loop_->clients.size());
  }
  std::unique_ptr<Workload> workload() const override { return std::make_unique<ClosedLoopWorkload>(loop_, seed_); }
  /// Servers serve all requests together. A client then creates its n-th request no later than in any run, because as
  /// many of its replies have been delivered. With random servers, which depend on the steps of creation, or without an
  /// end, no bound is known.
  std::unique_ptr<Workload> ideal_workload() const override {
    if (!loop_->requests || loop_->destination == ClosedLoop::Choice::uniform) return nullptr;
    ClosedLoop ideal = *loop_;
    ideal.ways = ideal.reply.unsent = 0;
    return std::make_unique<ClosedLoopWorkload>(std::make_shared<const ClosedLoop>(std::move(ideal)), seed_);
  }
  const ClosedLoop* closed_loop() const override { return loop_.get(); }

 private:
  std::shared_ptr<const ClosedLoop> loop_;
  std::uint64_t seed_;
  Phases phases_;
};

/// Reads lists of processors, and collects all errors.
class ClosedLoopReader {
 public:
  ClosedLoopReader(const TrafficContext& context, const KeyValues& keys) : context_(context), keys_(keys) {}

  ClosedLoop read() {
    require_end();
    if (!keys_.has("reply.flits"))
      error("reply", "the flits and the service of replies are expected, such as {flits: 5, service: 10}");
    const std::vector<NodeId> servers = processors("servers");
    const std::vector<NodeId> clients = clients_beside(servers);
    if (errors_.empty()) require_servers(servers, clients);
    if (!errors_.empty()) throw ConfigError(std::move(errors_));
    ClosedLoop loop;
    loop.servers = nodes(servers);
    loop.clients = nodes(clients);
    const std::string& choice = keys_.text("destination");
    loop.destination = choice == "uniform"   ? ClosedLoop::Choice::uniform
                       : choice == "nearest" ? ClosedLoop::Choice::nearest
                                             : ClosedLoop::Choice::round_robin;
    for (const NodeId client : clients) {
      if (choice == "nearest") loop.first_server.push_back(nearest(client, servers));
      if (choice == "round-robin") loop.first_server.push_back((static_cast<std::size_t>(client) + 1) % servers.size());
    }
    loop.outstanding = keys_.integer("outstanding");
    loop.request_flits = static_cast<std::int32_t>(otherwise("request.flits", 1));
    loop.reply = *reply_rules(keys_);
    loop.reply.traffic_class = loop.reply.channels > 0 ? 1 : 0;
    loop.reply.queue = static_cast<std::int32_t>(otherwise("server.queue", 0));
    loop.think = keys_.integer("think");
    loop.ways = otherwise("server.ways", 1);
    loop.reply.unsent = static_cast<std::int32_t>(otherwise("server.replies", 0));
    if (keys_.has("requests")) loop.requests = keys_.integer("requests");
    require_few(loop);
    return loop;
  }

 private:
  void error(const std::string& key, const std::string& text) { errors_.push_back({key, text}); }
  std::int64_t otherwise(const std::string& key, std::int64_t value) const {
    return keys_.has(key) ? keys_.integer(key) : value;
  }
  void require_end() {
    if (!keys_.has("requests") && !keys_.has("measure"))
      return error("requests", "the run needs an end: the requests of each client, or warmup, measure and drain");
    for (const char* phase : {"warmup", "measure", "drain"})
      if (keys_.has("requests") && keys_.has(phase))
        error(phase, "the run ends after its requests; leave one of both keys out");
  }
  std::vector<NodeId> processors(const std::string& key) {
    std::vector<NodeId> list(static_cast<std::size_t>(context_.processors.count));
    std::iota(list.begin(), list.end(), 0);
    if (keys_.is_word(key)) return list;
    list.clear();
    for (const std::int64_t processor : keys_.list(key)) {
      if (processor >= context_.processors.count)
        error(key, std::to_string(processor) + " is not a processor: processors are 0 to " +
                       std::to_string(context_.processors.count - 1));
      else if (std::find(list.begin(), list.end(), processor) != list.end())
        error(key, "processor " + std::to_string(processor) + " is listed twice");
      else list.push_back(static_cast<NodeId>(processor));
    }
    if (keys_.list(key).empty()) error(key, "the list is empty");
    return list;
  }
  /// The clients, in ascending order.
  std::vector<NodeId> clients_beside(const std::vector<NodeId>& servers) {
    std::vector<NodeId> clients;
    if (keys_.has("clients")) {
      clients = processors("clients");
    } else if (keys_.is_word("servers")) {
      clients = servers;
    } else {
      for (NodeId processor = 0; processor < context_.processors.count; ++processor)
        if (std::find(servers.begin(), servers.end(), processor) == servers.end()) clients.push_back(processor);
      if (clients.empty()) error("clients", "all processors are servers; list the clients, or set servers: all");
    }
    std::sort(clients.begin(), clients.end());
    return clients;
  }
  void require_servers(const std::vector<NodeId>& servers, const std::vector<NodeId>& clients) {
    if (servers.size() > 1 || std::find(clients.begin(), clients.end(), servers.front()) == clients.end()) return;
    error("servers", "processor " + std::to_string(servers.front()) +
                         " is a client and the only server, but does not "
                         "send requests to itself; add a server, or list other clients");
  }
  void require_few(const ClosedLoop& loop) {
    const auto clients = static_cast<std::int64_t>(loop.clients.size());
    const auto require = [&](const char* key, std::int64_t of_client) {
      if (of_client <= most_requests / clients) return;
      error(key, counted(of_client) + " of " + counted(clients) + " clients are more than the limit of " +
                     counted(most_requests) + " requests");
    };
    require("outstanding", std::min(loop.outstanding, loop.requests.value_or(loop.outstanding)));
    if (loop.requests) require("requests", *loop.requests);
    if (!errors_.empty()) throw ConfigError(std::move(errors_));
  }
  static std::string counted(std::int64_t number) { return std::to_string(number); }
  /// The position of the nearest server other than the client itself, the one with the lowest number among several.
  std::size_t nearest(NodeId client, const std::vector<NodeId>& servers) const {
    const auto key = [&](std::size_t at) {
      return std::make_tuple(servers[at] == client, context_.processors.distance(client, servers[at]), servers[at]);
    };
    std::size_t found = 0;
    for (std::size_t at = 1; at < servers.size(); ++at)
      if (key(at) < key(found)) found = at;
    return found;
  }
  std::vector<NodeId> nodes(std::vector<NodeId> processors) const {
    if (!context_.processors.node.empty())
      for (NodeId& processor : processors) processor = context_.processors.node[static_cast<std::size_t>(processor)];
    return processors;
  }

  const TrafficContext& context_;
  const KeyValues& keys_;
  std::vector<ConfigError::Diagnostic> errors_;
};

}  // namespace

std::vector<KeySpec> closed_loop_keys() {
  const auto processors = [](const char* name, const char* meaning) {
    return integer_list_key(name, meaning).at_least(0).or_word("all");
  };
  const auto limit = [](const char* name, const char* meaning) {
    return integer_key(name, meaning).by_default(0).within(0, 1e6);
  };
  std::vector<KeySpec> keys = {
      processors("servers", "processors that answer requests").is_required(),
      processors("clients",
                 "processors that send requests; default: every processor that is not a server, or every one with "
                 "servers: all")
          .omitted_at_default(),
      integer_key("outstanding", "requests of a client that have no reply, at most")
          .within(1, 1e6)
          .measured_in("packets")
          .is_required(),
      choice_key("destination", {"round-robin", "uniform", "nearest"},
                 "server of each request: those of the list in turn, a random one, or the nearest one")
          .by_default("round-robin"),
      integer_key("request.flits", "length of each request")
          .by_default(1)
          .within(1, most_loop_flits)
          .measured_in("flits"),
      integer_key("think", "time from the delivery of a reply to the creation of the next request")
          .by_default(1)
          .within(1, static_cast<double>(most_steps))
          .measured_in("steps"),
      integer_key("server.ways", "requests that a server serves together; 0: no limit").by_default(1).within(0, 1e6),
      limit("server.queue", "requests that a server accepts before it has created their replies; 0: no limit"),
      limit("server.replies", "replies of a server that wait in its memory; 0: no limit"),
      integer_key("requests", "number of requests of each client; or warmup, measure and drain")
          .within(1, static_cast<double>(most_requests))
          .measured_in("packets")
          .omitted_at_default()};
  for (KeySpec key : reply_keys()) {
    if (key.name == "reply.flits") key.meaning = "length of each reply";
    if (key.name == "reply.service") key.meaning = "time that a server takes for a request";
    keys.push_back(std::move(key));
  }
  return keys;
}

std::unique_ptr<Traffic> make_closed_loop(const TrafficContext& context, const KeyValues& keys, const Phases& phases) {
  return std::make_unique<ClosedLoopTraffic>(ClosedLoopReader(context, keys).read(), context.seed, phases);
}

}  // namespace starloom
