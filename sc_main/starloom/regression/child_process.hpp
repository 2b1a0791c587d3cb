// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Work in child processes of this one.
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>

namespace starloom {

/// Forks: in the child, which is a copy of this process, `work` runs with stdout and stderr going to `output`, and
/// its result is the exit status; objects that the child has from its parent are not destroyed there. Returns its
/// process id. SystemC allows one elaboration per process, so a caller whose children simulate must not have
/// elaborated a netlist; and because only the calling thread continues in a child, there must be no other threads.
/// \param work does not throw; if it does, the child ends as if by std::abort.
/// \throws std::system_error if the system cannot start one more process or create the file.
pid_t start_child(const std::function<int()>& work, const std::filesystem::path& output);

/// The end of a child.
struct ChildEnd {
  pid_t pid = 0;
  int status = 0;  ///< exit status; 128 + the signal that ended it
};

/// A child that has ended since the last call, or empty. \throws std::system_error if there are no children.
std::optional<ChildEnd> ended_child();

}  // namespace starloom
