#pragma once
/// \file This program again, as a child of itself.
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// Starts this program with `arguments`; its stdout and stderr go to `output`. Returns its process id.
/// \throws std::runtime_error if the system cannot start one more process.
pid_t start_self(const std::vector<std::string>& arguments, const std::filesystem::path& output);

/// How a child ended.
struct ChildEnd {
  pid_t pid = 0;
  int status = 0;  ///< exit status; 128 + the signal that ended it
};

/// Waits for any child.
ChildEnd wait_for_child();

}  // namespace starloom
