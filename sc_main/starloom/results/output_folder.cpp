// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/output_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <starloom/support/aside.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/printable.hpp>
#include <starloom/support/tell.hpp>
#include <starloom/trace_io/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

/// What a whole result has. Without it a folder is not one, so it goes first and comes last.
constexpr const char* seal = "result.json";

/// The files that this program writes; everything else in a replaced folder belongs to the user.
constexpr const char* own_files[] = {
    seal,           "packets.csv",  "trace.csv",        "trace.csv.gz",     "timing.json", "slots.csv",
    "links.svg",    "latency.svg",  "netlist.json",     "transactions.csv", "waves.vcd",   "waves.fst",
    "waves.gtkw",   "couplers.svg", "latency.csv",      "links.csv",        "buffers.csv", "credits.csv",
    "network.json", "replay.html",  "trace_window.json"};

bool is_own(const std::string& name) {
  if (std::find(std::begin(own_files), std::end(own_files), name) != std::end(own_files)) return true;
  // GTKWave's names for values: waves.<field>.filter
  return name.compare(0, 6, "waves.") == 0 && fs::path(name).extension() == ".filter";
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::error_code& why) {
  throw OutputError(fmt::format("{}: {}: {}", path.string(), what, why.message()));
}

std::string what_is_left(const fs::path& aside) {
  return fmt::format("starloom: the partial results are in {}", aside.string());
}

/// The folder aside that is there, for who can call no function of this library any more.
struct Abandoned {
  std::string path, sentence;
};
std::atomic<const Abandoned*> abandoned{nullptr};

}  // namespace

OutputFolder::OutputFolder(const fs::path& target, bool force) : target_(target) {
  std::error_code why;
  exists_ = fs::exists(target_, why);
  if (!exists_) {
    if (fs::is_symlink(target_, why))
      throw OutputError(fmt::format("{}: is a dangling symbolic link; choose another --out", target_.string()));
    target_ = target_.lexically_normal();
  }
  if (!target_.has_filename()) target_ = target_.parent_path();
  if (exists_) {
    if (!fs::is_directory(target_, why))
      throw OutputError(fmt::format("{}: exists and is not a folder; choose another --out", target_.string()));
    const bool empty = fs::is_empty(target_, why);
    if (why) fail(target_, "the output folder cannot be read", why);
    if (!empty && !force)
      throw OutputError(fmt::format("{}: exists; --force replaces it, --out DIR writes elsewhere", target_.string()));
  } else if (target_.has_parent_path()) {
    fs::create_directories(target_.parent_path(), why);
    if (why) fail(target_, "its parent folder cannot be created", why);
  }
  if (exists_) {
    if (!lock(target_)) refuse_as_second();
    refuse_foreign_files();
  }
  aside_ = unused_aside(target_.string() + (exists_ ? "/." : "."));
  if (!fs::create_directory(aside_, why)) fail(target_, "the output folder is not writable", why);
  if (!exists_) {
    lock(aside_);
    if (another_run_begun()) {
      fs::remove(aside_, why);
      refuse_as_second();
    }
  }
  delete abandoned.exchange(new Abandoned{aside_.string(), printable(what_is_left(aside_)) + "\n"});
}

OutputFolder::~OutputFolder() {
  delete abandoned.exchange(nullptr);
  std::error_code ignored;
  if (!published_ && fs::is_empty(aside_, ignored)) fs::remove(aside_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

bool OutputFolder::lock(const fs::path& folder) {
  lock_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where folders cannot be locked (some network disks), two runs are told apart by their folders aside alone.
  return lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void OutputFolder::refuse_as_second() {
  ::close(std::exchange(lock_, -1));
  throw OutputError(
      fmt::format("{}: another run is writing there; wait for it, or choose another --out", target_.string()));
}

/// Of two that begin at the same moment, both may see the other, and end.
bool OutputFolder::another_run_begun() const {
  const std::string begin = target_.filename().string() + ".partial-";
  const fs::path parent = aside_.parent_path();
  std::error_code why;  // a folder above that can be written and not read hides them
  for (fs::directory_iterator at(parent.empty() ? "." : parent, why), end; !why && at != end; at.increment(why)) {
    const fs::path name = at->path().filename();
    if (name.string().rfind(begin, 0) != 0 || name == aside_.filename()) continue;
    const int other = ::open(at->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (other < 0) continue;
    const bool locked = ::flock(other, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(other);
    if (locked) return true;
  }
  return false;
}

void OutputFolder::refuse_foreign_files() const {
  const auto earlier = earlier_files();
  if (earlier.empty() || std::find(earlier.begin(), earlier.end(), seal) != earlier.end()) return;
  throw OutputError(
      fmt::format("{}: is not part of an earlier result, because there is no {} next to it; --force replaces only "
                  "results, so choose another --out",
                  (target_ / earlier.front()).string(), seal));
}

std::vector<fs::path> OutputFolder::earlier_files() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(target_))
    if (is_own(entry.path().filename().string())) files.push_back(entry.path().filename());
  std::sort(files.begin(), files.end());
  return files;
}

void OutputFolder::write(const std::string& name, const std::string& content) const {
  write_text(aside_ / name, content);
}

void OutputFolder::tell_what_is_left() const {
  std::error_code ignored;
  if (published_ || fs::is_empty(aside_, ignored)) return;
  tell(what_is_left(aside_));
}

void OutputFolder::abandon() {
  const Abandoned* const left = abandoned.exchange(nullptr);
  if (left == nullptr || ::rmdir(left->path.c_str()) == 0 || errno == ENOENT) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, left->sentence.data(), left->sentence.size());
}

void OutputFolder::publish() {
  if (exists_) {
    publish_into_existing();
  } else {
    std::error_code why;
    fs::rename(aside_, target_, why);
    if (why) fail(target_, fmt::format("the results cannot be moved here from {}", aside_.string()), why);
  }
  published_ = true;
}

void OutputFolder::publish_into_existing() {
  std::error_code why;
  const fs::path removed = unused_aside((target_ / ".earlier.").string());
  const auto move = [&](const fs::path& name, const fs::path& from, const fs::path& to) {
    fs::rename(from / name, to / name, why);
    if (why) fail(target_ / name, fmt::format("cannot be moved from {} to {}", from.string(), to.string()), why);
  };
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(aside_)) names.push_back(entry.path().filename());
  const auto earlier = earlier_files();
  if (!earlier.empty() && !fs::create_directory(removed, why)) fail(target_, "cannot be written", why);
  if (!earlier.empty()) move(seal, target_, removed);
  for (const fs::path& name : earlier)
    if (name != seal) move(name, target_, removed);
  for (const fs::path& name : names)
    if (name != seal) move(name, aside_, target_);
  move(seal, aside_, target_);
  fs::remove_all(removed, why);
  fs::remove(aside_, why);
}

}  // namespace starloom
