// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Work in child processes of this one.
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>

namespace starloom {

/// Forks: in the child, which is a copy of this process, `work` runs with stdout and stderr going to `output`, and
/// what it returns is the exit status; nothing that the child has from its parent is destroyed there. Returns its
/// process id. SystemC allows one elaboration a process, so a caller whose children simulate must not have elaborated
/// anything; and as only the calling thread lives on in a child, there must be no other.
/// \param work throws nothing; if it does, the child ends as if by std::abort.
/// \throws std::system_error if the system cannot start one more process or create the file.
pid_t start_child(const std::function<int()>& work, const std::filesystem::path& output);

/// How a child ended.
struct ChildEnd {
  pid_t pid = 0;
  int status = 0;  ///< exit status; 128 + the signal that ended it
};

/// A child that has ended since the last call, or nothing. \throws std::system_error if there are no children.
std::optional<ChildEnd> ended_child();

}  // namespace starloom
