// SPDX-License-Identifier: Apache-2.0
#include "faults/failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <optional>

namespace {

starloom::FailingCall failing;
std::atomic<int> calls{0};
int record = -1;  ///< the file of `record_calls`
std::optional<starloom::Lack> lacks;
/// True once a file outside the system folders has been opened: allocations of libraries at their start do not fail.
std::atomic<bool> begun{false};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// True if this is the call meant.
bool is_the_one() {
  if (failing.at == 0 || ++calls != failing.at) return false;
  ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, failing.log.c_str(), O_CREAT | O_WRONLY, 0600));
  return true;
}
/// True if this is the call that fails; errno is set.
bool fails() {
  if (failing.as == ENOMEM || !is_the_one()) return false;
  if (failing.as < 0) {
    ::kill(::getpid(), -failing.as);
    return false;
  }
  errno = failing.as;
  return true;
}
/// True if this allocation fails.
bool starves(size_t bytes) {
  constexpr size_t small = 64 * 1024;
  return bytes > small && begun && failing.as == ENOMEM && is_the_one();
}
void note(const std::string& line) {
  if (record >= 0) ::syscall(SYS_write, record, (line + "\n").data(), line.size() + 1);
}
std::string name_of(int file) {
  std::string name(4096, ' ');
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), name.data(), name.size());
  return name.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
}
/// A call of fcntl() or of its twin.
int lock_or_more(const char* name, int file, int command, void* argument) {
  for (const int lock : {F_SETLK, F_SETLKW, F_GETLK, F_OFD_SETLK})
    if (command == lock && lacks == starloom::Lack::locks) {
      errno = ENOLCK;
      return -1;
    }
  return next<int(int, int, ...)>(name)(file, command, argument);
}
bool is_system(const char* path) {
  for (const char* const start : {"/usr/", "/etc/", "/lib", "/proc/", "/sys/", "/dev/"})
    if (std::strncmp(path, start, std::strlen(start)) == 0) return true;
  begun = true;
  return false;
}

}  // namespace

namespace starloom {

void let_fail(const FailingCall& call) {
  failing = call;
  calls = 0;
  begun = false;
}

void let_disk_lack(Lack what) { lacks = what; }

void record_calls(const std::string& file) {
  record = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600));
}

}  // namespace starloom

extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);

void* malloc(size_t bytes) {
  if (!starves(bytes)) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* block, size_t bytes) {
  if (!starves(bytes)) return __libc_realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(size_t count, size_t bytes) {
  if (!starves(count * bytes)) return __libc_calloc(count, bytes);
  errno = ENOMEM;
  return nullptr;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  static auto* const real = next<int(const char*, int, ...)>("open");
  return !is_system(path) && fails() && errno != 0 ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  static auto* const real = next<int(const char*, int, ...)>("open64");
  return !is_system(path) && fails() && errno != 0 ? -1 : real(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen");
  return !is_system(path) && fails() && errno != 0 ? nullptr : real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen64");
  return !is_system(path) && fails() && errno != 0 ? nullptr : real(path, mode);
}
ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (file <= STDERR_FILENO || !fails()) return real(file, bytes, size);
  return errno != 0 ? -1 : real(file, bytes, (size + 1) / 2);
}
ssize_t writev(int file, const iovec* pieces, int count) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  if (file <= STDERR_FILENO || !fails()) return real(file, pieces, count);
  return errno != 0 ? -1 : real(file, pieces, 1);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  if (!fails()) return real(file, bytes, size, at);
  return errno != 0 ? -1 : real(file, bytes, (size + 1) / 2, at);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  if (::fileno(file) <= STDERR_FILENO || !fails()) return real(bytes, size, count, file);
  return real(bytes, size, count / 2, file);
}
int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  note(std::string("rename ") + from + " " + to);
  return fails() && errno != 0 ? -1 : real(from, to);
}
int mkdir(const char* path, mode_t mode) {
  static auto* const real = next<int(const char*, mode_t)>("mkdir");
  return fails() && errno != 0 ? -1 : real(path, mode);
}
int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  note("sync " + name_of(file));
  return fails() && errno != 0 ? -1 : real(file);
}
int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return lock_or_more("fcntl", file, command, argument);
}
int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return lock_or_more("fcntl64", file, command, argument);
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (file >= 0 && (flags & MAP_SHARED) != 0 && lacks == starloom::Lack::shared_memory) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  static auto* const real = next<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return real(at, size, protection, flags, file, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off64_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}
int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  return fails() && errno != 0 ? -1 : real(file);
}
}
