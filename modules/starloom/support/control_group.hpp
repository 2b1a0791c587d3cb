// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file CPU quotas of Linux control groups, as in a container.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace starloom {

/// The folders of this process's control group and its ancestors, the innermost first, of version 2 and of version 1
/// with this controller. In a container its own may be the top one. `root`: of the file system.
std::vector<std::filesystem::path> control_groups(const std::string& controller,
                                                  const std::filesystem::path& root = "/");

/// The CPU quota of this process in cores, such as 1.5: the least `cpu.max` of its control groups of version 2;
/// `nullopt` if none of them has a quota.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

}  // namespace starloom
