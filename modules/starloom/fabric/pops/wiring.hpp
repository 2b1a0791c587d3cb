// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The bindings of a POPS netlist, compiled into index tables.
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/message.hpp>

namespace starloom::pops {

/// Who drives and who samples which coupler, as found in the bindings of the modules (never computed from coordinates).
/// A coupler has the number row * groups + place in that row's bindings: where it is driven.
struct Wiring {
  std::int32_t groups = 0;
  std::vector<std::int32_t> row_of;     ///< [node] the transmit row that it drives
  std::vector<std::int32_t> column_of;  ///< [node] the receive column that it samples
  std::vector<std::int32_t> sampled;    ///< [column * groups + source group] number of the coupler
  std::vector<bool> dark;               ///< [coupler] carries nothing, whoever drives it
  std::vector<bool> first_wins;         ///< [coupler] carries its first driver's message even if there are more

  NodeId nodes() const { return static_cast<NodeId>(row_of.size()); }
  std::size_t couplers() const { return sampled.size(); }
};

}  // namespace starloom::pops
