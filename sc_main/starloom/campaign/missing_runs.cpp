// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/missing_runs.hpp>

#include <fmt/format.h>

#include <map>

#include <starloom/campaign/campaign_progress.hpp>
#include <starloom/campaign/experiment_runner.hpp>
#include <starloom/campaign/pool.hpp>
#include <starloom/experiment/verdict.hpp>

namespace starloom {
namespace {

constexpr std::size_t most_errors = 20;

/// Stores rows, counts them, and records errors.
class CampaignSink final : public RowSink {
 public:
  CampaignSink(const Campaign& campaign, const std::vector<std::int64_t>& ids, Store& store, CampaignProgress& progress)
      : campaign_(campaign), ids_(ids), writer_(store), progress_(progress) {}

  void row(std::int32_t point, const RunRow& row) override {
    writer_.add(ids_[static_cast<std::size_t>(point)], row);
    const Point& of = campaign_.points[static_cast<std::size_t>(point)];
    if (sound(row.outcome, of.experiment.expect)) return progress_.done();
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
  std::vector<std::string> diagnostics() const {
    std::vector<std::string> sentences;
    for (const auto& [run, what] : diagnostics_) {
      const Point& point = campaign_.points[static_cast<std::size_t>(run.first)];
      sentences.push_back(fmt::format("{}: run {} (seed {}) {}", campaign_.label(point), run.second,
                                      point.experiment.seed + static_cast<std::uint64_t>(run.second), what));
    }
    if (diagnostics_.size() < reported_)
      sentences.push_back(fmt::format("and {} more", reported_ - diagnostics_.size()));
    return sentences;
  }

 private:
  /// Keeps the first errors in the order of points and runs, whatever the order in which workers report them.
  void remember(std::int32_t point, std::int64_t index, std::string what) {
    ++reported_;
    diagnostics_.emplace(std::pair(point, index), std::move(what));
    if (diagnostics_.size() > most_errors) diagnostics_.erase(std::prev(diagnostics_.end()));
  }

  const Campaign& campaign_;
  const std::vector<std::int64_t>& ids_;
  StoreWriter writer_;
  CampaignProgress& progress_;
  bool broken_ = false, undelivered_ = false;
  std::size_t reported_ = 0;
  std::map<std::pair<std::int32_t, std::int64_t>, std::string> diagnostics_;  ///< sentences, by point and run
};

}  // namespace

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

MissingRuns run_missing(const Campaign& campaign, Store& store, const MissingRunsOptions& options) {
  const auto ids = store.add_points(campaign);
  const auto shares = shares_of(campaign, options.shard, &store);
  WorkList work(options.jobs);
  MissingRuns runs;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    runs.done += size(shares[p].done);
    runs.wanted += size(shares[p].wanted);
    for (const Interval& missing : difference(shares[p].wanted, shares[p].done))
      work.add(static_cast<std::int32_t>(p), missing);
  }
  const RunnerFactory make = [&campaign](std::int32_t point) {
    return make_runner(campaign.points[static_cast<std::size_t>(point)], campaign.keep);
  };
  PoolOptions pool;
  pool.jobs = options.jobs;
  pool.seconds = campaign.seconds;
  pool.interrupt = options.interrupt;
  CampaignProgress progress(options.title, runs.done, runs.wanted);
  CampaignSink sink(campaign, ids, store, progress);
  const PoolReport report = run_pool(work, make, pool, sink);
  sink.finish();
  runs.done += report.rows;
  runs.now = report.rows;
  runs.failed = report.failures;
  runs.status = sink.status();
  runs.diagnostics = sink.diagnostics();
  return runs;
}

}  // namespace starloom
