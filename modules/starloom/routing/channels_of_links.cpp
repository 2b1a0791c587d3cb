// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/channels_of_links.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <starloom/support/error.hpp>

namespace starloom::routing {
namespace {

std::vector<int> marks_of(const RoutingFunction& function, int channel) {
  std::vector<int> marks;
  function.mark_channel(channel, marks);
  return marks;
}

}  // namespace

ChannelsOfLinks::ChannelsOfLinks(const std::function<std::unique_ptr<RoutingFunction>(int channels)>& make,
                                 const NetworkGraph& graph, std::vector<std::int32_t> channels)
    : graph_(graph) {
  const auto refuse = [&](int number, const std::string& text) {
    const auto node = static_cast<NodeId>(std::find(channels.begin(), channels.end(), number) - channels.begin());
    throw InputError(graph.node_name(node) + " has " + std::to_string(number) +
                     (number == 1 ? " channel: " : " channels: ") + text);
  };
  for (const std::int32_t number : std::set<std::int32_t>(channels.begin(), channels.end())) {
    try {
      functions_.push_back(make(number));
      kinds_.push_back({number, functions_.back().get(), {}});
    } catch (const InputError& error) {
      refuse(number, error.what());
    }
  }
  for (Kind& kind : kinds_)
    for (const Kind& other : kinds_) {
      std::vector<int>& here = kind.counterparts.emplace_back();
      for (int there = 0; there < other.channels; ++there) {
        int channel = 0;
        const std::vector<int> marks = marks_of(*other.function, there);
        while (channel < kind.channels && marks_of(*kind.function, channel) != marks) ++channel;
        if (channel == kind.channels)
          refuse(kind.channels, "the routing function distinguishes channel " + std::to_string(there) + " of " +
                                    std::to_string(other.channels) + ", which has no counterpart among these");
        here.push_back(channel);
      }
    }
  for (const std::int32_t number : channels)
    kind_.push_back(static_cast<std::size_t>(
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) { return kind.channels == number; }) -
        kinds_.begin()));
  if (any().every_path() == nullptr) return;
  std::vector<Kind> kinds = kinds_;
  for (Kind& kind : kinds) kind.function = kind.function->every_path();
  every_path_.reset(new ChannelsOfLinks(graph, std::move(kinds), kind_));
}

void ChannelsOfLinks::route(const Head& head, Choices& choices) const {
  const std::size_t here = kind_[static_cast<std::size_t>(head.node)];
  for (std::size_t number = 0; number < kinds_.size(); ++number) {
    const Kind& kind = kinds_[number];
    Head as_seen = head;
    as_seen.in_channel = kind.counterparts[here][static_cast<std::size_t>(head.in_channel)];
    Choices all;
    kind.function->route(as_seen, all);
    choices.tolerate(std::max(choices.tolerance(), all.tolerance()));
    for (const Choice& choice : all) {
      const NodeId there = choice.port == graph_.ports() ? head.node : graph_.far_end(head.node, choice.port).node;
      if (kind_[static_cast<std::size_t>(there)] == number)
        choices.add(choice.port, choice.first, choice.count, choice.priority, choice.weight);
    }
  }
}

bool ChannelsOfLinks::adaptive() const {
  return std::any_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.function->adaptive(); });
}

double ChannelsOfLinks::table_bytes() const {
  double sum = 0;
  for (const Kind& kind : kinds_) sum += kind.function->table_bytes();
  return sum;
}

}  // namespace starloom::routing
