// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/gtkwave/fst.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

/// vcd2fst does not check its writes, so its exit status is 0 on a full disk, too. The file is a sequence of
/// sections, each with a byte for its type and eight for its length without that byte, the most significant first.
/// The names of all variables come last.
bool is_whole(const std::filesystem::path& fst) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(fst, none);
  if (none) return false;
  std::ifstream file(fst, std::ios::binary);
  std::uintmax_t at = 0;
  unsigned char section[9] = {};
  while (at < size) {
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(section), sizeof section)) return false;
    std::uintmax_t length = 0;
    for (int byte = 1; byte < 9; ++byte) length = length << 8 | section[byte];
    if (length < 8 || length > size - at - 1) return false;
    at += length + 1;
  }
  constexpr unsigned char names[] = {4, 6, 7};  // by their compression
  return std::find(std::begin(names), std::end(names), section[0]) != std::end(names);
}

}  // namespace

void convert_to_fst(const std::filesystem::path& vcd, const std::filesystem::path& fst) {
  std::string program = "vcd2fst", from = std::filesystem::absolute(vcd).string(),
              to = std::filesystem::absolute(fst).string();  // no name looks like an option
  char* const arguments[] = {program.data(), from.data(), to.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw OutputError("waves.fst needs the program vcd2fst, which was not found; install the package gtkwave");
  if (error != 0)
    throw OutputError("waves.fst: vcd2fst cannot be started (" + std::generic_category().message(error) + ")");
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0 && is_whole(fst)) return;
  std::error_code ignored;
  for (const char* left : {"", ".hier"}) std::filesystem::remove(fst.string() + left, ignored);
  throw OutputError("waves.fst: vcd2fst failed (is the disk full?)");
}

}  // namespace starloom
