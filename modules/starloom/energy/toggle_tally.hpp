// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The bits that toggle on links, counted from rows and the contents of flits (docs/energy.md).
#include <cstdint>
#include <vector>

#include <starloom/core/links/flit_contents.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::energy {

/// A bit toggles if it differs from that of the flit before on the link; at first all are 0.
class ToggleTally final : public links::TraceSink {
 public:
  /// \param graph outlives the object, as `contents` do. Packets that have arrived are removed from these.
  ToggleTally(const NetworkGraph& graph, links::FlitContents& contents)
      : graph_(graph),
        contents_(contents),
        toggles_(graph.link_slots(), 0),
        last_(graph.link_slots() * contents.flit_bytes(), 0) {}

  void rows(const std::vector<links::TraceRow>& of_one_step) override;
  /// [node * ports + out-port] in all rows so far
  const std::vector<std::int64_t>& toggles() const { return toggles_; }

 private:
  void cross(const links::TraceRow& row);

  const NetworkGraph& graph_;
  links::FlitContents& contents_;
  std::vector<std::int64_t> toggles_;
  std::vector<std::uint8_t> last_;  ///< [link * flit_bytes + byte] of the last flit
};

}  // namespace starloom::energy
