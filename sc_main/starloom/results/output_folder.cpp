// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/output_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include <starloom/results/result_exchange.hpp>
#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::error_code& why) {
  throw OutputError(fmt::format("{}: {}: {}", path.string(), what, why.message()));
}

std::string what_is_left(const fs::path& temporary) {
  return fmt::format("starloom: the partial results are in {}", temporary.string());
}

/// The temporary folder in use, for signal handlers, which may not call functions of this library.
struct PartialFolder {
  std::string path, sentence;
};
std::atomic<const PartialFolder*> partial_folder{nullptr};

}  // namespace

OutputFolder::OutputFolder(const fs::path& target, bool force) : target_(target) {
  std::error_code why;
  exists_ = fs::exists(target_, why);
  if (why) fail(target_, "cannot be used as the output folder", why);
  if (!exists_) {
    if (fs::is_symlink(target_, why))
      throw OutputError(fmt::format("{}: is a dangling symbolic link; choose another --out", target_.string()));
    target_ = target_.lexically_normal();
  }
  if (!target_.has_filename()) target_ = target_.parent_path();
  if (exists_) {
    if (!fs::is_directory(target_, why))
      throw OutputError(fmt::format("{}: exists and is not a folder; choose another --out", target_.string()));
    const bool others = !lock(target_);
    if (alone_) put_back_earlier_result(target_);
    const bool empty = fs::is_empty(target_, why);
    if (why) fail(target_, "the output folder cannot be read", why);
    if (!empty && !force)
      throw OutputError(fmt::format("{}: exists; --force replaces it, --out DIR writes elsewhere", target_.string()));
    if (others) refuse_as_second();
    refuse_foreign_files();
  } else if (target_.has_parent_path()) {
    fs::create_directories(target_.parent_path(), why);
    if (why) fail(target_, "its parent folder cannot be created", why);
  }
  temporary_ = unused_temporary(target_.string() + (exists_ ? "/." : "."), target_);
  if (!fs::create_directory(temporary_, why)) fail(target_, "the output folder is not writable", why);
  if (!exists_) {
    lock(temporary_);
    if (another_run_begun()) {
      fs::remove(temporary_, why);
      refuse_as_second();
    }
  }
  delete partial_folder.exchange(new PartialFolder{temporary_.string(), escape(what_is_left(temporary_)) + "\n"});
}

OutputFolder::~OutputFolder() {
  delete partial_folder.exchange(nullptr);
  std::error_code ignored;
  if (!published_ && fs::is_empty(temporary_, ignored)) fs::remove(temporary_, ignored);
}

OutputFolder::Descriptor::~Descriptor() {
  if (number >= 0) ::close(number);
}

bool OutputFolder::lock(const fs::path& folder) {
  lock_.number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Without folder locks (some network disks), two runs differ by their temporary folders only.
  alone_ = lock_.number >= 0 && ::flock(lock_.number, LOCK_EX | LOCK_NB) == 0;
  return alone_ || lock_.number < 0 || errno != EWOULDBLOCK;
}

void OutputFolder::refuse_as_second() const {
  throw OutputError(
      fmt::format("{}: another run is writing there; wait for it, or choose another --out", target_.string()));
}

/// If two begin at the same moment, both may see the other, and end.
bool OutputFolder::another_run_begun() const {
  const std::string begin = target_.filename().string() + ".partial-";
  const fs::path parent = temporary_.parent_path();
  std::error_code why;  // a parent folder that can be written but not read hides them
  for (fs::directory_iterator at(parent.empty() ? "." : parent, why), end; !why && at != end; at.increment(why)) {
    const fs::path name = at->path().filename();
    if (name.string().rfind(begin, 0) != 0 || name == temporary_.filename()) continue;
    const int other = ::open(at->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (other < 0) continue;
    const bool locked = ::flock(other, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(other);
    if (locked) return true;
  }
  return false;
}

void OutputFolder::refuse_foreign_files() const {
  const auto earlier = result_files(target_);
  if (earlier.empty() || std::find(earlier.begin(), earlier.end(), result_seal) != earlier.end()) return;
  throw OutputError(
      fmt::format("{}: is not part of an earlier result, because there is no {} next to it; --force replaces only "
                  "results, so choose another --out",
                  (target_ / earlier.front()).string(), result_seal));
}

void OutputFolder::write(const std::string& name, const std::string& content) const {
  write_part(temporary_ / name, content);
}

void OutputFolder::report_partial_results() const {
  std::error_code ignored;
  if (published_ || fs::is_empty(temporary_, ignored)) return;
  print_message(what_is_left(temporary_));
}

void OutputFolder::abandon() {
  const PartialFolder* const left = partial_folder.exchange(nullptr);
  if (left == nullptr || ::rmdir(left->path.c_str()) == 0 || errno == ENOENT) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, left->sentence.data(), left->sentence.size());
}

void OutputFolder::publish() {
  std::error_code why;
  if (exists_) {
    exchange_results(temporary_, target_);
    fs::remove(temporary_, why);
  } else {
    fs::rename(temporary_, target_, why);
    if (why) fail(target_, fmt::format("the results cannot be moved here from {}", temporary_.string()), why);
  }
  published_ = true;
}

}  // namespace starloom
