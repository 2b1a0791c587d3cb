#include <starloom/analysis/links/head_ways.hpp>

#include <algorithm>

namespace starloom::links {

bool ChannelClasses::divide(const routing::Choice& choice) {
  const std::size_t before = firsts_.size();
  const auto limit = [this](int channel) {
    const auto at = std::lower_bound(firsts_.begin(), firsts_.end(), channel);
    if (at == firsts_.end() || *at != channel) firsts_.insert(at, channel);
  };
  limit(choice.first);
  const int behind = choice.first + choice.count;
  // What lies behind all channels that were offered is nothing.
  if (behind < end_) limit(behind);
  if (behind > end_ && end_ > 0) limit(end_);
  end_ = std::max(end_, behind);
  return firsts_.size() != before;
}

std::uint32_t HeadWays::state_of(std::size_t vertex, std::uint32_t parent) {
  if (known_[vertex] != 0) return known_[vertex] - 1;
  const auto state = static_cast<std::uint32_t>(states_.size());
  const NodeId node = graph_.far_end(classes_.node(vertex), classes_.port(vertex)).node;
  states_.push_back({static_cast<std::int64_t>(vertex), parent, node, 0, false});
  known_[vertex] = state + 1;
  return state;
}

bool HeadWays::search(const routing::RoutingFunction& function, NodeId destination, std::uint32_t drawn) {
  if (known_.size() != classes_.vertices()) {
    known_.assign(classes_.vertices(), 0);
  } else {
    for (const State& state : states_)
      if (state.vertex >= 0) known_[static_cast<std::size_t>(state.vertex)] = 0;
  }
  states_.clear();
  moves_.clear();
  for (NodeId processor = 0; processor < graph_.processors(); ++processor)
    states_.push_back({-1, static_cast<std::uint32_t>(processor), graph_.processor(processor), 0, false});

  bool divided = false;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].moves = static_cast<std::uint32_t>(moves_.size());
    const auto [vertex, parent, node, first_move, arrived] = states_[i];
    routing::Head head{node, graph_.ports(), 0, destination, drawn};
    if (vertex >= 0) {
      const auto v = static_cast<std::size_t>(vertex);
      head.in_port = graph_.far_end(classes_.node(v), classes_.port(v)).port;
      head.in_channel = classes_.first(v);
    }
    routing::Choices choices;
    function.route(head, choices);
    for (const routing::Choice& choice : choices) {
      divided = classes_.divide(choice) || divided;
      if (divided) continue;  // what vertices are called has changed
      if (choice.port == graph_.ports()) {
        states_[i].arrived = node == destination;
        continue;
      }
      if (!graph_.far_end(node, choice.port).connected()) continue;
      for (std::size_t c = 0; c < classes_.count(); ++c)
        if (classes_.first_of(c) >= choice.first && classes_.first_of(c) < choice.first + choice.count)
          moves_.push_back(
              {state_of(classes_.vertex(node, choice.port, c), static_cast<std::uint32_t>(i)), choice.priority == 0});
    }
  }
  if (divided) known_.clear();
  return !divided;
}

NodeId HeadWays::source(std::size_t state) const {
  while (states_[state].vertex >= 0) state = states_[state].parent;
  return states_[state].node;
}

}  // namespace starloom::links
