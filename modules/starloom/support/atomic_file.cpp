// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/atomic_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const fs::path& file, const std::string& what) {
  throw OutputError(file.string() + ": " + what);
}

/// Devices and pipes cannot be replaced, nor can open files: `/dev/stdout`, `/proc/self/fd/3`. Such names are links,
/// but files of `/dev/shm` are ordinary files.
bool is_device(const fs::path& file) {
  const std::string name = file.string();
  std::error_code ignored;
  if ((name.rfind("/dev/", 0) == 0 || name.rfind("/proc/", 0) == 0) && fs::is_symlink(file, ignored)) return true;
  const fs::file_status status = fs::status(file, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void rename_to(const fs::path& from, const fs::path& to) {
  std::error_code why;
  fs::rename(from, to, why);
  if (why) refuse_output(to, "cannot be renamed to its final name: " + why.message());
}

/// The folder of a file.
fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

fs::path unused_temporary(const std::string& start, const fs::path& target) {
  const std::string base = start + "partial-" + std::to_string(::getpid());
  fs::path name = base;
  std::error_code why;
  for (int i = 2; fs::exists(fs::symlink_status(name, why)); ++i) name = base + "-" + std::to_string(i);
  if (why == std::errc::filename_too_long)
    refuse_output(target, "cannot be created: " + why.message() + "; choose a shorter one");
  if (why && why != std::errc::no_such_file_or_directory) refuse_output(target, "cannot be created: " + why.message());
  return name;
}

void sync_to_disk(const fs::path& file_or_folder) {
  const int opened = ::open(file_or_folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return;  // a folder may be writable but not readable
  int why = 0;
  do why = ::fsync(opened) == 0 ? 0 : errno;
  while (why == EINTR);
  ::close(opened);
  if (why == EIO || why == ENOSPC || why == EDQUOT)
    refuse_output(file_or_folder, "cannot be written to disk: " + std::generic_category().message(why));
}

void make_folder_of(const fs::path& file) {
  std::error_code why;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), why);
  if (why) refuse_output(file, "its folder cannot be created: " + why.message());
}

void require_writable(const fs::path& file) {
  const AtomicFile whole(file);
  if (whole.path() == file) return;  // the reader of a pipe would take a test for the end
  const int opened = ::open(whole.path().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (opened < 0) refuse_output(file, "cannot be created (" + std::generic_category().message(errno) + ")");
  ::close(opened);
}

bool has_mark(const fs::path& file, std::string_view mark) {
  constexpr std::size_t head = 200;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::ifstream in(file, std::ios::binary);
  std::string begin(head, ' ');
  in.read(begin.data(), static_cast<std::streamsize>(head));
  return begin.find(mark) != std::string::npos;
}

void refuse_foreign_file(const fs::path& file, std::string_view mark, std::string_view kind, std::string_view advice) {
  std::error_code ignored;
  if (is_device(file) || !fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) == 0) return;
  if (!has_mark(file, mark))
    refuse_output(file, "exists and is not " + std::string(kind) + ", so it is not replaced; " + std::string(advice));
}

AtomicFile::AtomicFile(const fs::path& file) : file_(file), temporary_(file) {
  if (is_device(file)) return;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) refuse_output(file, "is a folder; give the name of a file");
  if (fs::is_symlink(file, ignored)) refuse_output(file, "is a symbolic link; give the name of the file itself");
  temporary_ = unused_temporary((file.parent_path() / ("." + file.filename().string() + ".")).string(), file);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (temporary_ != file_) fs::remove(temporary_, ignored);
}

void AtomicFile::publish() {
  if (temporary_ == file_) return;
  sync_to_disk(temporary_);
  rename_to(temporary_, file_);
  sync_to_disk(folder_of(file_));
}

AtomicFolder::AtomicFolder(const fs::path& folder) : folder_(folder) {
  std::error_code why;
  fs::create_directories(folder, why);
  if (why) refuse_output(folder, "the folder cannot be created: " + why.message());
  temporary_ = unused_temporary((folder / ".").string(), folder);
  fs::create_directory(temporary_, why);
  if (why) refuse_output(folder, "the folder is not writable: " + why.message());
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

std::vector<fs::path> AtomicFolder::files() const {
  std::vector<fs::path> names;
  std::error_code why;
  fs::directory_iterator entry(temporary_, why);
  for (; !why && entry != fs::directory_iterator(); entry.increment(why)) names.push_back(entry->path().filename());
  if (why) refuse_output(folder_, "cannot be read: " + why.message());
  std::sort(names.begin(), names.end());
  return names;
}

void AtomicFolder::publish(const std::string& first, const std::string& last) {
  std::vector<fs::path> names = files();
  const auto rank = [&](const fs::path& name) { return name == first ? 0 : name == last ? 2 : 1; };
  std::stable_sort(names.begin(), names.end(), [&](const fs::path& a, const fs::path& b) { return rank(a) < rank(b); });
  for (const fs::path& name : names) sync_to_disk(temporary_ / name);
  for (const fs::path& name : names) rename_to(temporary_ / name, folder_ / name);
  sync_to_disk(folder_);
}

}  // namespace starloom
