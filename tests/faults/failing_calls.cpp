// Preloaded into the program: lets one call of the C library fail. STARLOOM_FAIL_AT=N: the N-th call, counted from 1, that
// opens, writes, renames, syncs or makes something (not what the loader reads, nor stdout and stderr).
// STARLOOM_FAIL_AS=NUMBER: the error; 0: a write of half the bytes. STARLOOM_FAIL_LOG=FILE: made when the call has come.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

std::atomic<int> calls{0};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// True if this is the call that fails; errno is set.
bool fails() {
  static const char* const at = std::getenv("STARLOOM_FAIL_AT");
  if (at == nullptr || ++calls != std::atoi(at)) return false;
  if (const char* const log = std::getenv("STARLOOM_FAIL_LOG"))
    ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY, 0600));
  errno = std::atoi(std::getenv("STARLOOM_FAIL_AS"));
  return true;
}
bool is_system(const char* path) {
  for (const char* const start : {"/usr/", "/etc/", "/lib", "/proc/", "/sys/", "/dev/"})
    if (std::strncmp(path, start, std::strlen(start)) == 0) return true;
  return false;
}

}  // namespace

extern "C" {

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
