// SPDX-License-Identifier: Apache-2.0
// Stores that are damaged, old, linked or removed: metrics never change silently.
#include <unistd.h>

#include "cli/background_run.hpp"
#include "fuzz/dice.hpp"
#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

class CampaignDamage : public CampaignTest {
 protected:
  void SetUp() override {
    write_campaign(3, "plot: []\n");
    ASSERT_EQ(starloom("campaign c.yaml --jobs 1 --store s").status, 0);
    ASSERT_EQ(starloom("report c.yaml --store s --out r").status, 0);
    whole_ = scratch_.read("s");
  }
  void sql(const std::string& text) const {
    Database(scratch_.file("s"), Database::Mode::create).run(text + "; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  /// Every command refuses the store, by table and row, and leaves it alone.
  void is_refused(const std::string& what) const {
    const std::string before = scratch_.read("s");
    const std::string text = "s: the store is damaged: " + what + "; restore a copy, or rename it and run again";
    for (const char* words : {"campaign c.yaml --store s", "campaign c.yaml --store s --dry-run",
                              "report c.yaml --store s", "campaign merge s --into t"})
      refuses(words, 2, text);
    EXPECT_EQ(scratch_.read("s"), before);
    EXPECT_FALSE(exists("t"));
  }

  std::string whole_;  ///< the bytes of the store `s`
};

const std::string first_point = "network.shape=[4,4] routing.discipline=\"fifo\"";

// With the checksum taken away, as in a store of schema 1, the values themselves are looked at.
TEST_F(CampaignDamage, RowsAreNamed) {
  const std::string run = "run 1 of " + first_point + " in `runs` ";
  const std::pair<const char*, std::string> cases[] = {
      {"UPDATE runs SET figures = '[1,1]' WHERE point = 1 AND idx = 1", run + "has a wrong checksum"},
      {"UPDATE runs SET outcome = 2 WHERE point = 1 AND idx = 1", run + "has a wrong checksum"},
      {"UPDATE runs SET outcome = -1, sum = NULL WHERE point = 1 AND idx = 1", run + "has a number out of its range"},
      {"UPDATE runs SET outcome = 99, sum = NULL WHERE point = 1 AND idx = 1", run + "has a number out of its range"},
      {"UPDATE runs SET outcome = 1000000000000000000, sum = NULL WHERE point = 1 AND idx = 1",
       run + "has a number out of its range"},
      {"UPDATE points SET label = 'x' WHERE id = 2", "row 2 of `points` has a wrong checksum"},
      {"DELETE FROM points WHERE id = 1", "run 0 of an unknown point in `runs`"},
      {"INSERT INTO results VALUES (1, 1, '{}')", run + "has a wrong checksum"},
      {"DROP TABLE results", "no such table: results"},
  };
  for (const auto& [change, what] : cases) {
    scratch_.write("s", whole_);
    sql(change);
    is_refused(what);
  }
  for (const char* metrics : {"{}", "[]", "x", "[1e999,1]", ""}) {
    scratch_.write("s", whole_);
    sql(std::string("UPDATE runs SET figures = '") + metrics + "', sum = NULL WHERE point = 1 AND idx = 1");
    refuses("report c.yaml --store s", 2,
            "s: the store is damaged: the figures of run 1 of " + first_point +
                " cannot be read; restore a copy, or rename it and run again");
  }
}

// Whatever bit is wrong: the report is the same, or the store is refused.
TEST_F(CampaignDamage, FlippedBitsGiveNoOtherFigures) {
  const std::string expected = scratch_.read("r/points.csv");
  int refused = 0;
  Dice dice(1);
  for (int flip = 0; flip < 150; ++flip) {
    std::string damaged = whole_;
    const std::size_t bit = dice.below(8 * whole_.size());
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    scratch_.write("s", damaged);
    const ProgramRun run = starloom("report c.yaml --store s --out r");
    ASSERT_THAT(run.status, AnyOf(0, 2, 5)) << "bit " << bit << ": " << run.err;
    if (run.status == 0) EXPECT_EQ(scratch_.read("r/points.csv"), expected) << "bit " << bit;
    else EXPECT_THAT(run.err, StartsWith("s: ")) << "bit " << bit;
    refused += run.status == 0 ? 0 : 1;
  }
  EXPECT_GT(refused, 5);
}

TEST_F(CampaignDamage, OldStoresGoOn) {
  sql("ALTER TABLE runs DROP COLUMN sum; ALTER TABLE points DROP COLUMN sum; PRAGMA user_version = 1");
  const std::string points = scratch_.read("r/points.csv");
  EXPECT_EQ(starloom("report c.yaml --store s --out r").status, 0);
  EXPECT_EQ(scratch_.read("r/points.csv"), points);
  write_campaign(5);
  EXPECT_EQ(starloom("campaign c.yaml --store s").status, 0);
  EXPECT_EQ(rows("s"), undisturbed());
  EXPECT_EQ(starloom("campaign merge s --into t").status, 0);
  EXPECT_EQ(rows("t"), rows("s"));
}

TEST_F(CampaignDamage, AStoreThatIsRemovedIsNoSuccess) {
  write_campaign(100'000'000);
  BackgroundRun run(scratch_, {"campaign", "c.yaml", "--store", "s"});
  const auto rows_now = [&] {
    return Store(scratch_.file("s"), Database::Mode::read).database().number("SELECT count(*) FROM runs");
  };
  while (run.running() && rows_now() < 100) ::usleep(1000);
  for (const char* file : {"s", "s-wal", "s-shm"}) std::filesystem::remove(scratch_.file(file));
  const ProgramRun ended = run.wait();
  EXPECT_EQ(ended.status, 5);
  EXPECT_EQ(ended.err, "s: the store was removed or replaced during the campaign; its runs are lost\n");
}

TEST_F(CampaignDamage, ALinkLeadsToTheSameLock) {
  write_campaign(100'000'000);
  std::filesystem::create_symlink("s", scratch_.file("link"));
  BackgroundRun first(scratch_, {"campaign", "c.yaml", "--store", "s"});
  while (first.running() && !exists("s.lock")) ::usleep(1000);
  const ProgramRun second = starloom("campaign c.yaml --store link");
  EXPECT_EQ(second.status, 5);
  EXPECT_THAT(second.err, HasSubstr("is writing this store"));
  first.signal(SIGINT);
  first.wait();
}

}  // namespace
}  // namespace starloom
