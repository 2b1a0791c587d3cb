// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A disk that can be full.
#include <sys/mount.h>

#include <filesystem>

namespace starloom {

/// A small disk of its own, for those who may mount one (root).
class SmallDisk {
 public:
  SmallDisk(const std::filesystem::path& at, const char* options) : at_(at) {
    std::filesystem::create_directory(at);
    mounted_ = ::mount("tmpfs", at.c_str(), "tmpfs", 0, options) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }
  bool remount(unsigned long flags, const char* options) const {
    return ::mount("tmpfs", at_.c_str(), "tmpfs", MS_REMOUNT | flags, options) == 0;
  }

 private:
  std::filesystem::path at_;
  bool mounted_;
};

}  // namespace starloom
