// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/next_hop_channels.hpp>

namespace starloom::routing {

/// The part of a range that belongs to an out-port.
ChannelRange NextHopChannels::part(const ChannelRange& all, Port out) const {
  const int size = all.count / static_cast<int>(number_.size());
  return {all.first + number_[static_cast<std::size_t>(out)] * size, size};
}

Port NextHopChannels::next_port(const Head& head) const {
  Choices choices;
  function_->route(head, choices);
  return choices.begin()->port;
}

void NextHopChannels::route(const Head& head, Choices& choices) const {
  Choices all;
  function_->route(head, all);
  const Choice& choice = *all.begin();
  const ChannelRange given{choice.first, choice.count};
  const auto take = [&](const ChannelRange& range) { choices.add(choice.port, range.first, range.count); };
  if (choice.port == graph_.ports()) return take(head.in_port == graph_.ports() ? given : part(given, choice.port));
  const LinkEnd next = graph_.far_end(head.node, choice.port);
  take(part(given, next_port({next.node, next.port, choice.first, head.destination})));
}

ChannelRange NextHopChannels::source_channels(const Head& head, const ChannelRange& all) const {
  return part(all, next_port(head));
}

}  // namespace starloom::routing
