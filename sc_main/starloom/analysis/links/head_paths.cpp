// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/head_paths.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace starloom::links {

bool ChannelClasses::divide(const routing::Choice& choice) {
  const std::size_t before = firsts_.size();
  const auto limit = [this](int channel) {
    const auto at = std::lower_bound(firsts_.begin(), firsts_.end(), channel);
    if (at == firsts_.end() || *at != channel) firsts_.insert(at, channel);
  };
  const int first = choice.first - first_in(copy_of(choice.first));
  limit(first);
  const int behind = first + choice.count;
  // The classes after all offered channels are unused.
  if (behind < end_) limit(behind);
  if (behind > end_ && end_ > 0) limit(end_);
  end_ = std::max(end_, behind);
  return firsts_.size() != before;
}

RandomChoosers::RandomChoosers(const routing::RoutingFunction& function, const std::vector<NodeId>& sources,
                               NodeId destination)
    : function_(function), sources_(sources), destination_(destination), all_(sources.size()) {
  std::iota(all_.begin(), all_.end(), 0);
  const auto count = [&](std::uint32_t source) {
    return function.random_choices_between(sources[source], destination);
  };
  if (std::all_of(all_.begin(), all_.end(), [&](std::uint32_t source) { return count(source) == choices(); })) return;
  by_choice_.resize(choices());
  for (const std::uint32_t source : all_)
    for (std::uint32_t number = 0; number < count(source); ++number)
      by_choice_[function.random_choice_between(sources[source], destination, number)].push_back(source);
}

std::vector<NodeId> RandomChoosers::nodes(std::uint32_t choice) const {
  std::vector<NodeId> nodes;
  for (const std::uint32_t source : of(choice)) nodes.push_back(sources_[source]);
  return nodes;
}

bool random_choices_vary(const routing::RoutingFunction& function, const std::vector<NodeId>& processors) {
  const std::uint32_t all = function.random_choices();
  for (const NodeId source : processors)
    for (const NodeId destination : processors)
      if (function.random_choices_between(source, destination) != all) return true;
  return false;
}

void HeadPaths::clear() {
  if (known_.size() != classes_.copies() * classes_.vertices()) {
    known_.assign(classes_.copies() * classes_.vertices(), 0);
  } else {
    for (const State& state : states_)
      if (state.vertex >= 0) known(static_cast<std::size_t>(state.vertex), state.copy) = 0;
  }
  states_.clear();
  moves_.clear();
  order_.clear();
  met_again_.reset();
}

void HeadPaths::start_in(const std::vector<NodeId>& sources, NodeId destination, std::uint32_t random_choice) {
  clear();
  for (const NodeId source : sources)
    states_.push_back({-1, static_cast<std::uint32_t>(states_.size()), random_choice, source, graph_.ports(), 0, source,
                       destination, 0});
  starts_ = states_.size();
}

std::uint32_t HeadPaths::state_of(std::size_t vertex, std::size_t copy, LinkEnd end, int channel,
                                  std::uint32_t parent) {
  if (known(vertex, copy) != 0) return known(vertex, copy) - 1;
  const auto number = static_cast<std::uint32_t>(states_.size());
  State state = states_[parent];
  state.vertex = static_cast<std::int64_t>(vertex);
  state.parent = parent;
  state.node = end.node;
  state.in_port = end.port;
  state.channel = channel;
  state.copy = static_cast<std::uint8_t>(copy);
  state.arrived = state.phase_over = false;
  states_.push_back(state);
  known(vertex, copy) = number + 1;
  return number;
}

routing::Head HeadPaths::head_in(const State& state) {
  return {state.node, state.in_port, state.channel, state.destination, state.random_choice};
}

bool HeadPaths::search(const routing::RoutingFunction& function, const std::vector<NodeId>& sources, NodeId destination,
                       std::uint32_t random_choice) {
  start_in(sources, destination, random_choice);
  return explore(function, false);
}

bool HeadPaths::search_first_phases(const routing::RoutingFunction& function, const std::vector<NodeId>& sources,
                                    std::uint32_t random_choice) {
  start_in(sources, no_node, random_choice);
  return explore(function, true);
}

bool HeadPaths::search_last_phases(const routing::RoutingFunction& function, NodeId destination) {
  clear();
  for (const PhaseEnd& end : phase_ends_) {
    routing::Head head = end.head, before = end.before;
    head.destination = before.destination = destination;
    if (function.on_first_phase(head) || (end.state.vertex >= 0 && !function.on_first_phase(before))) continue;
    const auto number = static_cast<std::uint32_t>(states_.size());
    if (end.state.vertex >= 0) {
      std::uint32_t& known_as = known(static_cast<std::size_t>(end.state.vertex), end.state.copy);
      if (known_as != 0) continue;
      known_as = number + 1;
    }
    State state = end.state;
    state.parent = number;
    state.phase_over = false;
    state.destination = destination;
    states_.push_back(state);
  }
  starts_ = states_.size();
  return explore(function, false);
}

const std::vector<std::uint32_t>& HeadPaths::order() {
  if (!order_.empty()) return order_;
  enum : char { fresh, on_path, done };
  std::vector<char> mark(states_.size(), fresh);
  std::vector<std::pair<std::uint32_t, const Move*>> path;  // depth first
  for (std::uint32_t start = 0; start < starts_; ++start) {
    if (mark[start] == fresh) path.push_back({start, begin(start)});
    while (!path.empty()) {
      auto& [state, move] = path.back();
      mark[state] = on_path;
      if (move == end(state)) {
        mark[state] = done;
        order_.push_back(state);
        path.pop_back();
        continue;
      }
      const std::uint32_t next = move++->to;
      if (mark[next] == on_path && !met_again_) met_again_ = next;
      if (mark[next] == fresh) path.push_back({next, begin(next)});
    }
  }
  return order_;
}

void HeadPaths::clear_first_phases() {
  phase_ends_.clear();
  remembered_.clear();
}

bool HeadPaths::explore(const routing::RoutingFunction& function, bool first_phases) {
  bool divided = false;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].moves = static_cast<std::uint32_t>(moves_.size());
    routing::Head head = head_in(states_[i]);
    if (first_phases) {
      states_[i].destination = head.destination = destination_of_phase(function, head);
      states_[i].phase_over = head.destination == no_node;
      remember_end(i, head);
      if (states_[i].phase_over) continue;
    }
    routing::Choices choices;
    function.route(head, choices);
    for (const routing::Choice& choice : choices) divided = classes_.divide(choice) || divided;
    if (divided) break;  // the numbers of vertices have changed
    follow(i, head, choices);
  }
  if (divided) {
    known_.clear();
    clear_first_phases();
  }
  return !divided;
}

void HeadPaths::follow(std::size_t state, const routing::Head& head, const routing::Choices& choices) {
  for (const routing::Choice& choice : choices) {
    Port port = choice.port;
    if (port == graph_.ports()) {
      // A terminal has no router, so a packet for itself crosses its link and returns.
      if (states_[state].vertex >= 0 || !graph_.is_terminal(head.node)) {
        states_[state].arrived = head.node == head.destination;
        continue;
      }
      port = graph_.out_ports(head.node).lowest();
    }
    const LinkEnd end = graph_.far_end(head.node, port);
    if (!end.connected()) continue;
    const std::size_t copy = classes_.copy_of(choice.first);
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      const int first = classes_.first_in(copy) + classes_.first_of(c);
      if (first >= choice.first && first < choice.first + choice.count)
        moves_.push_back(
            {state_of(classes_.vertex(head.node, port, c), copy, end, first, static_cast<std::uint32_t>(state)),
             waits_for_all_ || choice.priority == 0, static_cast<std::uint16_t>(choice.weight)});
    }
  }
}

NodeId HeadPaths::destination_of_phase(const routing::RoutingFunction& function, routing::Head head) const {
  for (NodeId processor = 0; processor < graph_.processors(); ++processor) {
    head.destination = graph_.processor(processor);
    if (function.on_first_phase(head)) return head.destination;
  }
  return no_node;
}

void HeadPaths::remember_end(std::size_t number, const routing::Head& head) {
  const State& state = states_[number];
  if (remembered_.empty())
    remembered_.assign(classes_.vertices() + static_cast<std::size_t>(graph_.nodes()), {false, false});
  const std::size_t index = state.vertex >= 0 ? static_cast<std::size_t>(state.vertex)
                                              : classes_.vertices() + static_cast<std::size_t>(state.node);
  bool& known = remembered_[index][state.phase_over ? 1 : 0];
  if (known) return;
  known = true;
  phase_ends_.push_back({state, head, head_in(states_[state.parent])});
}

}  // namespace starloom::links
