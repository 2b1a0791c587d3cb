// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One queue per out-port: the common part of store-and-forward controllers that serve each queue from its
/// front.
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// Sends the front of every queue whose link accepts it. True if packets remain.
inline bool send_fronts(FlitView& view) {
  bool more = false;
  for (Port port = 0; port < view.buffers(); ++port) {
    if (view.empty(port)) continue;
    if ((view.withheld() >> port & 1) == 0) view.send(port, view.pop(port));
    more = more || !view.empty(port);
  }
  return more;
}

}  // namespace starloom::links
