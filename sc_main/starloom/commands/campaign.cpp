// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/campaign.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/merge.hpp>
#include <starloom/campaign/missing_runs.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/campaign/store_lock.hpp>
#include <starloom/commands/interrupt.hpp>
#include <starloom/results/result.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 20;

/// The points with runs of this call that are missing in the store.
std::vector<std::size_t> points_to_run(const Campaign& campaign, const Shard& shard, const fs::path& file) {
  std::optional<Store> store;
  std::error_code ignored;  // an error is reported when the store is created
  if (fs::exists(file, ignored)) store.emplace(file, Database::Mode::read).check();
  const auto shares = shares_of(campaign, shard, store ? &*store : nullptr);
  std::vector<std::size_t> points;
  for (std::size_t p = 0; p < shares.size(); ++p)
    if (size(shares[p].done) < size(shares[p].wanted)) points.push_back(p);
  return points;
}

/// Reports points that the campaign does not have any more, or never had.
void report_orphans(const Campaign& campaign, Store& store) {
  std::set<std::string> keys;
  for (const Point& point : campaign.points) keys.insert(point.key);
  std::vector<StoredPoint> orphans;
  for (StoredPoint& point : store.points())
    if (keys.count(point.key) == 0) orphans.push_back(std::move(point));
  if (orphans.empty()) return;
  print_message(fmt::format("{}: {} in the store but no longer in the campaign file; kept:", store.file().string(),
                            orphans.size() == 1 ? "1 point is" : fmt::format("{} points are", orphans.size())));
  for (std::size_t i = 0; i < std::min(orphans.size(), most_lines); ++i)
    print_message(fmt::format("  {} (version {}, {} runs)", orphans[i].label, orphans[i].version, orphans[i].runs));
  if (orphans.size() > most_lines) print_message(fmt::format("  and {} more", orphans.size() - most_lines));
}

Ending dry_run(const Campaign& campaign, const Shard& shard, const fs::path& file) {
  std::optional<Store> store;
  if (is_there(file)) store.emplace(file, Database::Mode::read).check();
  const auto shares = shares_of(campaign, shard, store ? &*store : nullptr);
  std::int64_t done = 0, wanted = 0;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    done += size(shares[p].done);
    wanted += size(shares[p].wanted);
    fmt::print("{}: {} of {} runs done\n", campaign.label(campaign.points[p]), size(shares[p].done),
               size(shares[p].wanted));
  }
  fmt::print("{}: {} points, {} of {} runs done\n", campaign.name, shares.size(), done, wanted);
  if (store) report_orphans(campaign, *store);
  return {};
}

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
  report_orphans(campaign, store);
  catch_interrupts();
  const MissingRuns runs = run_missing(campaign, store, {options.jobs, shard, campaign.name, &interrupt_flag()});
  for (const std::string& error : runs.diagnostics) print_message(error);
  ExitStatus status = runs.status;
  if (interrupt_flag().requested()) {
    print_message("starloom: interrupted; run the same command again to continue");
    if (status == ExitStatus::done) status = ExitStatus::undelivered;
  }
  fmt::print("{}: {} of {} runs done ({} now), {} failed; store {}\n", campaign.name, runs.done, runs.wanted, runs.now,
             runs.failed, shown(file));
  return {status, false};
}

Ending merge_campaign(const std::vector<fs::path>& sources, const fs::path& into) {
  const MergeReport report = merge_stores(sources, into);
  fmt::print("{}: {} runs added, {} already stored; {} points\n", shown(into), report.added, report.already,
             report.points);
  return {};
}

}  // namespace starloom
