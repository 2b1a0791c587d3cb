// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/merge.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>

#include <starloom/campaign/store.hpp>
#include <starloom/campaign/store_lock.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

std::set<std::string> versions_of(Store& store) {
  std::set<std::string> versions;
  for (const StoredPoint& point : store.points()) versions.insert(point.version);
  return versions;
}

/// Results of different versions may differ for the same experiment, so they are not mixed silently.
void check_versions(const fs::path& first, const std::set<std::string>& expected, Store& store) {
  const auto versions = versions_of(store);
  if (versions.empty() || expected.empty() || versions == expected) return;
  throw InputError(
      fmt::format("{} holds results of version {}, {} of version {}; only stores of one version can be merged",
                  first.string(), fmt::join(expected, ", "), store.file().string(), fmt::join(versions, ", ")));
}

/// Copies one store into the open transaction of another.
class Copier {
 public:
  explicit Copier(Store& target)
      : target_(target),
        inserter_(target),
        find_run_(target.database().prepare("SELECT outcome, figures FROM runs WHERE point = ? AND idx = ?")) {}

  void copy(Store& source) {
    Statement points =
        source.database().prepare("SELECT id, key, version, label, figures, experiment FROM points ORDER BY id");
    while (points.next()) {
      const PointRow point{points.text(1), points.text(2), points.text(3), points.text(4), points.text(5)};
      copy_runs(source, points.integer(0), target_.add_point(point), point.label);
    }
  }
  const MergeReport& report() const { return report_; }

 private:
  void copy_runs(Store& source, std::int64_t from, std::int64_t to, const std::string& label) {
    source.each_run(from, std::numeric_limits<std::int64_t>::max(), [&](const RunRow& row) {
      find_run_.bind(1, to).bind(2, row.index);
      const bool there = find_run_.next();
      if (there && (find_run_.integer(0) != static_cast<std::int64_t>(row.outcome) ||
                    find_run_.text(1) != row.metrics || differs(source, from, to, row.index)))
        throw InputError(fmt::format("{} contradicts the merged stores: run {} of {}; no store was changed",
                                     source.file().string(), row.index, label));
      find_run_.reset();
      ++(there ? report_.already : report_.added);
      if (there) return;
      RunRow whole = row;
      whole.result = source.whole_result(from, row.index);
      inserter_.add(to, whole);
    });
    for (const auto& failure : source.failures(from, std::numeric_limits<std::int64_t>::max()))
      inserter_.add_failure(to, failure.index, failure.reason);
  }
  bool differs(Store& source, std::int64_t from, std::int64_t to, std::int64_t index) {
    return source.whole_result(from, index) != target_.whole_result(to, index);
  }

  Store& target_;
  RunInserter inserter_;
  Statement find_run_;
  MergeReport report_;
};

/// Removes a new store at the end of a scope if it was not needed.
class EmptyStore {
 public:
  ~EmptyStore() {
    if (!file_.empty()) remove_database(file_);
  }
  EmptyStore() = default;
  EmptyStore(const EmptyStore&) = delete;
  EmptyStore& operator=(const EmptyStore&) = delete;

  void is(const fs::path& file) { file_ = file; }
  void is_filled() { file_.clear(); }

 private:
  fs::path file_;
};

}  // namespace

MergeReport merge_stores(const std::vector<fs::path>& sources, const fs::path& target_file) {
  std::error_code ignored;
  for (const fs::path& source : sources)
    if (fs::equivalent(source, target_file, ignored))
      throw InputError(fmt::format("{}: the store of --into cannot also be a source", source.string()));
  // A target that is impossible is not begun.
  fs::path first;
  std::set<std::string> versions;
  for (const fs::path& file : sources) {
    Store source(file, Database::Mode::read);
    source.check();
    check_versions(first, versions, source);
    if (versions.empty()) first = file, versions = versions_of(source);
  }
  const bool fresh = !fs::exists(target_file, ignored);
  if (!fresh) Store(target_file, Database::Mode::read).check();
  std::optional<StoreLock> lock;  // destroyed after the store
  EmptyStore nothing;
  Store target(target_file, Database::Mode::create);
  lock.emplace(target_file);
  if (fresh && target.points().empty()) nothing.is(target_file);
  check_versions(first, versions, target);
  StoreTransaction transaction(target.database());
  Copier copier(target);
  for (const fs::path& file : sources) {
    Store source(file, Database::Mode::read);
    copier.copy(source);
  }
  target.database().run(
      "DELETE FROM failures WHERE EXISTS (SELECT 1 FROM runs WHERE runs.point = failures.point AND runs.idx = "
      "failures.idx)");
  MergeReport report = copier.report();
  report.points = target.database().number("SELECT count(*) FROM points");
  transaction.commit();
  nothing.is_filled();
  return report;
}

}  // namespace starloom
