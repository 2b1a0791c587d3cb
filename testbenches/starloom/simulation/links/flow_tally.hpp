// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Latencies and missed deadlines by flow, computed message by message, so that no message need be kept.
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <starloom/core/histogram.hpp>
#include <starloom/traffic/workloads/item_graph.hpp>

namespace starloom::links {

/// The messages that have the same name of a flow, ends, class and deadline.
struct FlowPart {
  Item first;  ///< one of them
  std::int64_t messages = 0;
  std::int64_t flits = 0;
  std::int64_t in_time = 0;  ///< delivered within the deadline
  SmallHistogram latency;    ///< of those that were delivered

  /// Later than the deadline, or never.
  std::int64_t missed() const { return first.deadline == no_step ? 0 : messages - in_time; }
};

class FlowTally {
 public:
  /// A message is created. Returns the number of its part.
  std::int32_t created(const Item& message) {
    const auto [known, is_new] = number_.try_emplace(Key(message), static_cast<std::int32_t>(parts_.size()));
    if (is_new) parts_.emplace_back().first = message;
    FlowPart& part = parts_[static_cast<std::size_t>(known->second)];
    ++part.messages;
    part.flits += message.flits;
    return known->second;
  }
  void delivered(std::int32_t number, Step latency) {
    FlowPart& part = parts_[static_cast<std::size_t>(number)];
    part.latency.add(latency);
    part.in_time += latency <= part.first.deadline ? 1 : 0;
  }

  /// In the order of their first messages.
  std::vector<FlowPart> parts() && { return std::move(parts_); }

 private:
  struct Key {
    explicit Key(const Item& message)
        : facts(message.flow, message.source, message.destination, message.traffic_class, message.reply,
                message.deadline) {}
    bool operator==(const Key& other) const { return facts == other.facts; }
    std::tuple<std::int32_t, NodeId, NodeId, std::uint8_t, bool, Step> facts;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      const auto mix = [&hash](auto value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15; };
      std::apply([&](auto... values) { (mix(values), ...); }, key.facts);
      return static_cast<std::size_t>(hash ^ hash >> 32);
    }
  };

  std::vector<FlowPart> parts_;
  std::unordered_map<Key, std::int32_t, Hash> number_;  ///< looked up, never iterated
};

}  // namespace starloom::links
