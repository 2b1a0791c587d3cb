// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/aside.hpp>

#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const fs::path& file, const std::string& what) {
  throw OutputError(file.string() + ": " + what);
}

/// Devices and pipes cannot be written aside, nor can what is open already: `/dev/stdout`, `/proc/self/fd/3`. Such names
/// are links, but files of `/dev/shm` are files like others.
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

}  // namespace

fs::path unused_aside(const std::string& start) {
  const std::string base = start + "partial-" + std::to_string(::getpid());
  fs::path name = base;
  std::error_code why;
  for (int i = 2; fs::exists(fs::symlink_status(name, why)); ++i) name = base + "-" + std::to_string(i);
  if (why && why != std::errc::no_such_file_or_directory) refuse_output(name, "cannot be created: " + why.message());
  return name;
}

FileAside::FileAside(const fs::path& file) : file_(file), aside_(file) {
  if (is_device(file)) return;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) refuse_output(file, "is a folder; give the name of a file");
  if (fs::is_symlink(file, ignored)) refuse_output(file, "is a symbolic link; give the name of the file itself");
  aside_ = unused_aside((file.parent_path() / ("." + file.filename().string() + ".")).string());
}

FileAside::~FileAside() {
  std::error_code ignored;
  if (aside_ != file_) fs::remove(aside_, ignored);
}

void FileAside::publish() {
  if (aside_ != file_) rename_to(aside_, file_);
}

FolderAside::FolderAside(const fs::path& folder) : folder_(folder) {
  std::error_code why;
  fs::create_directories(folder, why);
  if (why) refuse_output(folder, "the folder cannot be created: " + why.message());
  aside_ = unused_aside((folder / ".").string());
  fs::create_directory(aside_, why);
  if (why) refuse_output(folder, "the folder is not writable: " + why.message());
}

FolderAside::~FolderAside() {
  std::error_code ignored;
  fs::remove_all(aside_, ignored);
}

void FolderAside::publish(const std::string& last) {
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(aside_))
    if (entry.path().filename() != last) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  for (const fs::path& name : names) rename_to(aside_ / name, folder_ / name);
  rename_to(aside_ / last, folder_ / last);
}

}  // namespace starloom
