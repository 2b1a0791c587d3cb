// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/control_group.hpp>

#include <gtest/gtest.h>

#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

class ControlGroup : public testing::Test {
 protected:
  /// Files of a system below the scratch folder.
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(scratch_.file(name).parent_path());
    scratch_.write(name, content);
  }
  std::optional<double> quota() const { return cpu_quota(scratch_.path()); }

  ScratchFolder scratch_;
};

TEST_F(ControlGroup, TheLeastQuotaOnTheWayToTheTopCounts) {
  EXPECT_EQ(quota(), std::nullopt);
  write("proc/self/cgroup", "0::/a/b\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

// In a container its group is the top one, or has a name that is not there.
TEST_F(ControlGroup, TheTopOfAContainerCounts) {
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(quota(), 2);
  write("proc/self/cgroup", "0::/docker/5f3a\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(ControlGroup, ControllersOfVersionOneHaveFoldersOfTheirOwn) {
  write("proc/self/cgroup", "4:memory:/x\n1:cpu:/\n0::/y\nnonsense\n");
  const std::filesystem::path top = scratch_.path() / "sys/fs/cgroup";
  EXPECT_EQ(control_groups("memory", scratch_.path()),
            (std::vector<std::filesystem::path>{top / "memory/x", top / "memory/", top / "y", top / ""}));
  write("sys/fs/cgroup/cpu/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

}  // namespace
}  // namespace starloom
