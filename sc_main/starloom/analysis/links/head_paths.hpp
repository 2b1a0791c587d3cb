// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All ways of heads for one destination, as a routing function offers them: what `check` proves things about.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Virtual channels of links, grouped: those of a link that the routing functions never offer one without the other
/// are one *class*. A vertex is a class of channels of a link.
class ChannelClasses {
 public:
  explicit ChannelClasses(const NetworkGraph& graph) : graph_(graph) {}

  std::size_t count() const { return firsts_.size(); }
  std::size_t vertices() const { return graph_.link_slots() * count(); }
  std::size_t vertex(NodeId node, Port port, std::size_t number) const {
    return graph_.index(node, port) * count() + number;
  }
  /// The link of a vertex, as `NetworkGraph::index` numbers them.
  std::size_t link(std::size_t vertex) const { return vertex / count(); }
  NodeId node(std::size_t vertex) const { return static_cast<NodeId>(link(vertex) / ports()); }
  Port port(std::size_t vertex) const { return static_cast<Port>(link(vertex) % ports()); }
  /// The first channel of the class of a vertex.
  int first(std::size_t vertex) const { return firsts_[vertex % count()]; }
  /// The first channel of class `number`.
  int first_of(std::size_t number) const { return firsts_[number]; }
  /// The channels of the class of a vertex.
  int width(std::size_t vertex) const {
    const std::size_t number = vertex % count();
    return (number + 1 < count() ? firsts_[number + 1] : end_) - firsts_[number];
  }

  /// Notes that a range of channels was offered. True if it divides a class that was thought to be one.
  bool divide(const routing::Choice& choice);

 private:
  std::size_t ports() const { return static_cast<std::size_t>(graph_.ports()); }

  const NetworkGraph graph_;
  std::vector<int> firsts_ = {0};  ///< ascending
  int end_ = 0;                    ///< one behind the last channel that was offered
};

/// The states in which heads can be, and where they may go from there: those for one destination that have drawn one
/// number, or, where a function leads packets in two legs, those on the first legs to what was drawn, or on the last
/// legs to one destination.
class HeadPaths {
 public:
  struct Move {
    std::uint32_t to;  ///< a state
    bool escape;       ///< of priority 0
  };
  struct State {
    std::int64_t vertex;      ///< the channels that the head has come over; -1: it is in its source
    std::uint32_t parent;     ///< a state from which it was reached; of one where the search began, itself
    std::uint32_t drawn;      ///< of a packet that comes there
    NodeId node;              ///< where the head is
    Port in_port;             ///< over which it came there; the local port in its source
    std::int32_t channel;     ///< of that port: the first of its class
    NodeId source;            ///< of a packet that comes there
    NodeId destination;       ///< of the same packet
    std::uint32_t moves;      ///< its first one in `moves`
    bool arrived = false;     ///< at the destination
    bool phase_over = false;  ///< the first leg ends here, whatever the destination
  };

  HeadPaths(const NetworkGraph& graph, ChannelClasses& classes) : graph_(graph), classes_(classes) {}

  /// Searches from these nodes, in whose order the states begin. False if the classes were divided on the way: all
  /// searches are to be done again.
  bool search(const routing::RoutingFunction& function, const std::vector<NodeId>& sources, NodeId destination,
              std::uint32_t drawn);
  /// The first legs to what was drawn, from these nodes, of a function with legs. Remembers where they end.
  bool search_first_phases(const routing::RoutingFunction& function, const std::vector<NodeId>& sources,
                           std::uint32_t drawn);
  /// The last legs to a destination, from where the first legs end of which it knows.
  bool search_last_phases(const routing::RoutingFunction& function, NodeId destination);
  void forget_first_phases();

  const std::vector<State>& states() const { return states_; }
  /// All states, each behind those that it leads to, unless a way comes to a state again.
  const std::vector<std::uint32_t>& order();
  /// Such a state, once they were put in order.
  const std::optional<std::uint32_t>& met_again() const { return met_again_; }
  std::size_t moves() const { return moves_.size(); }  ///< of all states
  /// The search began in so many states, the first ones.
  std::size_t starts() const { return starts_; }
  const Move* begin(std::size_t state) const { return moves_.data() + states_[state].moves; }
  const Move* end(std::size_t state) const {
    return moves_.data() + (state + 1 < states_.size() ? states_[state + 1].moves : moves_.size());
  }

 private:
  /// A state of a first leg from which last legs may lead on, and one before it, as the function sees them.
  struct PhaseEnd {
    HeadPaths::State state;
    routing::Head head;
    routing::Head before;
  };

  void clear();
  void start_in(const std::vector<NodeId>& sources, NodeId destination, std::uint32_t drawn);
  std::uint32_t state_of(std::size_t vertex, LinkEnd end, int channel, std::uint32_t parent);
  static routing::Head head_in(const State& state);
  bool explore(const routing::RoutingFunction& function, bool first_phases);
  void follow(std::size_t state, const routing::Head& head, const routing::Choices& choices);
  /// The first destination for which the head is on its first leg; `no_node`: for none.
  NodeId destination_of_phase(const routing::RoutingFunction& function, routing::Head head) const;
  void remember_end(std::size_t state, const routing::Head& head);

  const NetworkGraph graph_;
  ChannelClasses& classes_;
  std::vector<State> states_;
  std::vector<Move> moves_;
  std::size_t starts_ = 0;
  std::vector<std::uint32_t> order_;  ///< empty: nobody has asked for it
  std::optional<std::uint32_t> met_again_;
  std::vector<std::uint32_t> known_;  ///< [vertex] its state + 1, or 0
  std::vector<PhaseEnd> phase_ends_;
  /// [vertex, or vertices + source] whether an end was remembered that not all packets, or that all have to leave.
  std::vector<std::array<bool, 2>> remembered_;
};

}  // namespace starloom::links
