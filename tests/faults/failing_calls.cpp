// SPDX-License-Identifier: Apache-2.0
// Preloaded into the program: lets one call of the C library fail. STARLOOM_FAIL_AT=N: the N-th call, counted from 1, that
// opens, writes, renames, syncs or makes something (not what the loader reads, nor stdout and stderr).
// STARLOOM_FAIL_AS=NUMBER: the error; 0: a write of half the bytes; ENOMEM: calls are instead allocations above 64 kB, of
// which this one gets no memory; negative: the call is made, but its process gets that signal. STARLOOM_FAIL_LOG=FILE: made
// when the call has come.
#include <dlfcn.h>
#include <fcntl.h>
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
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

std::atomic<int> calls{0};
/// The program has opened a file of its user's. What libraries take while they are loaded nobody can refuse.
std::atomic<bool> begun{false};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int number(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

/// True if this is the call meant.
bool is_the_one() {
  static const int at = number("STARLOOM_FAIL_AT");
  if (at == 0 || ++calls != at) return false;
  if (const char* const log = std::getenv("STARLOOM_FAIL_LOG"))
    ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY, 0600));
  return true;
}
/// True if this is the call that fails; errno is set.
bool fails() {
  static const int as = number("STARLOOM_FAIL_AS");
  if (as == ENOMEM || !is_the_one()) return false;
  if (as < 0) {
    ::kill(::getpid(), -as);
    return false;
  }
  errno = as;
  return true;
}
/// True if this is the allocation that gets nothing.
bool starves(size_t bytes) {
  constexpr size_t small = 64 * 1024;
  static const int as = number("STARLOOM_FAIL_AS");
  return bytes > small && begun && as == ENOMEM && is_the_one();
}
bool is_system(const char* path) {
  for (const char* const start : {"/usr/", "/etc/", "/lib", "/proc/", "/sys/", "/dev/"})
    if (std::strncmp(path, start, std::strlen(start)) == 0) return true;
  begun = true;
  return false;
}

}  // namespace

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
  return fails() && errno != 0 ? -1 : real(from, to);
}
int mkdir(const char* path, mode_t mode) {
  static auto* const real = next<int(const char*, mode_t)>("mkdir");
  return fails() && errno != 0 ? -1 : real(path, mode);
}
int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return fails() && errno != 0 ? -1 : real(file);
}
int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  return fails() && errno != 0 ? -1 : real(file);
}
}
