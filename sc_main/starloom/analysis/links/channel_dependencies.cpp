// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/channel_dependencies.hpp>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <memory>
#include <set>
#include <utility>

#include <starloom/analysis/links/head_paths.hpp>
#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/control/links/paths.hpp>

namespace starloom::links {
namespace {

using DependencyGraph = boost::compressed_sparse_row_graph<boost::directedS>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Routing of worms by node and destination only.
class NextPort final : public routing::RoutingFunction {
 public:
  NextPort(const NetworkGraph& graph, const Algorithm& algorithm) : graph_(graph), algorithm_(algorithm) {}
  void route(const routing::Head& head, routing::Choices& choices) const override {
    const Port port =
        head.node == head.destination ? graph_.ports() : routed_port(algorithm_, head.node, head.destination);
    if (port != no_port) choices.add(port, 0, 1);
  }
  const routing::PairsWithoutPath* without_path() const override { return algorithm_.without_path(); }

 private:
  const NetworkGraph graph_;
  const Algorithm& algorithm_;
};

/// The choices of heads that ask one function, and at some time begin to ask another. It offers two copies of the
/// channels: a head that came over one of the second copy asks the second function.
class MeetingFunctions final : public routing::RoutingFunction {
 public:
  MeetingFunctions(const routing::RoutingFunction& before, const routing::RoutingFunction& after, Port local,
                   int channels)
      : before_(before), after_(after), local_(local), channels_(channels) {}
  void route(const routing::Head& head, routing::Choices& choices) const override {
    routing::Head own = head;
    own.in_channel %= channels_;
    if (head.in_channel < channels_) ask(before_, own, 0, choices);
    ask(after_, own, channels_, choices);
  }
  std::uint32_t random_choices() const override { return std::max(before_.random_choices(), after_.random_choices()); }

 private:
  void ask(const routing::RoutingFunction& function, const routing::Head& head, int shift,
           routing::Choices& choices) const {
    if (head.random_choice >= function.random_choices()) return;
    const routing::PairsWithoutPath* const without_path = function.without_path();
    if (head.in_port == local_ && without_path != nullptr && without_path->contains(head.node, head.destination))
      return;
    routing::Choices own;
    function.route(head, own);
    for (const routing::Choice& choice : own)
      choices.add(choice.port, choice.first + shift, choice.count, choice.priority, choice.weight);
  }

  const routing::RoutingFunction& before_;
  const routing::RoutingFunction& after_;
  const Port local_;
  const int channels_;
};

/// Edges in the order of discovery, with repetitions. Few edges leave a vertex: at most the number of channels of a
/// node.
class EdgeSet {
 public:
  explicit EdgeSet(std::size_t vertices = 0) : next_(vertices) {}
  void add(std::size_t from, std::size_t to) {
    std::vector<std::uint32_t>& next = next_[from];
    const auto vertex = static_cast<std::uint32_t>(to);
    if (std::find(next.begin(), next.end(), vertex) == next.end()) next.push_back(vertex);
  }
  /// Each edge once, in order.
  std::vector<Edge> all() {
    std::vector<Edge> list;
    for (std::size_t from = 0; from < next_.size(); ++from) {
      std::sort(next_[from].begin(), next_[from].end());
      for (const std::uint32_t to : next_[from]) list.emplace_back(static_cast<std::uint32_t>(from), to);
    }
    return list;
  }

 private:
  std::vector<std::vector<std::uint32_t>> next_;  ///< [vertex]
};

/// The escape channels that can be requested next after each escape channel: a bit for each pair, because there are
/// many.
class EscapeMatrix {
 public:
  explicit EscapeMatrix(const std::vector<bool>& escape) : number_(escape.size(), 0) {
    for (std::size_t vertex = 0; vertex < escape.size(); ++vertex)
      if (escape[vertex]) {
        number_[vertex] = static_cast<std::uint32_t>(vertices_.size());
        vertices_.push_back(static_cast<std::uint32_t>(vertex));
      }
    words_ = (vertices_.size() + 63) / 64;
    rows_.assign(vertices_.size() * words_, 0);
  }

  /// Adds the successors of the states of the last search.
  void add(HeadPaths& paths, const std::vector<bool>& escape) {
    const auto& order = paths.order();
    const auto& states = paths.states();
    next_.assign(states.size() * words_, 0);
    const auto next = [this](std::size_t state) { return next_.data() + state * words_; };
    for (bool again = true; again;) {
      again = false;
      for (const std::uint32_t state : order) {
        if (states[state].vertex < 0) continue;
        for (const HeadPaths::Move* move = paths.begin(state); move != paths.end(state); ++move)
          if (!move->escape) again = join(next(state), next(move->to)) || again;
          else set(next(state), number_[static_cast<std::size_t>(states[move->to].vertex)]);
      }
      again = again && paths.met_again();
    }
    for (const std::uint32_t state : order) {
      const std::int64_t vertex = states[state].vertex;
      if (vertex >= 0 && escape[static_cast<std::size_t>(vertex)])
        join(rows_.data() + number_[static_cast<std::size_t>(vertex)] * words_, next(state));
    }
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> edges;
    for (std::size_t from = 0; from < vertices_.size(); ++from)
      for (std::size_t word = 0; word < words_; ++word)
        for (std::uint64_t left = rows_[from * words_ + word]; left != 0; left &= left - 1)
          edges.emplace_back(vertices_[from], vertices_[64 * word + static_cast<std::size_t>(__builtin_ctzll(left))]);
    return edges;
  }

 private:
  static void set(std::uint64_t* row, std::uint32_t bit) { row[bit / 64] |= std::uint64_t{1} << bit % 64; }
  /// Adds the bits of one row to another. True if some were new.
  bool join(std::uint64_t* to, const std::uint64_t* from) const {
    std::uint64_t fresh = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      fresh |= from[word] & ~to[word];
      to[word] |= from[word];
    }
    return fresh != 0;
  }

  std::vector<std::uint32_t> number_;    ///< [vertex] among the escape channels
  std::vector<std::uint32_t> vertices_;  ///< [number]
  std::size_t words_ = 0;                ///< of a row
  std::vector<std::uint64_t> rows_;      ///< [number, word]
  std::vector<std::uint64_t> next_;      ///< [state, word] escape channels that it may request, now or after others
};

/// Follows the paths of all packets.
class DependencyWalker {
 public:
  /// \param of_copy as in ChannelClasses.
  DependencyWalker(const NetworkGraph& graph, std::vector<const routing::RoutingFunction*> functions,
                   bool waits_for_all, int of_copy = 0)
      : graph_(graph),
        functions_(std::move(functions)),
        classes_(graph, of_copy),
        paths_(graph, classes_, waits_for_all) {
    for (NodeId processor = 0; processor < graph.processors(); ++processor)
      processors_.push_back(graph.processor(processor));
    for (const routing::RoutingFunction* function : functions_)
      if (function->in_phases() && !random_choices_vary(*function, processors_)) by_phases_.insert(function);
  }

  ChannelDependencies survey(std::size_t most_looked_at) {
    std::size_t looked_at = 0;
    do {
      looked_at = 0;
      found_ = {};
      used_.assign(classes_.vertices(), false);
      escape_ = used_;
      onward_.assign(classes_.vertices() + static_cast<std::size_t>(graph_.nodes()), {});
      direct_ = EdgeSet(classes_.vertices());
    } while (!each_search([&](const routing::RoutingFunction& function, bool first_phases) {
      look_at();
      if (!found_.extended) add_moves();
      if (!first_phases) measure(function, false);
      looked_at += paths_.states().size() + paths_.moves();
      return looked_at <= most_looked_at;
    }));
    if (looked_at > most_looked_at) {
      // Phase by phase there are more paths than a packet can take, but fewer states: what is acyclic with all of them
      // is so with those.
      const std::size_t before = by_phases_.size();
      for (const routing::RoutingFunction* function : functions_)
        if (function->in_phases()) by_phases_.insert(function);
      if (by_phases_.size() > before) {
        more_than_all_ = true;
        found_ = survey(most_looked_at);
        if (found_.acyclic() || found_.too_many_paths) return std::move(found_);
      }
      found_ = {};
      found_.too_many_paths = true;
      return std::move(found_);
    }
    found_.classes = static_cast<std::int32_t>(classes_.count());
    found_.channels = std::count(used_.begin(), used_.end(), true);
    if (!found_.extended) escape_ = used_;
    found_.vertices = std::count(escape_.begin(), escape_.end(), true);
    find_cycle(edges());
    return std::move(found_);
  }

 private:
  /// A longest path from a state on, and its end.
  struct Onward {
    std::int32_t links = -1;
    NodeId destination = no_node;
  };

  /// Calls `visit` with (function, true for first phases) for all paths, possibly repeatedly, until it returns false.
  /// False if classes were divided, which ends it.
  template <class Visit>
  bool each_search(const Visit& visit) {
    for (const routing::RoutingFunction* function : functions_) {
      const bool by_phases = by_phases_.count(function) != 0;
      if (by_phases) {
        paths_.clear_first_phases();
        for (std::uint32_t random_choice = 0; random_choice < function->random_choices(); ++random_choice) {
          if (!paths_.search_first_phases(*function, processors_, random_choice)) return false;
          if (!visit(*function, true)) return true;
        }
      }
      for (const NodeId destination : processors_) {
        if (by_phases) {
          if (!paths_.search_last_phases(*function, destination)) return false;
          if (!visit(*function, false)) return true;
          continue;
        }
        const std::vector<NodeId> sources = sources_to(*function, destination);
        const RandomChoosers choosers(*function, sources, destination);
        for (std::uint32_t choice = 0; choice < choosers.choices(); ++choice) {
          if (choosers.of(choice).empty()) continue;
          if (!paths_.search(*function, choosers.nodes(choice), destination, choice)) return false;
          if (!visit(*function, false)) return true;
        }
      }
    }
    return true;
  }

  std::vector<NodeId> sources_to(const routing::RoutingFunction& function, NodeId destination) const {
    const routing::PairsWithoutPath* const without_path = function.without_path();
    if (without_path == nullptr) return processors_;
    std::vector<NodeId> sources;
    for (const NodeId source : processors_)
      if (!without_path->contains(source, destination)) sources.push_back(source);
    return sources;
  }

  PacketEnds packet_in(std::size_t state) const {
    return {paths_.states()[state].source, paths_.states()[state].destination};
  }
  PacketAt stop(std::size_t state) const { return {paths_.states()[state].node, packet_in(state)}; }

  void look_at() {
    for (std::size_t i = 0; i < paths_.states().size(); ++i) {
      const HeadPaths::State& state = paths_.states()[i];
      if (state.vertex >= 0) used_[static_cast<std::size_t>(state.vertex)] = true;
      if (state.phase_over) continue;
      bool escapes = state.arrived;
      for (const HeadPaths::Move* move = paths_.begin(i); move != paths_.end(i); ++move) {
        escapes = escapes || move->escape;
        found_.extended = found_.extended || !move->escape;
        if (move->escape) escape_[static_cast<std::size_t>(paths_.states()[move->to].vertex)] = true;
      }
      const bool leads_on = paths_.begin(i) != paths_.end(i);
      if (!state.arrived && !leads_on && !found_.lost) found_.lost = stop(i);
      if (leads_on && !escapes && !found_.without_escape) found_.without_escape = stop(i);
    }
  }

  /// The data of second phases that is known at the position of a head.
  Onward& onward(const HeadPaths::State& state) {
    return onward_[state.vertex >= 0 ? static_cast<std::size_t>(state.vertex)
                                     : classes_.vertices() + static_cast<std::size_t>(state.node)];
  }

  /// The longest path from each state. First phases continue with the longest second phase after them.
  void measure(const routing::RoutingFunction& function, bool first_phases) {
    const auto& states = paths_.states();
    const auto& order = paths_.order();
    left_.assign(states.size(), {});
    if (paths_.met_again() && !found_.astray) found_.astray = stop(*paths_.met_again());
    for (const std::uint32_t state : order) {
      Onward longest{0, states[state].destination};
      if (first_phases && onward(states[state]).links >= 0) longest = onward(states[state]);
      for (const HeadPaths::Move* move = paths_.begin(state); move != paths_.end(state); ++move)
        if (left_[move->to].links + 1 > longest.links)
          longest = {left_[move->to].links + 1, left_[move->to].destination};
      left_[state] = longest;
    }
    for (std::size_t start = 0; start < paths_.starts(); ++start) {
      const HeadPaths::State& at = states[start];
      // Packets from terminals to themselves return over the same link: as in `note_longest`, they do not count.
      const bool returns = at.vertex < 0 && at.node == left_[start].destination;
      if (by_phases_.count(&function) != 0 && !first_phases && !returns && left_[start].links > onward(at).links)
        onward(at) = left_[start];
      if (at.vertex < 0) note_longest(function, at, left_[start]);
    }
  }

  /// Checks that one packet can take both a first and a second phase: it may have passed its destination before.
  void note_longest(const routing::RoutingFunction& function, const HeadPaths::State& start, const Onward& path) {
    if (path.links < found_.longest || start.node == path.destination) return;
    if (path.links == found_.longest && found_.farthest.source != no_node) return;
    found_.longest = path.links;
    found_.farthest = {};
    if (more_than_all_) return;
    if (by_phases_.count(&function) == 0 ||
        takes(function, {start.node, graph_.ports(), 0, path.destination, start.random_choice}, path.links))
      found_.farthest = {start.node, path.destination};
  }

  /// True if a head with a single choice everywhere crosses this number of links.
  bool takes(const routing::RoutingFunction& function, routing::Head head, std::int32_t links) const {
    for (;; --links) {
      routing::Choices choices;
      function.route(head, choices);
      const routing::Choice& choice = *choices.begin();
      if (links == 0 || choice.port == graph_.ports()) return links == 0 && choice.port == graph_.ports();
      const LinkEnd end = graph_.far_end(head.node, choice.port);
      head.node = end.node;
      head.in_port = end.port;
      head.in_channel = choice.first;
    }
  }

  /// Edges of the graph. Escape channels are known only now; and first phases can be searched only after all second
  /// phases were measured.
  std::vector<Edge> edges() {
    if (!found_.extended && by_phases_.empty()) return direct_.all();
    EscapeMatrix extended(found_.extended ? escape_ : std::vector<bool>());
    each_search([&](const routing::RoutingFunction& function, bool first_phases) {
      if (first_phases) measure(function, true);
      if (found_.extended) extended.add(paths_, escape_);
      return true;
    });
    return found_.extended ? extended.edges() : direct_.all();
  }
  void add_moves() {
    const auto& states = paths_.states();
    for (std::size_t i = 0; i < states.size(); ++i)
      if (states[i].vertex >= 0)
        for (const HeadPaths::Move* move = paths_.begin(i); move != paths_.end(i); ++move)
          direct_.add(static_cast<std::size_t>(states[i].vertex), static_cast<std::size_t>(states[move->to].vertex));
  }

  /// Calls `visit` with each vertex that a packet may request next when it holds the vertex of a state of the last
  /// search: immediately or, in the extended graph, over channels that are not escape channels for it.
  template <class Visit>
  void each_next(std::size_t state, const Visit& visit) const {
    std::vector<std::size_t> reached = {state};
    std::vector<bool> seen(paths_.states().size(), false);
    for (std::size_t r = 0; r < reached.size(); ++r)
      for (const HeadPaths::Move* move = paths_.begin(reached[r]); move != paths_.end(reached[r]); ++move) {
        if (move->escape) {
          visit(static_cast<std::size_t>(paths_.states()[move->to].vertex));
        } else if (!seen[move->to]) {
          seen[move->to] = true;
          reached.push_back(move->to);
        }
      }
  }

  void find_cycle(const std::vector<Edge>& edges) {
    found_.dependencies = static_cast<std::int64_t>(edges.size());
    const DependencyGraph graph(boost::edges_are_sorted, edges.begin(), edges.end(), used_.size());
    std::vector<std::size_t> component(used_.size());
    const auto count = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::int64_t> size(count, 0);
    for (const std::size_t c : component) ++size[c];
    for (const std::int64_t links : size)
      if (links > 1) {
        ++found_.components;
        found_.on_cycles += links;
      }
    std::vector<std::size_t> shortest;
    for (std::size_t vertex = 0; vertex < used_.size(); ++vertex)
      if (size[component[vertex]] > 1) cycle_through(vertex, graph, component, shortest);
    if (!shortest.empty()) name_packets(shortest);
  }

  /// Replaces `shortest` by a shortest cycle through `start` if it is empty or longer. Breadth first, up to cycles of
  /// that length.
  void cycle_through(std::size_t start, const DependencyGraph& graph, const std::vector<std::size_t>& component,
                     std::vector<std::size_t>& shortest) {
    constexpr std::uint32_t nobody = ~std::uint32_t{0};
    before_.resize(used_.size(), nobody);
    std::vector<std::size_t> reached = {start};
    std::size_t links = 1, end_of_level = 1;
    for (std::size_t i = 0; i < reached.size() && before_[start] == nobody; ++i) {
      if (i == end_of_level) {
        ++links;
        end_of_level = reached.size();
      }
      if (!shortest.empty() && links >= shortest.size()) break;
      for (auto [edge, end] = boost::out_edges(reached[i], graph); edge != end; ++edge) {
        const std::size_t next = boost::target(*edge, graph);
        if (component[next] != component[start] || before_[next] != nobody) continue;
        before_[next] = static_cast<std::uint32_t>(reached[i]);
        reached.push_back(next);
      }
    }
    if (before_[start] != nobody) {
      shortest.assign(1, start);
      for (std::size_t vertex = before_[start]; vertex != start; vertex = before_[vertex]) shortest.push_back(vertex);
      std::reverse(shortest.begin() + 1, shortest.end());
    }
    for (const std::size_t vertex : reached) before_[vertex] = nobody;
  }

  /// For each channel of the cycle, the first packet that holds it and requests the next.
  void name_packets(const std::vector<std::size_t>& cycle) {
    for (const std::size_t vertex : cycle) {
      HeldChannel held;
      held.node = classes_.node(vertex);
      held.port = classes_.port(vertex);
      if (found_.classes > 1) held.first = classes_.first(vertex);
      found_.cycle.push_back(held);
    }
    constexpr std::size_t nowhere = ~std::size_t{0};
    std::vector<std::size_t> index(used_.size(), nowhere);  // [vertex] index on the cycle, until its packet is known
    for (std::size_t at = 0; at < cycle.size(); ++at) index[cycle[at]] = at;
    std::size_t left = cycle.size();
    each_search([&](const routing::RoutingFunction&, bool) {
      for (std::size_t state = 0; state < paths_.states().size(); ++state) {
        const std::int64_t vertex = paths_.states()[state].vertex;
        if (vertex < 0 || index[static_cast<std::size_t>(vertex)] == nowhere) continue;
        std::size_t& at = index[static_cast<std::size_t>(vertex)];
        bool requests_next = false;
        each_next(state,
                  [&](std::size_t next) { requests_next = requests_next || next == cycle[(at + 1) % cycle.size()]; });
        if (!requests_next) continue;
        found_.cycle[at].packet = packet_in(state);
        at = nowhere;
        --left;
      }
      return left > 0;
    });
  }

  const NetworkGraph graph_;
  const std::vector<const routing::RoutingFunction*> functions_;
  std::set<const routing::RoutingFunction*> by_phases_;  ///< those whose two phases are searched one after the other
  ChannelClasses classes_;
  HeadPaths paths_;
  std::vector<NodeId> processors_;
  bool more_than_all_ = false;  ///< paths are searched that no packet can take
  ChannelDependencies found_;
  EdgeSet direct_;                     ///< used until the graph is known to be the extended one
  std::vector<bool> used_;             ///< [vertex] a packet uses it
  std::vector<bool> escape_;           ///< [vertex] it is part of the graph
  std::vector<Onward> left_;           ///< [state] the longest path from it
  std::vector<Onward> onward_;         ///< [vertex, or vertices + source] the longest second phase from it
  std::vector<std::uint32_t> before_;  ///< [vertex] of a breadth-first search
};

std::vector<const routing::RoutingFunction*> functions_of(const Algorithm& algorithm) {
  std::vector<const routing::RoutingFunction*> functions;
  for (int packet_class = 0; packet_class < algorithm.class_count(); ++packet_class)
    if (const auto* function = algorithm.routing_function(packet_class))
      functions.push_back(function->every_path() != nullptr ? function->every_path() : function);
  return functions;
}

}  // namespace

std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm,
                                                        std::size_t most_looked_at) {
  std::vector<const routing::RoutingFunction*> functions = functions_of(algorithm);
  const NextPort next_port(graph, algorithm);
  const bool by_node = functions.empty();
  if (by_node) functions.push_back(&next_port);
  ChannelDependencies found =
      DependencyWalker(graph, std::move(functions), algorithm.declaration().requests_all_choices)
          .survey(most_looked_at);
  if (by_node && found.lost) return std::nullopt;
  return found;
}

std::optional<ChannelDependencies> dependencies_of_change(const NetworkGraph& graph, const Algorithm& before,
                                                          const Algorithm& after, std::size_t most_looked_at) {
  const std::vector<const routing::RoutingFunction*> first = functions_of(before), second = functions_of(after);
  if (first.empty() || first.size() != second.size()) return std::nullopt;
  const int channels = after.declaration().channels;
  std::vector<std::unique_ptr<MeetingFunctions>> meeting;
  std::vector<const routing::RoutingFunction*> functions;
  for (std::size_t i = 0; i < first.size(); ++i) {
    meeting.push_back(std::make_unique<MeetingFunctions>(*first[i], *second[i], graph.ports(), channels));
    functions.push_back(meeting.back().get());
  }
  return DependencyWalker(graph, std::move(functions), after.declaration().requests_all_choices, channels)
      .survey(most_looked_at);
}

}  // namespace starloom::links
