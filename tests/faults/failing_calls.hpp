// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Lets a call of the C library fail. The functions of failing_calls.cpp replace those of the library.
#include <string>

namespace starloom {

/// Which call fails: call number `at`, counted from 1 and from now on, of those that open, write, rename, sync or make
/// a file; system files that libraries read, stdout and stderr are not counted.
struct FailingCall {
  int at = 0;  ///< 0: none
  int as = 0;  ///< the error; 0: a write of half the bytes; ENOMEM: calls are instead allocations above 64 kB, of which
               ///< this one gets no memory; negative: the call is made, but its process gets that signal
  std::string log;  ///< the file that is made when the call has come
};
void let_fail(const FailingCall& call);

/// From now on, a feature that a network disk may lack fails: locks of files (ENOLCK), or memory that is shared
/// through a file (ENODEV).
enum class Lack { locks, shared_memory };
void let_disk_lack(Lack what);

/// From now on, writes a line into a file for each call that renames or syncs: `rename FROM TO`, `sync NAME`.
void record_calls(const std::string& file);

}  // namespace starloom
