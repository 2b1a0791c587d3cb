// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/store_lock.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <starloom/campaign/store_disk.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

/// Locks are empty files. A file with content is the user's, and would be removed at the end.
bool is_lock(int descriptor) {
  struct stat opened {};
  return ::fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_size == 0;
}

/// True if the path still leads to the open file: its last holder may have removed it.
bool still_there(const std::filesystem::path& file, int descriptor) {
  struct stat by_name {
  }, by_descriptor{};
  return ::stat(file.c_str(), &by_name) == 0 && ::fstat(descriptor, &by_descriptor) == 0 &&
         by_name.st_ino == by_descriptor.st_ino && by_name.st_dev == by_descriptor.st_dev;
}

}  // namespace

StoreLock::StoreLock(const std::filesystem::path& store) {
  std::error_code why;
  file_ = std::filesystem::weakly_canonical(store, why).string() + ".lock";
  if (why) throw OutputError(fmt::format("{}: the store cannot be locked: {}", store.string(), why.message()));
  while (true) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw OutputError(
          fmt::format("{}: the store cannot be written: {}", store.string(), std::generic_category().message(errno)));
    if (!is_lock(descriptor_)) {
      ::close(descriptor_);
      throw OutputError(fmt::format(
          "{}: is not the lock of a store, and is not replaced; rename it, or choose another --store", file_.string()));
    }
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (::fcntl(descriptor_, F_SETLK, &whole) != 0) {
      const int refusal = errno;
      if (refusal != EACCES && refusal != EAGAIN) {
        ::close(descriptor_);
        refuse_disk_without_locks(store, refusal);
      }
      struct flock holder = whole;
      const bool known = ::fcntl(descriptor_, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK;
      ::close(descriptor_);
      throw OutputError(
          fmt::format("{}: another campaign{} is writing this store; wait for it, or choose another --store",
                      store.string(), known ? fmt::format(" (process {})", holder.l_pid) : ""));
    }
    if (still_there(file_, descriptor_)) return;
    ::close(descriptor_);
  }
}

StoreLock::~StoreLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace starloom
