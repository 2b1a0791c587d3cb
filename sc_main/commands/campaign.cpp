#include <starloom/commands/campaign.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/campaign_progress.hpp>
#include <starloom/campaign/ending.hpp>
#include <starloom/campaign/experiment_runner.hpp>
#include <starloom/campaign/merge.hpp>
#include <starloom/campaign/pool.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/campaign/store_lock.hpp>
#include <starloom/commands/interrupt.hpp>
#include <starloom/core/tell.hpp>
#include <starloom/results/result.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 20;

/// The runs of one point: those this call is about, and those of them that are stored.
struct Share {
  Intervals wanted;
  Intervals done;
};

std::vector<Share> shares_of(const Campaign& campaign, const Shard& shard, Store* store) {
  std::vector<Share> shares;
  for (std::size_t p = 0; p < campaign.points.size(); ++p) {
    Share share{shard_runs(shard, static_cast<std::int64_t>(p), campaign.points[p].runs), {}};
    if (store != nullptr)
      if (const auto id = store->find_point(campaign.points[p].key))
        share.done = intersection(share.wanted, store->done(*id, campaign.points[p].runs));
    shares.push_back(std::move(share));
  }
  return shares;
}

/// The points of which runs of this call are missing in the store.
std::vector<std::size_t> points_to_run(const Campaign& campaign, const Shard& shard, const fs::path& file) {
  std::optional<Store> store;
  if (fs::exists(file)) store.emplace(file, Database::Mode::read).check();
  const auto shares = shares_of(campaign, shard, store ? &*store : nullptr);
  std::vector<std::size_t> points;
  for (std::size_t p = 0; p < shares.size(); ++p)
    if (size(shares[p].done) < size(shares[p].wanted)) points.push_back(p);
  return points;
}

/// Points that the campaign does not have any more, or never had.
void tell_orphans(const Campaign& campaign, Store& store) {
  std::set<std::string> keys;
  for (const Point& point : campaign.points) keys.insert(point.key);
  std::vector<StoredPoint> orphans;
  for (StoredPoint& point : store.points())
    if (keys.count(point.key) == 0) orphans.push_back(std::move(point));
  if (orphans.empty()) return;
  tell(fmt::format("{}: {} not in this campaign as it is now; kept:", store.file().string(),
                   orphans.size() == 1 ? "1 point is" : fmt::format("{} points are", orphans.size())));
  for (std::size_t i = 0; i < std::min(orphans.size(), most_lines); ++i)
    tell(fmt::format("  {} (version {}, {} runs)", orphans[i].label, orphans[i].version, orphans[i].runs));
  if (orphans.size() > most_lines) tell(fmt::format("  and {} more", orphans.size() - most_lines));
}

Ending dry_run(const Campaign& campaign, const Shard& shard, const fs::path& file) {
  std::optional<Store> store;
  if (fs::exists(file)) store.emplace(file, Database::Mode::read).check();
  const auto shares = shares_of(campaign, shard, store ? &*store : nullptr);
  std::int64_t done = 0, wanted = 0;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    done += size(shares[p].done);
    wanted += size(shares[p].wanted);
    fmt::print("{}: {} of {} runs done\n", campaign.label(campaign.points[p]), size(shares[p].done),
               size(shares[p].wanted));
  }
  fmt::print("{}: {} points, {} of {} runs done\n", campaign.name, shares.size(), done, wanted);
  if (store) tell_orphans(campaign, *store);
  return {};
}

/// Stores rows, counts them, and remembers what went wrong.
class CampaignSink final : public RowSink {
 public:
  CampaignSink(const Campaign& campaign, const std::vector<std::int64_t>& ids, Store& store, CampaignProgress& progress)
      : campaign_(campaign), ids_(ids), writer_(store), progress_(progress) {}

  void row(std::int32_t point, const RunRow& row) override {
    writer_.add(ids_[static_cast<std::size_t>(point)], row);
    const Point& of = campaign_.points[static_cast<std::size_t>(point)];
    if (sound(row.outcome, of.experiment)) return progress_.done();
    progress_.failed();
    if (row.outcome == Outcome::violation) broken_ = true;
    else undelivered_ = true;
    remember(point, row.index, fmt::format("ended as {}", outcome_names[static_cast<std::size_t>(row.outcome)]));
  }
  void failure(std::int32_t point, std::int64_t index, const std::string& reason) override {
    writer_.add_failure(ids_[static_cast<std::size_t>(point)], index, reason);
    progress_.failed();
    undelivered_ = true;
    remember(point, index, "failed: " + reason);
  }
  void pause() override {
    writer_.settle();
    progress_.tick();
  }
  void finish() { writer_.finish(); }

  ExitStatus status() const {
    return broken_ ? ExitStatus::contract : undelivered_ ? ExitStatus::undelivered : ExitStatus::done;
  }
  void print_faults() const {
    for (const auto& [place, what] : faults_) {
      const Point& point = campaign_.points[static_cast<std::size_t>(place.first)];
      tell(fmt::format("{}: run {} (seed {}) {}", campaign_.label(point), place.second,
                       point.experiment.seed + static_cast<std::uint64_t>(place.second), what));
    }
    if (faults_.size() < told_) tell(fmt::format("and {} more", told_ - faults_.size()));
  }

 private:
  /// Keeps the first faults in the order of points and runs, in whatever order workers report them.
  void remember(std::int32_t point, std::int64_t index, std::string what) {
    ++told_;
    faults_.emplace(std::pair(point, index), std::move(what));
    if (faults_.size() > most_lines) faults_.erase(std::prev(faults_.end()));
  }

  const Campaign& campaign_;
  const std::vector<std::int64_t>& ids_;
  StoreWriter writer_;
  CampaignProgress& progress_;
  bool broken_ = false, undelivered_ = false;
  std::size_t told_ = 0;
  std::map<std::pair<std::int32_t, std::int64_t>, std::string> faults_;  ///< what happened, by point and run
};

}  // namespace

fs::path default_store(const fs::path& file, const std::optional<Shard>& shard) {
  std::string name = file.stem().string();
  if (shard) name += fmt::format(".shard-{}-of-{}", shard->index, shard->count);
  return fs::path("out") / (name + ".sqlite");
}

Ending run_campaign(const Catalogue& catalogue, const CampaignOptions& options) {
  const Campaign campaign = load_campaign(catalogue, options.file);
  const Shard shard = options.shard.value_or(Shard{});
  const fs::path file = options.store.value_or(default_store(options.file, options.shard));
  if (options.dry_run) return dry_run(campaign, shard, file);
  require_points(campaign, points_to_run(campaign, shard, file));

  Store store(file, Database::Mode::create);
  const StoreLock lock(file);
  const auto ids = store.add_points(campaign);
  tell_orphans(campaign, store);
  const auto shares = shares_of(campaign, shard, &store);
  WorkList work(options.jobs);
  std::int64_t before = 0, wanted = 0;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    before += size(shares[p].done);
    wanted += size(shares[p].wanted);
    for (const Interval& missing : difference(shares[p].wanted, shares[p].done))
      work.add(static_cast<std::int32_t>(p), missing);
  }

  catch_interrupts();
  const RunnerFactory make = [&campaign](std::int32_t point) {
    return make_runner(campaign.points[static_cast<std::size_t>(point)], campaign.keep);
  };
  PoolOptions pool;
  pool.jobs = options.jobs;
  pool.seconds = campaign.seconds;
  pool.interrupt = &interrupt_flag();
  CampaignProgress progress(campaign.name, before, wanted);
  CampaignSink sink(campaign, ids, store, progress);
  const PoolReport report = run_pool(work, make, pool, sink);
  const bool interrupted = obey_interrupt();
  sink.finish();
  progress.wipe();
  sink.print_faults();
  ExitStatus status = sink.status();
  const std::int64_t done = before + report.rows;
  if (interrupted) {
    tell("starloom: interrupted; the same command goes on from here");
    if (status == ExitStatus::done) status = ExitStatus::undelivered;
  }
  fmt::print("{}: {} of {} runs done ({} now), {} failed; store {}\n", campaign.name, done, wanted, report.rows,
             report.failures, file.string());
  return {status, false};
}

Ending merge_campaign(const std::vector<fs::path>& sources, const fs::path& into) {
  const MergeReport report = merge_stores(sources, into);
  fmt::print("{}: {} runs added, {} were there; {} points\n", into.string(), report.added, report.already,
             report.points);
  return {};
}

}  // namespace starloom
