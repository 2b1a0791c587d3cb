// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The keys of `vc-wormhole`: their table, their values, and the values that no router can have.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/router_parts.hpp>
#include <starloom/router/channel_rules.hpp>
#include <starloom/router/priorities.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/schema/part_keys.hpp>

namespace starloom::links {

/// All keys, with those of the parts.
std::vector<KeySpec> router_key_table(const RouterParts& parts);

/// The values of its keys.
struct RouterKeys {
  int channels = 1;  ///< of a port; of some by regions others
  router::SharedBuffer shared;
  std::int32_t buffer = 8;  ///< the most flits of a channel
  bool speculative = true;
  router::Speedup speedup;
  std::optional<router::Pipeline> pipeline;  ///< none: the number of cycles does not fit `speculative`
  std::int64_t credit_latency = 0;
  const routing::FunctionEntry* function = nullptr;
  const SelectionEntry* selection = nullptr;
  PartValue arbiter;
  PartValue channel_allocator, switch_allocator;
  std::optional<PartValue> speculation_allocator;  ///< none: `switch_allocator` grants speculative requests, too
  SpeculationMask speculation_mask = SpeculationMask::grants;
  bool speculation_checks_credits = true;
  PriorityKeys priorities;
  ChannelRules rules;
  router::FlowRule flow = router::FlowRule::wormhole;
  bool multicast_whole = true;  ///< a copy of a packet to several destinations needs room for all of it
  int reply_channels = 0;
  std::vector<TrafficClass> classes;  ///< empty: packets are not divided into classes

  /// \param for_replies channels that the traffic reserves. \param of_traffic its classes; one of both at most.
  RouterKeys(const RouterParts& parts, const KeyValues& keys, std::int32_t link_latency, std::int32_t for_replies = 0,
             std::vector<TrafficClass> of_traffic = {});

  /// [class] its channels of a port: those of replies are the last ones, if they are reserved.
  std::vector<routing::ChannelRange> class_channels(int of_port) const {
    std::vector<routing::ChannelRange> ranges;
    const int others = of_port - reply_channels;
    for (const TrafficClass& of_traffic : classes)
      ranges.push_back(of_traffic.channels.value_or(routing::ChannelRange{0, of_port}));
    if (ranges.empty()) ranges.push_back({0, others});
    if (reply_channels > 0) ranges.push_back({others, reply_channels});
    return ranges;
  }
  bool piggyback(const RouterParts& parts) const {
    return part_named(parts.allocators, channel_allocator.name).piggyback;
  }
  /// True if VcRouter has all these rules.
  bool built_in(const RouterParts& parts) const;
  /// A warning if allocators ignore the priorities of the router; else empty.
  std::string remark(const RouterParts& parts) const;
  /// The names of all arbiters.
  std::vector<std::string> arbiters() const;
  std::vector<PartValue> allocators() const;
};

/// Refuses keys that no network of this kind supports, with all errors. \throws ConfigError
///
/// \param given the values of all keys.
/// \param offers of the network.
/// \param grid of the network; null: it has none.
void refuse_router(const RouterParts& parts, const RouterKeys& keys, const KeyValues& given, const Capabilities& offers,
                   const Grid* grid, std::int32_t link_latency);
/// Refuses keys that a router of this number of ports, the local one included, cannot have. \throws ConfigError
///
/// \param channels the greatest number of a port. \param offers, grid as above.
void refuse_ports(int ports, int channels, const RouterKeys& keys, const Capabilities& offers, const Grid* grid);
/// Refuses keys that do not work with the numbers of channels of some nodes. \throws ConfigError
///
/// \param channels [node] \param given, offers, grid as above.
void refuse_channels_of_nodes(const NetworkGraph& graph, const std::vector<std::int32_t>& channels,
                              const RouterKeys& keys, const KeyValues& given, const Capabilities& offers,
                              const Grid* grid);
/// Refuses keys that do not work with the stages of some routers. \param pipelines [node] \throws ConfigError
void refuse_pipelines(const NetworkGraph& graph, const RouterKeys& keys,
                      const std::vector<router::Pipeline>& pipelines);
/// Refuses keys that do not work with the terminals of a network. \throws ConfigError
void refuse_terminals(const NetworkGraph& graph, const RouterKeys& keys);
/// Refuses packets to several destinations in networks and routers that do not copy them, or that would have no room
/// for a whole packet. \throws ConfigError
///
/// \param given the values of all keys.
void refuse_groups(const AlgorithmContext& context, const RouterKeys& keys, const KeyValues& given);

}  // namespace starloom::links
