// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/control_group.hpp>

#include <fstream>

namespace starloom {

namespace fs = std::filesystem;

std::vector<fs::path> control_groups(const std::string& controller, const fs::path& root) {
  std::vector<fs::path> groups;
  std::ifstream own(root / "proc/self/cgroup");  // number:controllers:group
  for (std::string line; std::getline(own, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != controller) continue;
    const fs::path top = root / "sys/fs/cgroup" / controllers;
    for (fs::path group = line.substr(second + 1); !group.empty(); group = group.parent_path()) {
      groups.push_back(top / group.relative_path());
      if (group == group.parent_path()) break;
    }
  }
  return groups;
}

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  for (const fs::path& group : control_groups("", root)) {
    double quota = 0, period = 0;
    std::ifstream file(group / "cpu.max");  // microseconds; `max 100000` means no quota
    if (file >> quota >> period && period > 0 && (!least || quota / period < *least)) least = quota / period;
  }
  return least;
}

}  // namespace starloom
