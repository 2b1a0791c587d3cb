// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A lock so that only one campaign at a time writes a store.
#include <filesystem>

namespace starloom {

/// Holds `<store>.lock`, beside the file that a link leads to, until its destruction or the end of the process. Child
/// processes do not inherit it.
class StoreLock {
 public:
  /// \throws OutputError if another process holds it, naming that process, or the file cannot be made.
  explicit StoreLock(const std::filesystem::path& store);
  /// Removes the file.
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace starloom
