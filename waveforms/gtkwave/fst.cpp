#include <starloom/waveforms/gtkwave/fst.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <starloom/core/error.hpp>

namespace starloom {

void convert_to_fst(const std::filesystem::path& vcd, const std::filesystem::path& fst) {
  std::string program = "vcd2fst", from = std::filesystem::absolute(vcd).string(),
              to = std::filesystem::absolute(fst).string();  // no name looks like an option
  char* const arguments[] = {program.data(), from.data(), to.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault == ENOENT)
    throw OutputError("waves.fst needs the program vcd2fst, which is not found; install the package gtkwave");
  if (fault != 0)
    throw OutputError("waves.fst: vcd2fst cannot be started (" + std::generic_category().message(fault) + ")");
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  // Its exit status alone says little: it is 0 for files that it cannot read, too.
  std::error_code none;
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || std::filesystem::file_size(fst, none) == 0 || none) {
    std::filesystem::remove(fst, none);
    throw OutputError("waves.fst: vcd2fst failed");
  }
}

}  // namespace starloom
