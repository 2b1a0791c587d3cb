#pragma once
/// \file All ways of heads for one destination, as a routing function offers them: what `check` proves things about.
#include <cstdint>
#include <set>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Virtual channels of links, grouped: those of a link that the routing functions never offer one without the other are one
/// *class*. A vertex is a class of channels of a link.
class ChannelClasses {
 public:
  explicit ChannelClasses(const NetworkGraph& graph) : graph_(graph) {}

  std::size_t count() const { return firsts_.size(); }
  std::size_t vertices() const { return graph_.link_places() * count(); }
  std::size_t vertex(NodeId node, Port port, std::size_t number) const {
    return graph_.index(node, port) * count() + number;
  }
  NodeId node(std::size_t vertex) const { return static_cast<NodeId>(vertex / count() / ports()); }
  Port port(std::size_t vertex) const { return static_cast<Port>(vertex / count() % ports()); }
  /// The first channel of the class of a vertex.
  int first(std::size_t vertex) const { return firsts_[vertex % count()]; }
  /// The first channel of class `number`.
  int first_of(std::size_t number) const { return firsts_[number]; }

  /// Notes that a range of channels was offered. True if it divides a class that was thought to be one.
  bool divide(const routing::Choice& choice);

 private:
  std::size_t ports() const { return static_cast<std::size_t>(graph_.ports()); }

  const NetworkGraph graph_;
  std::vector<int> firsts_ = {0};  ///< ascending
  int end_ = 0;                    ///< one behind the last channel that was offered
};

/// The states in which heads for one destination (that have drawn one number) can be, reached from all processors, and where
/// they may go from there.
class HeadWays {
 public:
  struct Move {
    std::uint32_t to;  ///< a state
    bool escape;       ///< of priority 0
  };
  struct State {
    std::int64_t vertex;   ///< the channels that the head has come over; -1: it is in its source
    std::uint32_t parent;  ///< a state from which it was reached; of a source, itself
    NodeId node;
    std::uint32_t moves;  ///< its first one in `moves`
    bool arrived;
  };

  HeadWays(const NetworkGraph& graph, ChannelClasses& classes) : graph_(graph), classes_(classes) {}

  /// Searches. False if the classes were divided on the way: the search is to be done again.
  bool search(const routing::RoutingFunction& function, NodeId destination, std::uint32_t drawn);

  const std::vector<State>& states() const { return states_; }
  const Move* begin(std::size_t state) const { return moves_.data() + states_[state].moves; }
  const Move* end(std::size_t state) const {
    return moves_.data() + (state + 1 < states_.size() ? states_[state + 1].moves : moves_.size());
  }
  /// The source of the way on which a state was reached.
  NodeId source(std::size_t state) const;

 private:
  std::uint32_t state_of(std::size_t vertex, std::uint32_t parent);

  const NetworkGraph graph_;
  ChannelClasses& classes_;
  std::vector<State> states_;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> known_;  ///< [vertex] its state + 1, or 0
};

}  // namespace starloom::links
