#pragma once
/// \file How a command ends.
#include <starloom/core/error.hpp>

namespace starloom {

struct Ending {
  ExitStatus status = ExitStatus::done;
  bool leave_by_exit = false;  ///< a net is too large to destroy: end the process by std::_Exit
};

}  // namespace starloom
