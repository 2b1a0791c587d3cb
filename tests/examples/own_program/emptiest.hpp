// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A selection of your own, for all adaptive routing functions.
#include <starloom/control/router_parts.hpp>

namespace own {

/// The port with the most channels to give; of equals the first.
starloom::SelectionEntry emptiest_entry();

}  // namespace own
