// SPDX-License-Identifier: Apache-2.0
// Shards of a campaign as tasks of a job array or of mpirun: merged, they are one undisturbed store. With the
// launchers themselves: tests/cluster/run.sh.
#include "support/places.hpp"
#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

const std::string cluster = (testbenches() / "campaigns/cluster").string();

class Cluster : public CampaignTest {
 protected:
  /// Status of a shell command in the folder of the test.
  int shell(const std::string& command) const {
    const int state = std::system(("cd '" + scratch_.path().string() + "' && export STARLOOM='" + program().string() +
                                   "' && { " + command + "; } >stdout 2>stderr")
                                      .c_str());
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  }
  void expect_merged() const {
    EXPECT_EQ(shell("'" + program().string() + "' campaign merge shards/*.sqlite --into merged.sqlite"), 0)
        << scratch_.read("stderr");
    EXPECT_EQ(rows("merged.sqlite"), undisturbed());
  }
};

TEST_F(Cluster, JobArrayTasksFindTheirShards) {
  write_campaign(21);
  for (const std::string i : {"0", "1", "2", "3"})
    EXPECT_EQ(shell("export SLURM_ARRAY_TASK_ID=" + i +
                    " SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0 "
                    "SLURM_ARRAY_TASK_MAX=3 SLURM_CPUS_PER_TASK=2; '" +
                    cluster + "/shard.sh' c.yaml shards"),
              0)
        << scratch_.read("stderr");
  EXPECT_TRUE(exists("shards/c.shard-3-of-4.sqlite"));
  expect_merged();
}

TEST_F(Cluster, RanksFindTheirShards) {
  write_campaign(9);
  for (const std::string i : {"0", "1", "2"})
    EXPECT_EQ(shell("export PMI_RANK=" + i + " PMI_SIZE=3; '" + cluster + "/shard.sh' c.yaml shards"), 0);
  expect_merged();
}

TEST_F(Cluster, AnArrayWithHolesIsRefused) {
  EXPECT_EQ(shell("export SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 "
                  "SLURM_ARRAY_TASK_MAX=4; '" +
                  cluster + "/shard.sh' c.yaml"),
            2);
  EXPECT_EQ(scratch_.read("stderr"), "shard.sh: the job array must be 0-3, every index once\n");
  EXPECT_EQ(shell("'" + cluster + "/shard.sh' c.yaml"), 2);
  EXPECT_THAT(scratch_.read("stderr"), HasSubstr("neither a Slurm job array nor mpirun"));
}

}  // namespace
}  // namespace starloom
