// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The steps in which routers have a flit: those in which their clock runs with `gating: idle`.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::energy {

/// A flit is in a node from the step of the row that brings it to that of the row that takes it away, both included.
class BusySteps final : public links::TraceSink {
 public:
  /// \param graph outlives the object. \param flits_vanish hardware dies, so that the trace may have rows `drop`
  BusySteps(const NetworkGraph& graph, bool flits_vanish);

  void rows(const std::vector<links::TraceRow>& of_one_step) override;
  /// [node] The steps before `step`, all rows of which are known, in which the node had a flit.
  std::vector<std::int64_t> before(Step step) const;

 private:
  struct Node {
    std::int64_t busy = 0;   ///< steps, up to the one in which the last flit left
    std::int32_t flits = 0;  ///< that are there
    Step since = 0;          ///< the first step with a flit, if one is there
  };
  void arrive(const links::TraceRow& row, NodeId node);
  void leave(const links::TraceRow& row, NodeId node);
  static std::uint64_t key_of(const links::TraceRow& row) {
    return static_cast<std::uint64_t>(row.packet) << 32 | static_cast<std::uint32_t>(row.flit);
  }

  const bool flits_vanish_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, NodeId> places_;  ///< of flits, by packet and index; kept if flits vanish
};

}  // namespace starloom::energy
