// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The bindings of a POPS netlist, compiled into index tables.
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/message.hpp>

namespace starloom::pops {

/// The couplers that each processor drives and samples, as found in the bindings of the modules (never computed from
/// coordinates). A coupler has the number row * groups + its index in the bindings of the row that drives it.
struct Wiring {
  std::int32_t groups = 0;
  std::vector<std::int32_t> row_of;     ///< [node] the transmit row that it drives
  std::vector<std::int32_t> column_of;  ///< [node] the receive column that it samples
  std::vector<std::int32_t> sampled;    ///< [column * groups + source group] number of the coupler
  std::vector<bool> dark;               ///< [coupler] carries no message, whichever processor drives it
  std::vector<bool> first_wins;         ///< [coupler] carries its first driver's message even if there are several

  NodeId nodes() const { return static_cast<NodeId>(row_of.size()); }
  std::size_t couplers() const { return sampled.size(); }
};

}  // namespace starloom::pops
