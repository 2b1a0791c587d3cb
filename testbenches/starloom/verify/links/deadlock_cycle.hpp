// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `deadlock.cycle` of `result.json`, compared with the rows.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>

namespace starloom::links {

/// Each packet of the cycle is in flight at the location of its entry, and the packet of the next entry has crossed
/// the out-port and channel that it waits for, if these are of a link. Without a cycle the comparison is empty.
class DeadlockCycle {
 public:
  /// \param table, graph outlive the object. \throws InputError if the cycle cannot be read
  DeadlockCycle(const ResultDocument& result, const PacketTable& table, const NetworkGraph& graph);

  /// A row that satisfies the rules of the model; steps ascend.
  void row(const TraceRow& row) {
    if (!waits_.empty()) add_row(row);
  }
  /// Called after all rows.
  void compare(Comparison& comparison) const;

 private:
  /// An entry.
  struct Wait {
    PacketId packet;
    NodeId node;
    Port port;                                        ///< no_port: null; `ports()`: the local one
    std::int32_t channel;                             ///< -1: null
    bool held = false;                                ///< the packet of the next entry has crossed there
    std::int32_t ejected = 0;                         ///< flits of the packet
    std::map<std::int32_t, TraceRow> last_hops = {};  ///< [flit] of the packet
    bool copied = false;                              ///< a copy of a flit has come to the node of the entry
  };

  void add_row(const TraceRow& row);
  const Wait& next(std::size_t entry) const { return waits_[(entry + 1) % waits_.size()]; }
  /// True if the first flit of the packet that has not arrived is in the node of the entry, or behind the link.
  bool is_there(const Wait& wait) const;
  /// True if the packet of the next entry has the channel, but waits for a credit to enter it.
  bool is_allocated(std::size_t entry) const;

  const PacketTable& table_;
  const NetworkGraph& graph_;
  std::vector<Wait> waits_;
  std::map<std::pair<NodeId, Port>, std::vector<std::size_t>> at_;  ///< entries that wait for an out-port
  std::map<PacketId, std::size_t> of_;                              ///< the entry of a packet
};

}  // namespace starloom::links
