// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All paths of heads for one destination, as offered by a routing function: the basis of the proofs of
/// `check`.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Classes of virtual channels: those of a link that the routing functions always offer together are one *class*. A
/// vertex is a class of channels of a link.
///
/// A function may offer two copies of the channels of a link, the second one behind the first. States of heads in them
/// differ, but not their classes and vertices.
class ChannelClasses {
 public:
  /// \param of_copy channels of a link, if they are offered in two copies; else 0.
  explicit ChannelClasses(const NetworkGraph& graph, int of_copy = 0) : graph_(graph), of_copy_(of_copy) {}

  std::size_t copies() const { return of_copy_ == 0 ? 1 : 2; }
  std::size_t copy_of(int channel) const { return of_copy_ == 0 ? 0 : static_cast<std::size_t>(channel / of_copy_); }
  /// The first channel of a copy.
  int first_in(std::size_t copy) const { return static_cast<int>(copy) * of_copy_; }

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
  /// The number of channels of the class of a vertex.
  int width(std::size_t vertex) const {
    const std::size_t number = vertex % count();
    return (number + 1 < count() ? firsts_[number + 1] : end_) - firsts_[number];
  }

  /// Registers a range of channels that was offered. True if it divides a class.
  bool divide(const routing::Choice& choice);

 private:
  std::size_t ports() const { return static_cast<std::size_t>(graph_.ports()); }

  const NetworkGraph graph_;
  const int of_copy_;
  std::vector<int> firsts_ = {0};  ///< ascending
  int end_ = 0;                    ///< one more than the last channel that was offered
};

/// The sources whose packets to a destination can make a random choice, by the choice.
class RandomChoosers {
 public:
  /// \param function, sources outlive it.
  RandomChoosers(const routing::RoutingFunction& function, const std::vector<NodeId>& sources, NodeId destination);

  std::uint32_t choices() const { return function_.random_choices(); }
  /// Indices in `sources`, ascending.
  const std::vector<std::uint32_t>& of(std::uint32_t choice) const {
    return by_choice_.empty() ? all_ : by_choice_[choice];
  }
  /// The sources with these indices.
  std::vector<NodeId> nodes(std::uint32_t choice) const;
  /// The share of the packets of a source that make one of its choices.
  double share(std::uint32_t source) const {
    return 1.0 / function_.random_choices_between(sources_[source], destination_);
  }

 private:
  const routing::RoutingFunction& function_;
  const std::vector<NodeId>& sources_;
  const NodeId destination_;
  std::vector<std::uint32_t> all_;                     ///< indices of all sources
  std::vector<std::vector<std::uint32_t>> by_choice_;  ///< empty: all sources can make every choice
};

/// True if the random choices of packets depend on their sources and destinations.
bool random_choices_vary(const routing::RoutingFunction& function, const std::vector<NodeId>& processors);

/// The states of heads, and their next states: those for one destination and one random choice, or, if a function
/// routes packets in two phases, those in the first phases to an intermediate destination, or in the second phases to
/// one destination.
class HeadPaths {
 public:
  struct Move {
    std::uint32_t to;      ///< a state
    bool escape;           ///< the head may wait for its channels indefinitely
    std::uint16_t weight;  ///< Choice::weight
  };
  struct State {
    std::int64_t vertex;          ///< the channels that the head has crossed; -1: it is in its source
    std::uint32_t parent;         ///< a state from which it was reached; itself for a start of the search
    std::uint32_t random_choice;  ///< random choice of a packet that reaches it
    NodeId node;                  ///< the node of the head
    Port in_port;                 ///< the in-port of the head; the local port in its source
    std::int32_t channel;         ///< of that port: the first of its class, in its copy
    NodeId source;                ///< of a packet that reaches it
    NodeId destination;           ///< of the same packet
    std::uint32_t moves;          ///< index of its first move in `moves`
    bool arrived = false;         ///< at the destination
    bool phase_over = false;      ///< the first phase ends here, for every destination
    std::uint8_t copy = 0;        ///< of the channels that the head has crossed
  };

  /// \param waits_for_all heads wait for the channels of every choice (Declaration::requests_all_choices); else only
  /// for those of priority 0.
  HeadPaths(const NetworkGraph& graph, ChannelClasses& classes, bool waits_for_all = false)
      : graph_(graph), classes_(classes), waits_for_all_(waits_for_all) {}

  /// Searches from these nodes, in whose order the states begin. False if the classes were divided during the search:
  /// all searches have to be repeated.
  bool search(const routing::RoutingFunction& function, const std::vector<NodeId>& sources, NodeId destination,
              std::uint32_t random_choice);
  /// The first phases to an intermediate destination, from these nodes, of a function with phases. Remembers their
  /// ends.
  bool search_first_phases(const routing::RoutingFunction& function, const std::vector<NodeId>& sources,
                           std::uint32_t random_choice);
  /// The second phases to a destination, from the known ends of first phases.
  bool search_last_phases(const routing::RoutingFunction& function, NodeId destination);
  void clear_first_phases();

  const std::vector<State>& states() const { return states_; }
  /// All states, each after its successors, unless a path returns to a state.
  const std::vector<std::uint32_t>& order();
  /// Such a state, after `order()`.
  const std::optional<std::uint32_t>& met_again() const { return met_again_; }
  std::size_t moves() const { return moves_.size(); }  ///< of all states
  /// Number of states in which the search began; they are the first ones.
  std::size_t starts() const { return starts_; }
  const Move* begin(std::size_t state) const { return moves_.data() + states_[state].moves; }
  const Move* end(std::size_t state) const {
    return moves_.data() + (state + 1 < states_.size() ? states_[state + 1].moves : moves_.size());
  }

 private:
  /// A state of a first phase at which second phases may begin, and one before it, as seen by the function.
  struct PhaseEnd {
    HeadPaths::State state;
    routing::Head head;
    routing::Head before;
  };

  void clear();
  void start_in(const std::vector<NodeId>& sources, NodeId destination, std::uint32_t random_choice);
  std::uint32_t state_of(std::size_t vertex, std::size_t copy, LinkEnd end, int channel, std::uint32_t parent);
  std::uint32_t& known(std::size_t vertex, std::size_t copy) { return known_[copy * classes_.vertices() + vertex]; }
  static routing::Head head_in(const State& state);
  bool explore(const routing::RoutingFunction& function, bool first_phases);
  void follow(std::size_t state, const routing::Head& head, const routing::Choices& choices);
  /// The first destination for which the head is in its first phase; `no_node`: for none.
  NodeId destination_of_phase(const routing::RoutingFunction& function, routing::Head head) const;
  void remember_end(std::size_t state, const routing::Head& head);

  const NetworkGraph graph_;
  ChannelClasses& classes_;
  const bool waits_for_all_;
  std::vector<State> states_;
  std::vector<Move> moves_;
  std::size_t starts_ = 0;
  std::vector<std::uint32_t> order_;  ///< empty: not computed yet
  std::optional<std::uint32_t> met_again_;
  std::vector<std::uint32_t> known_;  ///< [copy, vertex] its state + 1, or 0
  std::vector<PhaseEnd> phase_ends_;
  /// [vertex, or vertices + source] true if an end was recorded that not all packets, or that all have to leave.
  std::vector<std::array<bool, 2>> remembered_;
};

}  // namespace starloom::links
