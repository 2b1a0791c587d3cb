#include <starloom/regression/child_process.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace starloom {

pid_t start_self(const std::vector<std::string>& arguments, const std::filesystem::path& output) {
  // Everything that allocates happens before the fork.
  std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv = {self.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw std::system_error(errno, std::generic_category(), output.string());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::execv(self.c_str(), argv.data());
    ::_exit(127);
  }
  const int fault = errno;
  ::close(file);
  if (pid < 0) throw std::system_error(fault, std::generic_category(), "a child process cannot be started");
  return pid;
}

ChildEnd wait_for_child() {
  int state = 0;
  pid_t pid = 0;
  do pid = ::waitpid(-1, &state, 0);
  while (pid < 0 && errno == EINTR);
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "waiting for a child process");
  return {pid, WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state)};
}

}  // namespace starloom
