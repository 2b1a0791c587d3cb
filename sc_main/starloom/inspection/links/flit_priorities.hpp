// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The priorities of flits in routers (docs/router-family.md, "Priorities"), from the rows of a run.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/inspection/links/buffer_log.hpp>
#include <starloom/router/priorities.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// The keys of priorities of a run.
struct PriorityFacts {
  PriorityRule rule = PriorityRule::none;
  bool donate = false;
  bool compared = false;                   ///< by the switch allocator; else they only select the channel of an in-line
  std::vector<std::int64_t> of_classes{};  ///< [class of traffic]
};

/// \param compare names of the allocators that compare priorities. \throws InputError
PriorityFacts read_priorities(const ResultDocument& result, const std::vector<std::string>& compare);

/// The numbers by which routers choose between flits. Memory grows with the flits in the network, or with packets if
/// the rule is `sequence`.
class FlitPriorities {
 public:
  FlitPriorities(const PriorityFacts& facts, const NetworkGraph& graph, const std::vector<Packet>& packets);

  /// For all rows of the run, in order, each before the flit of the row enters a buffer.
  void row(const TraceRow& row);
  /// After all rows.
  void number_packets();

  /// The priority of a flit that enters a buffer. Not of the rules `sequence` and `queue-length`.
  std::int64_t of_flit(PacketId packet, std::int32_t flit, Step readable) const;
  /// The priority of a channel at the beginning of a step. \param front_readable when its front flit entered.
  std::int64_t of_channel(const BufferLog& buffer, Step front_readable, Step step) const;
  /// A sentence about two channels. \param its of the packet `other`.
  std::string reason(PacketId other, std::int64_t its, std::int64_t own) const;

 private:
  std::int64_t of_packet(PacketId packet) const { return -sequences_[static_cast<std::size_t>(packet)]; }

  const PriorityFacts facts_;
  const NetworkGraph& graph_;
  const std::vector<Packet>& packets_;
  std::unordered_map<std::uint64_t, std::int64_t> of_flits_{};  ///< in the network; looked up, never iterated
  std::vector<Step> sent_{};                                    ///< [packet] the step in which its tail left its memory
  std::vector<std::int64_t> sequences_{};                       ///< [packet]
};

}  // namespace starloom::links
