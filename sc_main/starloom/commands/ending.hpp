// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The end of a command.
#include <functional>

#include <starloom/support/error.hpp>

namespace starloom {

struct Ending {
  ExitStatus status = ExitStatus::done;
  bool leave_by_exit = false;  ///< a netlist is too large to destroy: end the process by std::_Exit
};

/// Runs a command, prints the error that it throws on stderr and converts it to the exit status, and checks that
/// stdout is written. The only function that converts errors to exit statuses. Does not throw.
Ending run_to_end(const std::function<Ending()>& command);

}  // namespace starloom
