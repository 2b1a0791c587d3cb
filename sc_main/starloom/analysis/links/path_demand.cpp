// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/path_demand.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <starloom/analysis/links/head_paths.hpp>

namespace starloom::links {
namespace {

/// Limit of the states of heads: some seconds.
constexpr std::size_t most_states = 30'000'000;
/// Limit of the data kept for repeated passes, while the weights of links improve.
constexpr std::size_t most_kept_moves = 4'000'000;
constexpr std::size_t most_moves_again = 60'000'000;
constexpr std::size_t most_rounds = 1000;

/// The flows to a destination.
struct Inflows {
  NodeId destination = no_node;
  std::vector<NodeId> sources{};
  std::vector<double> flits{};  ///< of each source
};

/// The paths of some flows: states of heads, each after its successors.
class FlowPaths {
 public:
  struct Move {
    std::uint32_t link;
    std::uint32_t to;
    double share;          ///< of the state's flow, if the out-ports divide it by their weights
    std::uint16_t weight;  ///< of the out-port
    bool operator==(const Move& other) const { return link == other.link && to == other.to; }
  };

  std::vector<double> inflow;  ///< [state]

  std::uint32_t size() const { return static_cast<std::uint32_t>(moves_of_.size() - 1); }
  std::size_t moves() const { return moves_.size(); }
  const Move* begin(std::size_t state) const { return moves_.data() + moves_of_[state]; }
  const Move* end(std::size_t state) const { return moves_.data() + moves_of_[state + 1]; }
  /// Returns the number of the new state.
  std::uint32_t add(const std::vector<Move>& moves) {
    moves_.insert(moves_.end(), moves.begin(), moves.end());
    moves_of_.push_back(moves_.size());
    return size() - 1;
  }

 private:
  std::vector<std::size_t> moves_of_{0};  ///< [state] index of its first move, and one entry more
  std::vector<Move> moves_;
};

/// Adds the loads of the flows to each link. Returns the inflow of each state.
std::vector<double> push(const FlowPaths& paths, std::vector<double>& load) {
  std::vector<double> carried = paths.inflow;
  for (std::size_t state = paths.size(); state-- > 0;)
    for (const FlowPaths::Move* move = paths.begin(state); move != paths.end(state); ++move) {
      load[move->link] += carried[state] * move->share;
      carried[move->to] += carried[state] * move->share;
    }
  return carried;
}

/// A lower bound on the load of the busiest link: for any weights of the links, the total weight of the flows over
/// their lightest paths is at most the greatest load times the sum of all weights (the dual of the linear program of
/// least greatest load). From round to round the links used by the lightest paths get more weight, in decreasing
/// steps.
class LeastLoad {
 public:
  LeastLoad(const std::vector<FlowPaths>& all, std::vector<double> first_weights)
      : all_(all), weight_(std::move(first_weights)), load_(weight_.size()) {}

  double after(std::size_t rounds) {
    double best = 0;
    for (std::size_t round = 1; round <= rounds; ++round) {
      const double greatest = *std::max_element(weight_.begin(), weight_.end());
      if (greatest == 0) break;
      for (double& weight : weight_) weight /= greatest;
      std::fill(load_.begin(), load_.end(), 0);
      double weighed = 0;
      for (const FlowPaths& paths : all_) weighed += over_lightest(paths);
      best = std::max(best, weighed / std::accumulate(weight_.begin(), weight_.end(), 0.0));
      const double step = 2 / std::sqrt(round) / *std::max_element(load_.begin(), load_.end());
      for (std::size_t link = 0; link < load_.size(); ++link) weight_[link] *= 1 + step * load_[link];
    }
    return best;
  }

 private:
  /// The total weight of flows on their lightest paths; adds the flows to `load_`.
  double over_lightest(const FlowPaths& paths) {
    weighs_.assign(paths.size(), 0);
    lightest_.assign(paths.size(), nullptr);
    for (std::size_t state = 0; state < paths.size(); ++state)
      for (const FlowPaths::Move* move = paths.begin(state); move != paths.end(state); ++move) {
        const double weight = weight_[move->link] + weighs_[move->to];
        if (lightest_[state] != nullptr && weight >= weighs_[state]) continue;
        lightest_[state] = move;
        weighs_[state] = weight;
      }
    double sum = 0;
    carried_ = paths.inflow;
    for (std::size_t state = paths.size(); state-- > 0;) {
      sum += paths.inflow[state] * weighs_[state];
      if (lightest_[state] == nullptr) continue;
      load_[lightest_[state]->link] += carried_[state];
      carried_[lightest_[state]->to] += carried_[state];
    }
    return sum;
  }

  const std::vector<FlowPaths>& all_;
  std::vector<double> weight_;  ///< [link]
  std::vector<double> load_;    ///< [link] of this round
  std::vector<double> weighs_;  ///< [state] the weight of the lightest path from it
  std::vector<const FlowPaths::Move*> lightest_;
  std::vector<double> carried_;
};

/// Follows flows through all choices of a function.
class FlowFollower {
 public:
  FlowFollower(const NetworkGraph& graph, const routing::RoutingFunction& function, bool least = true)
      : graph_(graph),
        least_(least),
        function_(function.chooses_in_nodes() ? *function.every_path() : function),
        draws_(function.draws()),
        chooses_in_nodes_(function.chooses_in_nodes()),
        classes_(graph),
        paths_(graph, classes_) {}

  /// \param inflows_of(i) returns the flows to the i-th of these destinations.
  template <class InflowsOf>
  std::optional<LinkDemand> follow(std::size_t destinations, const InflowsOf& inflows_of) {
    for (bool known = false; !known;) {
      known = true;
      begin();
      for (std::size_t i = 0; i < destinations && known; ++i) {
        const Inflows& inflows = inflows_of(i);
        const RandomChoosers choosers(function_, inflows.sources, inflows.destination);
        begin_paths();
        FlowPaths decided;
        std::vector<std::vector<FlowPaths::Move>> first_moves(function_.decides() ? inflows.sources.size() : 0);
        for (std::uint32_t choice = 0; choice < choosers.choices() && known; ++choice) {
          const std::vector<std::uint32_t>& sources = choosers.of(choice);
          if (sources.empty()) continue;
          known = paths_.search(function_, choosers.nodes(choice), inflows.destination, choice);
          if (!known) break;
          if (function_.decides()) {
            if (!number_states(decided)) return std::nullopt;
            for (std::size_t start = 0; start < sources.size(); ++start)
              for (auto* move = decided.begin(number_[start]); move != decided.end(number_[start]); ++move)
                first_moves[sources[start]].push_back(*move);
          } else {
            std::vector<double> flits;
            for (const std::uint32_t source : sources) flits.push_back(inflows.flits[source] * choosers.share(source));
            if (!take(flits, 1)) return std::nullopt;
          }
        }
        if (known && function_.decides()) carry_decided(decided, inflows, first_moves);
      }
    }
    return summed();
  }

  /// Uniform traffic in two phases: flows from each source to each destination, with second phases that do not depend
  /// on the first. Empty if some packets leave their first phase before its end.
  std::optional<LinkDemand> follow_phases(const Inflows& uniform) {
    const auto destinations = static_cast<double>(uniform.sources.size());
    for (bool known = false; !known;) {
      known = true;
      begin();
      std::vector<double> ended(classes_.vertices() + static_cast<std::size_t>(graph_.nodes()), 0);
      const auto index = [&](const HeadPaths::State& state) {
        return state.vertex >= 0 ? static_cast<std::size_t>(state.vertex)
                                 : classes_.vertices() + static_cast<std::size_t>(state.node);
      };
      paths_.clear_first_phases();
      for (std::uint32_t random_choice = 0; random_choice < function_.random_choices() && known; ++random_choice) {
        known = paths_.search_first_phases(function_, uniform.sources, random_choice);
        if (!known) break;
        const auto carried = take(uniform.flits, destinations / function_.random_choices());
        if (!carried) return std::nullopt;
        for (std::size_t i = 0; i < carried->size(); ++i) {
          const HeadPaths::State& state = paths_.states()[paths_.order()[i]];
          if (state.phase_over) ended[index(state)] += (*carried)[i] / destinations;
        }
      }
      for (std::size_t d = 0; d < uniform.sources.size() && known; ++d) {
        known = paths_.search_last_phases(function_, uniform.sources[d]);
        if (!known) break;
        std::vector<double> onward;
        for (std::size_t start = 0; start < paths_.starts(); ++start) {
          onward.push_back(ended[index(paths_.states()[start])]);
          if (onward.back() == 0) return std::nullopt;
        }
        if (!take(onward, 1)) return std::nullopt;
      }
    }
    return summed();
  }

 private:
  void begin() {
    demand_ = {};
    demand_.load.assign(graph_.link_slots(), 0);
    used_.assign(classes_.vertices(), false);
    kept_.clear();
    looked_at_ = kept_moves_ = 0;
  }

  /// Adds flows of these sizes, scaled by `part`, to the states in which the search began. Returns the inflow of each
  /// state, in the order of states unless packets may choose; empty if a path returns to a state, or if there are too
  /// many states.
  std::optional<std::vector<double>> take(const std::vector<double>& inflow, double part) {
    begin_paths();
    FlowPaths paths;
    if (!number_states(paths)) return std::nullopt;
    paths.inflow.assign(paths.size(), 0);
    for (std::size_t start = 0; start < inflow.size(); ++start) paths.inflow[number_[start]] += inflow[start] * part;
    return carry(std::move(paths));
  }
  /// Adds flows whose first links are decided in the routers of their sources.
  /// \param first_moves [source] after which the paths continue.
  void carry_decided(FlowPaths& paths, const Inflows& inflows, std::vector<std::vector<FlowPaths::Move>>& first_moves) {
    std::vector<double> inflow(paths.size(), 0);
    for (std::size_t source = 0; source < first_moves.size(); ++source) {
      moves_ = std::move(first_moves[source]);
      share_moves();
      paths.add(moves_);
      inflow.push_back(inflows.flits[source]);
    }
    paths.inflow = std::move(inflow);
    carry(std::move(paths));
  }
  std::vector<double> carry(FlowPaths paths) {
    std::vector<double> carried = push(paths, demand_.load);
    if (!chooses() || !least_) return carried;
    kept_moves_ += paths.moves();
    if (kept_moves_ <= most_kept_moves) kept_.push_back(std::move(paths));
    return carried;
  }

  /// True if packets choose among paths by the state of routers.
  bool chooses() const { return !chooses_in_nodes_ && (function_.adaptive() || function_.decides()); }
  void begin_paths() {
    if (chooses()) newest_.assign(static_cast<std::size_t>(graph_.nodes()), nobody);
    older_.clear();
  }
  /// Adds the states of the last search to paths. False if a path returns to a state, or if there are too many states.
  bool number_states(FlowPaths& paths) {
    const auto& order = paths_.order();
    if (paths_.met_again()) return false;
    for (const HeadPaths::State& state : paths_.states())
      if (state.vertex >= 0) used_[static_cast<std::size_t>(state.vertex)] = true;
    number_.resize(order.size());
    for (const std::uint32_t state : order) number_[state] = numbered(state, paths);
    looked_at_ += order.size();
    return looked_at_ <= most_states;
  }

  /// The number of a state of heads among the paths of flows. If packets may choose, states of a node with equal
  /// continuations are merged: usually the way to the node does not matter.
  std::uint32_t numbered(std::size_t state, FlowPaths& paths) {
    collect_moves(state);
    if (!chooses()) return paths.add(moves_);
    std::uint32_t& newest = newest_[static_cast<std::size_t>(paths_.states()[state].node)];
    for (std::uint32_t other = newest; other != nobody; other = older_[other])
      if (std::equal(moves_.begin(), moves_.end(), paths.begin(other), paths.end(other))) return other;
    older_.push_back(newest);
    return newest = paths.add(moves_);
  }

  void collect_moves(std::size_t state) {
    moves_.clear();
    for (const auto* move = paths_.begin(state); move != paths_.end(state); ++move) {
      const auto vertex = static_cast<std::size_t>(paths_.states()[move->to].vertex);
      moves_.push_back({static_cast<std::uint32_t>(classes_.link(vertex)), number_[move->to], 0, move->weight});
    }
    share_moves();
  }
  /// Keeps each move once, and divides the flow between the out-ports.
  void share_moves() {
    std::size_t weights = 0;
    std::sort(moves_.begin(), moves_.end(),
              [](const auto& a, const auto& b) { return std::pair(a.link, a.to) < std::pair(b.link, b.to); });
    moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
    for (std::size_t i = 0; i < moves_.size(); ++i)
      weights += i == 0 || moves_[i].link != moves_[i - 1].link ? moves_[i].weight : std::size_t{0};
    for (FlowPaths::Move& move : moves_) {
      const auto alike =
          std::count_if(moves_.begin(), moves_.end(), [&](const auto& other) { return other.link == move.link; });
      move.share = move.weight / static_cast<double>(weights * static_cast<std::size_t>(alike));
    }
  }

  LinkDemand summed() {
    demand_.hops = std::accumulate(demand_.load.begin(), demand_.load.end(), 0.0);
    demand_.channels.assign(demand_.load.size(), 0);
    for (std::size_t vertex = 0; vertex < used_.size(); ++vertex)
      if (used_[vertex]) demand_.channels[classes_.link(vertex)] += classes_.width(vertex);
    if (chooses()) {
      demand_.meaning = LinkDemand::Meaning::shared;
      if (kept_moves_ > 0 && kept_moves_ <= most_kept_moves)
        demand_.least = LeastLoad(kept_, demand_.load)
                            .after(std::clamp(most_moves_again / kept_moves_, std::size_t{8}, most_rounds));
    } else if (draws_) {
      demand_.meaning = LinkDemand::Meaning::expected;
    }
    return std::move(demand_);
  }

  const NetworkGraph graph_;
  const bool least_;                          ///< find `LinkDemand::least`
  const routing::RoutingFunction& function_;  ///< whose paths are followed
  const bool draws_;                          ///< packets of a pair choose at random
  const bool chooses_in_nodes_;               ///< they do so in each node
  ChannelClasses classes_;
  HeadPaths paths_;
  LinkDemand demand_;
  std::vector<bool> used_;  ///< [vertex] true if packets may take these channels
  std::vector<FlowPaths> kept_;
  std::size_t looked_at_ = 0, kept_moves_ = 0;
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  std::vector<std::uint32_t> number_;   ///< [state of heads] its number among the paths of flows
  std::vector<std::uint32_t> newest_;   ///< [node] the greatest of these numbers at the node, or `nobody`
  std::vector<std::uint32_t> older_;    ///< [number] the next smaller one of its node, or `nobody`
  std::vector<FlowPaths::Move> moves_;  ///< of a state
};

}  // namespace

std::optional<LinkDemand> demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                          const std::vector<Flow>& flows, bool least) {
  std::map<NodeId, Inflows> by_destination;
  for (const Flow& flow : flows) {
    Inflows& there = by_destination[flow.destination];
    there.destination = flow.destination;
    there.sources.push_back(flow.source);
    there.flits.push_back(flow.flits);
  }
  std::vector<Inflows> all;
  for (auto& [destination, inflows] : by_destination) all.push_back(std::move(inflows));
  return FlowFollower(graph, function, least).follow(all.size(), [&](std::size_t i) -> const Inflows& {
    return all[i];
  });
}

namespace {

/// Subtracts the load of the packets of all processors to themselves. False if it is not known.
bool leave_out_own(const NetworkGraph& graph, const routing::RoutingFunction& function, double flits,
                   LinkDemand& demand) {
  std::vector<Flow> own;
  for (NodeId processor = 0; processor < graph.processors(); ++processor)
    own.push_back({graph.processor(processor), graph.processor(processor), flits});
  const auto load = demand_by_paths(graph, function, own, false);
  if (!load) return false;
  for (std::size_t link = 0; link < load->load.size(); ++link)
    demand.load[link] = std::max(0.0, demand.load[link] - load->load[link]);
  demand.hops -= load->hops;
  return true;
}

}  // namespace

std::optional<LinkDemand> uniform_demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                                  double rate, bool to_itself) {
  const double flits = rate / (graph.processors() - (to_itself ? 0 : 1));
  Inflows uniform;  // the same to all destinations
  for (NodeId processor = 0; processor < graph.processors(); ++processor)
    uniform.sources.push_back(graph.processor(processor));
  uniform.flits.assign(uniform.sources.size(), flits);
  if (function.in_phases() && !function.decides() && !random_choices_vary(function, uniform.sources))
    if (auto demand = FlowFollower(graph, function).follow_phases(uniform))
      if (to_itself || leave_out_own(graph, function, flits, *demand)) return demand;
  return FlowFollower(graph, function).follow(uniform.sources.size(), [&](std::size_t i) -> const Inflows& {
    uniform.destination = uniform.sources[i];
    if (!to_itself && i > 0) uniform.flits[i - 1] = flits;
    if (!to_itself) uniform.flits[i] = 0;
    return uniform;
  });
}

std::optional<LinkDemand> demand_of_paths(const NetworkGraph& graph, const Algorithm& algorithm,
                                          const std::vector<Flow>& flows, bool least) {
  auto fixed = demand_of(graph, algorithm, flows);
  const routing::RoutingFunction* function = algorithm.routing_function(0);
  return fixed || function == nullptr ? fixed : demand_by_paths(graph, *function, flows, least);
}

}  // namespace starloom::links
