// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Links of a network with other latencies, intervals and widths (docs/links.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom {

/// The greatest values of a change.
inline constexpr int most_link_latency = LinkTiming::most_latency, most_link_interval = 1024, most_phits = 256;

/// Replaces properties of the links whose names match; what is empty stays as it is.
struct LinkChange {
  std::string links;                           ///< instance names with * and ?
  std::optional<std::int32_t> latency{};       ///< of a phit, in steps; with clocks, in cycles of the sender
  std::optional<std::int32_t> phits{};         ///< the width is 1/phits of a flit
  std::optional<std::int32_t> interval{};      ///< at most one flit per this number of steps, or per `phits` steps
  std::optional<std::int32_t> synchroniser{};  ///< see ClockCrossing
  std::optional<std::int32_t> fifo{};
};

/// The phits of a flit on a link whose width is this share of a flit, `1` or `1/2`, `1/3`, ...; none if the text is
/// something else.
std::optional<std::int32_t> phits_of_width(const std::string& width);
std::string width_of_phits(std::int32_t phits);

/// Number of the links whose names match.
std::int64_t matching_links(const NetworkGraph& graph, const std::string& links);

/// The same network after these changes, in order. A flit of k phits on a link of latency l is readable l + k - 1 steps
/// after it enters the link, and the next one enters k steps later at the earliest; words on side wires take l steps.
/// Clocks are given to the network later (`with_clocks`).
/// \throws ConfigError with the key `links.I` if change I matches no link.
LinkNetwork with_link_changes(LinkNetwork network, const std::vector<LinkChange>& changes);

}  // namespace starloom
