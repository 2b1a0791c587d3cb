// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The plainest store-and-forward router, shared by the probes that prove something else: dimension order, one
/// first-in, first-out queue per out-port.
#include <starloom/algorithms/links/out_queues.hpp>

namespace starloom::links {

/// Takes a packet that is here to its processor or to the queue of its out-port.
inline void take_in(FlitView& view, const Flit& flit) {
  const Port out = view.grid().dimension_order_port(view.node(), flit.destination);
  if (out == no_port) view.eject(flit);
  else view.push(out, flit, view.step());
}

/// Takes in all packets that have arrived; control objects are left to the caller.
inline void take_in_arrivals(FlitView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Flit& flit = view.arrival(lowest_port(left));
    if (!is_control(flit.kind)) take_in(view, flit);
  }
}

}  // namespace starloom::links
