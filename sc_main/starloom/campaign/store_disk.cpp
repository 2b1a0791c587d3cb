// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/store_disk.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <starloom/support/error.hpp>

namespace starloom {

void refuse_disk_without_locks(const std::filesystem::path& store, int why) {
  throw OutputError(fmt::format("{}: the file system has no locks ({}); give --store a place on a local disk",
                                store.string(), std::generic_category().message(why)));
}

bool has_shared_memory(const std::filesystem::path& file, bool create, const std::filesystem::path& store) {
  int access = PROT_READ | PROT_WRITE;
  int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0644);
  if (descriptor < 0) {
    access = PROT_READ;
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (descriptor < 0) return true;  // SQLite reports the reason
  struct flock first_byte {};       // which SQLite does not lock
  first_byte.l_type = F_RDLCK;
  first_byte.l_whence = SEEK_SET;
  first_byte.l_len = 1;
  const int why = ::fcntl(descriptor, F_SETLK, &first_byte) == 0 ? 0 : errno;
  void* const page = ::mmap(nullptr, 1, access, MAP_SHARED, descriptor, 0);
  if (page != MAP_FAILED) ::munmap(page, 1);
  ::close(descriptor);
  if (why != 0 && why != EACCES && why != EAGAIN) refuse_disk_without_locks(store, why);
  return page != MAP_FAILED;
}

}  // namespace starloom
