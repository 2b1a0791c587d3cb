// SPDX-License-Identifier: Apache-2.0
// Stores on disks without locks, as NFS without a lock daemon, or without shared memory, as some FUSE and 9p mounts.
#include "faults/failing_calls.hpp"
#include "system/campaign_support.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace starloom {
namespace {

using testing::HasSubstr;

class NetworkDisk : public CampaignTest {
 protected:
  void SetUp() override {
    CampaignTest::SetUp();
    write_campaign(2, "plot: []\n");
  }
  static void without_locks() { let_disk_lack(Lack::locks); }
  static void without_shared_memory() { let_disk_lack(Lack::shared_memory); }
  /// The names of files in a folder, in order.
  std::vector<std::string> names(const std::string& folder) const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.file(folder)))
      all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_F(NetworkDisk, WithoutLocksTheCauseIsNamedAtOnce) {
  const std::string error =
      ": the file system has no locks (No locks available); give --store a place on a local disk\n";
  const ProgramRun run = starloom("campaign c.yaml --store d/s", without_locks);
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.err, "d/s" + error);
  EXPECT_TRUE(names("d").empty());

  // One that was copied there.
  EXPECT_EQ(starloom("campaign c.yaml --store d/s").status, 0);
  for (const char* words :
       {"campaign c.yaml --store d/s", "report c.yaml --store d/s", "campaign merge d/s --into t"}) {
    const ProgramRun refused = starloom(words, without_locks);
    EXPECT_EQ(refused.status, 5) << words;
    EXPECT_EQ(refused.err, "d/s" + error) << words;
  }
  EXPECT_EQ(names("d"), std::vector<std::string>{"s"});
}

TEST_F(NetworkDisk, WithoutSharedMemoryStoresWork) {
  const std::vector<std::string> expected = undisturbed();
  const ProgramRun run = starloom("campaign c.yaml --store d/s", without_shared_memory);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(names("d"), std::vector<std::string>{"s"});
  EXPECT_EQ(rows("d/s"), expected);
  const ProgramRun report = starloom("report c.yaml --store d/s --out r", without_shared_memory);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("2 completed"));
  EXPECT_THAT(starloom("campaign c.yaml --store d/s", without_shared_memory).out, HasSubstr("8 of 8"));
  EXPECT_EQ(names("d"), std::vector<std::string>{"s"});
}

// The journal of a store is written in its first page.
TEST_F(NetworkDisk, StoresOfOtherDisksAreReadAndGoOn) {
  const std::vector<std::string> expected = undisturbed();
  for (const bool is_reader_first : {true, false}) {
    const std::string store = is_reader_first ? "a/s" : "b/s";
    ASSERT_EQ(starloom("campaign c.yaml --shard 1/2 --store " + store).status, 0);
    if (is_reader_first) starloom("report c.yaml --store " + store, without_shared_memory);
    const ProgramRun run = starloom("campaign c.yaml --store " + store, without_shared_memory);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(names(store.substr(0, 1)), std::vector<std::string>{"s"});
    // And back.
    EXPECT_EQ(starloom("report c.yaml --store " + store).status, 0);
    EXPECT_EQ(rows(store), expected);
  }
  EXPECT_EQ(starloom("campaign merge a/s b/s --into c/s", without_shared_memory).status, 0);
  EXPECT_EQ(rows("c/s"), expected);
}

TEST_F(NetworkDisk, ReadOnlyStoresAreRead) {
  ASSERT_EQ(starloom("campaign c.yaml --store d/s").status, 0);
  std::filesystem::create_directory(scratch_.file("r"));
  for (const auto& [file, mode] : {std::pair{"d/s", 0444}, {"d", 0555}, {"r", 0777}, {".", 0777}})
    ASSERT_EQ(::chmod(scratch_.file(file).c_str(), static_cast<mode_t>(mode)), 0);
  const ProgramRun run = starloom("report c.yaml --store d/s --out r", [] {
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(127);
    without_shared_memory();
  });
  ASSERT_EQ(::chmod(scratch_.file("d").c_str(), 0755), 0);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(names("d"), std::vector<std::string>{"s"});
}

}  // namespace
}  // namespace starloom
