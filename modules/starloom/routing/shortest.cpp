// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/shortest.hpp>

#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/spread.hpp>
#include <starloom/schema/config_error.hpp>

namespace starloom::routing {
namespace {

const std::vector<std::string> weight_names = {"links", "latency"};  // as in `PathWeight`

PathWeight weight_of(const FunctionContext& context, const KeyValues& keys) {
  if (!keys.has("weight")) return context.network->path_weight;
  return keys.text("weight") == weight_names.front() ? PathWeight::links : PathWeight::latency;
}

class Shortest final : public RoutingFunction {
 public:
  Shortest(const std::string& name, const FunctionContext& context, PathWeight weight, ChannelRange channels,
           NextHops::Kept kept)
      : name_(name),
        graph_(context.faults != nullptr ? context.faults->left() : context.graph()),
        weight_(weight),
        through_terminals_(context.through_terminals),
        channels_(channels),
        next_hops_(name_, graph_, static_cast<std::size_t>(graph_.nodes()), kept),
        without_path_(graph_,
                      name_ +
                          " takes none through a terminal (a processor with one link out and one in, which has no "
                          "router): give the terminal another link, or make it a switch",
                      context.faults) {
    for (NodeId processor = 0; processor < graph_.processors(); ++processor) fill(processor);
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    next_hops_.offer(graph_.processor_of(head.destination), static_cast<std::size_t>(head.node), channels_, choices);
  }
  bool adaptive() const override { return next_hops_.keeps_all(); }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }
  double table_bytes() const override { return next_hops_.bytes(); }

 private:
  void fill(NodeId processor) {
    const std::vector<std::int64_t> left = lengths_to(graph_.processor(processor));
    for (NodeId source = 0; source < graph_.processors(); ++source)
      if (left[static_cast<std::size_t>(graph_.processor(source))] < 0)
        without_path_.add(graph_.processor(source), graph_.processor(processor));
    std::vector<Port> shortest;
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      shortest.clear();
      for (const Port port : graph_.out_ports(node)) {
        const NodeId next = graph_.far_end(node, port).node;
        const std::int64_t behind = left[static_cast<std::size_t>(next)];
        if (behind > 0 && !forwards(next)) continue;
        if (behind >= 0 && behind + length(node, port) == left[static_cast<std::size_t>(node)])
          shortest.push_back(port);
      }
      next_hops_.set(processor, static_cast<std::size_t>(node), shortest);
    }
  }

  std::int64_t length(NodeId node, Port port) const {
    return weight_ == PathWeight::links ? 1 : graph_.latency(node, port);
  }

  bool forwards(NodeId node) const { return graph_.forwards(node, through_terminals_); }

  /// [node]: the length of a shortest path from there, by a search against the links that keeps a list of nodes for
  /// each length ahead (R. Dial, "Algorithm 360", Communications of the ACM 12(11), 1969): breadth first if all
  /// lengths are 1. -1 if there is no path.
  std::vector<std::int64_t> lengths_to(NodeId destination) const {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(graph_.nodes()), -1);
    const std::int64_t longest = weight_ == PathWeight::links ? 1 : graph_.greatest_latency();
    std::vector<std::vector<NodeId>> reached(static_cast<std::size_t>(longest) + 1);  // by length, modulo their number
    reached[0].push_back(destination);
    std::int64_t waiting = 1;
    for (std::int64_t now = 0; waiting > 0; ++now) {
      std::vector<NodeId>& list = reached[static_cast<std::size_t>(now) % reached.size()];
      for (const NodeId node : list) {
        if (lengths[static_cast<std::size_t>(node)] >= 0) continue;
        lengths[static_cast<std::size_t>(node)] = now;
        if (node != destination && !forwards(node)) continue;
        for (const Port port : graph_.in_ports(node)) {
          const LinkEnd from = graph_.near_end(node, port);
          if (lengths[static_cast<std::size_t>(from.node)] >= 0) continue;
          reached[static_cast<std::size_t>(now + length(from.node, from.port)) % reached.size()].push_back(from.node);
          ++waiting;
        }
      }
      waiting -= static_cast<std::int64_t>(list.size());
      list.clear();
    }
    return lengths;
  }

  const std::string name_;
  const NetworkGraph graph_;
  const PathWeight weight_;
  const bool through_terminals_;
  const ChannelRange channels_;
  NextHops next_hops_;  ///< [processor][node]
  PairsWithoutPath without_path_;
};

}  // namespace

std::unique_ptr<RoutingFunction> all_shortest(const std::string& name, const FunctionContext& context,
                                              ChannelRange channels) {
  return std::make_unique<Shortest>(name, context, PathWeight::links, channels, NextHops::Kept::all);
}

std::unique_ptr<RoutingFunction> first_shortest(const std::string& name, const FunctionContext& context,
                                                ChannelRange channels) {
  return std::make_unique<Shortest>(name, context, context.network->path_weight, channels, NextHops::Kept::lowest);
}

FunctionEntry shortest_entry() {
  FunctionEntry entry;
  entry.name = "shortest";
  entry.meaning = "paths of the fewest links or the least latency: the first, or by spread all";
  entry.serves = {{connected}};
  entry.fixed = true;
  entry.knows_faults = true;
  entry.keys = {choice_key("weight", weight_names,
                           "the length that function shortest minimises: the number of links, or the sum of their "
                           "latencies; default: latency if the network is a list of routers, else links")
                    .omitted_at_default(),
                spread_key()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const Spread spread = spread_of(keys);
    auto paths = std::make_unique<Shortest>("shortest", context, weight_of(context, keys), context.all_channels(),
                                            kept_for(spread));
    return spread_over(spread, without_dead_channels(std::move(paths), context), context);
  };
  return entry;
}

}  // namespace starloom::routing
