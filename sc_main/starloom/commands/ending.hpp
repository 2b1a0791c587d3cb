// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How a command ends.
#include <functional>

#include <starloom/support/error.hpp>

namespace starloom {

struct Ending {
  ExitStatus status = ExitStatus::done;
  bool leave_by_exit = false;  ///< a net is too large to destroy: end the process by std::_Exit
};

/// Runs a command, tells the fault that it throws on stderr, which becomes the status, and sees that stdout is written.
/// The one place that turns faults into exit statuses. Throws nothing.
Ending run_to_end(const std::function<Ending()>& command);

}  // namespace starloom
