// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/store.hpp>

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>

#include <starloom/campaign/checksum.hpp>
#include <starloom/results/result.hpp>
#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

/// "StLm", which distinguishes stores from other SQLite files.
constexpr std::int64_t application_id = 0x53744c6d;

constexpr std::int64_t most_rows_in_transaction = 10'000;
constexpr std::int64_t longest_transaction_ms = 50;

// `runs` has no hidden row number: its rows are the tree of its key. `failures` are not results: such runs are tried
// again. `sum` is NULL in rows from a store of schema 1; that of a run covers its result and its point's key.
constexpr const char* layout = R"(
  CREATE TABLE points (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version TEXT NOT NULL, label TEXT NOT NULL,
                       figures TEXT NOT NULL, experiment TEXT NOT NULL, sum INTEGER);
  CREATE TABLE runs (point INTEGER NOT NULL, idx INTEGER NOT NULL, outcome INTEGER NOT NULL, figures TEXT NOT NULL,
                     cpu_us INTEGER NOT NULL, sum INTEGER, PRIMARY KEY (point, idx)) WITHOUT ROWID;
  CREATE TABLE results (point INTEGER NOT NULL, idx INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (point, idx));
  CREATE TABLE failures (point INTEGER NOT NULL, idx INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (point, idx));
)";

constexpr const char* layout_of_sums =
    "ALTER TABLE points ADD COLUMN sum INTEGER; ALTER TABLE runs ADD COLUMN sum INTEGER";

std::int64_t sum_of(const PointRow& point) {
  return Checksum().add(point.key).add(point.version).add(point.label).add(point.metrics).add(point.experiment).value();
}
std::int64_t sum_of(const RunRow& row, std::string_view key) {
  return Checksum()
      .add(key)
      .add(row.index)
      .add(static_cast<std::int64_t>(row.outcome))
      .add(row.metrics)
      .add(row.cpu_microseconds)
      .add(row.result)
      .value();
}

[[noreturn]] void refuse_damaged(const std::filesystem::path& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: the store is damaged: {}; restore a copy, or rename it and run again", file.string(), what));
}

void write_layout(Database& database) {
  database.run(
      fmt::format("{} PRAGMA application_id = {}; PRAGMA user_version = {}", layout, application_id, store_schema));
}

/// Removes a temporary store at the end of a scope.
struct Removal {
  ~Removal() { remove_database(temporary); }
  const std::filesystem::path& temporary;
};

/// Makes an empty store under a temporary name, and renames it unless another process was faster: a reader never
/// opens an incomplete one.
void create_store(const std::filesystem::path& file) {
  const std::filesystem::path temporary =
      unused_temporary((file.parent_path() / ("." + file.filename().string() + ".")).string(), file);
  const Removal removal{temporary};
  {
    Database database(temporary, Database::Mode::create, file);
    StoreTransaction transaction(database);
    write_layout(database);
    transaction.commit();
    database.choose_journal();
  }
  std::error_code why, ignored;
  std::filesystem::create_hard_link(temporary, file, why);
  if (why && why != std::errc::file_exists && !std::filesystem::exists(file, ignored))
    std::filesystem::rename(temporary, file, why);  // a disk without hard links
}

std::filesystem::path prepared(const std::filesystem::path& file, Database::Mode mode) {
  std::error_code why;
  if (mode == Database::Mode::create && file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), why);
    if (why) throw OutputError(fmt::format("{}: its folder cannot be created: {}", file.string(), why.message()));
  }
  const bool there = std::filesystem::exists(file, why);
  const std::string error = fmt::format("{}: cannot be used as a store: {}", file.string(), why.message());
  if (why && mode == Database::Mode::create) throw OutputError(error);
  if (why) throw InputError(error);
  if (mode != Database::Mode::create && !there)
    throw InputError(fmt::format("{}: there is no such file; run starloom campaign first", file.string()));
  if (std::filesystem::is_directory(file, why))
    throw InputError(fmt::format("{}: this is a folder, not a store", file.string()));
  if (there && !std::filesystem::is_regular_file(file, why))
    throw InputError(fmt::format("{}: this is not a regular file; a store is an SQLite file", file.string()));
  if (mode == Database::Mode::create && !there) create_store(file);
  return file;
}

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Store::Store(const std::filesystem::path& file, Database::Mode mode) : database_(prepared(file, mode), mode) {
  struct stat opened {};
  if (::stat(file.c_str(), &opened) == 0) device_ = opened.st_dev, inode_ = opened.st_ino;
  check_schema(mode);
  if (mode == Database::Mode::create) database_.choose_journal();
}

void Store::require_there() const {
  struct stat now {};
  if (::stat(file().c_str(), &now) == 0 && now.st_dev == device_ && now.st_ino == inode_) return;
  throw OutputError(
      fmt::format("{}: the store was removed or replaced during the campaign; its runs are lost", file().string()));
}

void Store::check_schema(Database::Mode mode) {
  const bool may_create = mode == Database::Mode::create;
  const auto id = database_.number("PRAGMA application_id");
  const auto schema = database_.number("PRAGMA user_version");
  const bool empty = database_.number("SELECT count(*) FROM sqlite_schema") == 0;
  const std::string name = file().string();
  if (empty && id == 0 && may_create) {
    StoreTransaction transaction(database_);
    // Another process may have been faster.
    if (database_.number("SELECT count(*) FROM sqlite_schema") == 0) write_layout(database_);
    transaction.commit();
    return;
  }
  if (id != application_id)
    throw InputError(fmt::format("{}: this is not the store of a campaign (another program's SQLite file)", name));
  if (schema > store_schema)
    throw InputError(
        fmt::format("{}: this store has schema {}, from a newer version of starloom; this program knows {}", name,
                    schema, store_schema));
  has_sums_ = schema > 1;
  if (has_sums_ || !may_create) return;
  StoreTransaction transaction(database_);
  if (database_.number("PRAGMA user_version") == 1)
    database_.run(fmt::format("{}; PRAGMA user_version = {}", layout_of_sums, store_schema));
  transaction.commit();
  has_sums_ = true;
}

void Store::check() {
  Statement sound = database_.prepare("PRAGMA integrity_check(1)");
  if (!sound.next() || sound.text(0) != "ok") {
    std::string what = sound.text(0);
    std::replace(what.begin(), what.end(), '\n', ' ');
    refuse_damaged(file(), what);
  }
  const std::string sum = has_sums_ ? "sum" : "NULL";
  std::map<std::int64_t, PointRow> points;
  Statement stored =
      database_.prepare("SELECT id, key, version, label, figures, experiment, " + sum + " FROM points ORDER BY id");
  while (stored.next()) {
    const PointRow& point =
        points[stored.integer(0)] = {stored.text(1), stored.text(2), stored.text(3), stored.text(4), stored.text(5)};
    if (!stored.is_null(6) && stored.integer(6) != sum_of(point))
      refuse_damaged(file(), fmt::format("row {} of `points` has a wrong checksum", stored.integer(0)));
  }
  Statement runs = database_.prepare(fmt::format(
      "SELECT runs.point, runs.idx, outcome, figures, cpu_us, coalesce(result, ''), {} FROM runs LEFT JOIN results ON "
      "results.point = runs.point AND results.idx = runs.idx ORDER BY runs.point, runs.idx",
      sum));
  while (runs.next()) {
    const RunRow row{runs.integer(1), static_cast<Outcome>(runs.integer(2)), runs.text(3), runs.text(5),
                     runs.integer(4)};
    const auto point = points.find(runs.integer(0));
    const std::string name = fmt::format("run {} of {} in `runs`", row.index,
                                         point == points.end() ? "an unknown point" : point->second.label);
    if (point == points.end()) refuse_damaged(file(), name);
    if (!runs.is_null(6) && runs.integer(6) != sum_of(row, point->second.key))
      refuse_damaged(file(), name + " has a wrong checksum");
    if (row.index < 0 || runs.integer(2) < 0 || runs.integer(2) >= static_cast<std::int64_t>(std::size(outcome_names)))
      refuse_damaged(file(), name + " has a number out of its range");
  }
}

std::string Store::key_of(std::int64_t point) {
  Statement select = database_.prepare("SELECT key FROM points WHERE id = ?");
  select.bind(1, point);
  return select.next() ? select.text(0) : "";
}

std::vector<std::int64_t> Store::add_points(const Campaign& campaign) {
  std::vector<std::int64_t> ids;
  std::vector<const Point*> fresh;
  for (const Point& point : campaign.points)
    if (!find_point(point.key)) fresh.push_back(&point);
  // A store that has all of them is not written.
  if (!fresh.empty()) {
    StoreTransaction transaction(database_);
    const std::string metrics = campaign.keep.canonical().dump();
    for (const Point* point : fresh)
      add_point({point->key, program_version(), campaign.label(*point), metrics, point->facts.dump()});
    transaction.commit();
  }
  for (const Point& point : campaign.points) ids.push_back(*find_point(point.key));
  return ids;
}

std::int64_t Store::add_point(const PointRow& point) {
  Statement insert = database_.prepare(
      "INSERT INTO points (key, version, label, figures, experiment, sum) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO "
      "NOTHING");
  insert.bind(1, point.key)
      .bind(2, point.version)
      .bind(3, point.label)
      .bind(4, point.metrics)
      .bind(5, point.experiment)
      .bind(6, sum_of(point))
      .run();
  return *find_point(point.key);
}

std::optional<std::int64_t> Store::find_point(const std::string& key) {
  Statement select = database_.prepare("SELECT id FROM points WHERE key = ?");
  select.bind(1, key);
  return select.next() ? std::optional(select.integer(0)) : std::nullopt;
}

std::vector<StoredPoint> Store::points() {
  std::vector<StoredPoint> all;
  Statement select = database_.prepare(
      "SELECT id, key, version, label, (SELECT count(*) FROM runs WHERE point = id) FROM points ORDER BY id");
  while (select.next())
    all.push_back({select.integer(0), select.text(1), select.text(2), select.text(3), select.integer(4)});
  return all;
}

Intervals Store::done(std::int64_t point, std::int64_t runs) {
  Intervals all;
  Statement select = database_.prepare("SELECT idx FROM runs WHERE point = ? AND idx < ? ORDER BY idx");
  select.bind(1, point).bind(2, runs);
  while (select.next()) append(all, select.integer(0));
  return all;
}

void Store::each_run(std::int64_t point, std::int64_t runs, const std::function<void(const RunRow&)>& visit) {
  Statement select =
      database_.prepare("SELECT idx, outcome, figures, cpu_us FROM runs WHERE point = ? AND idx < ? ORDER BY idx");
  select.bind(1, point).bind(2, runs);
  RunRow row;
  while (select.next()) {
    row.index = select.integer(0);
    row.outcome = static_cast<Outcome>(select.integer(1));
    row.metrics = select.text(2);
    row.cpu_microseconds = select.integer(3);
    visit(row);
  }
}

std::string Store::whole_result(std::int64_t point, std::int64_t index) {
  Statement select = database_.prepare("SELECT result FROM results WHERE point = ? AND idx = ?");
  select.bind(1, point).bind(2, index);
  return select.next() ? select.text(0) : "";
}

std::vector<Store::Failure> Store::failures(std::int64_t point, std::int64_t runs) {
  std::vector<Failure> all;
  Statement select = database_.prepare("SELECT idx, reason FROM failures WHERE point = ? AND idx < ? ORDER BY idx");
  select.bind(1, point).bind(2, runs);
  while (select.next()) all.push_back({select.integer(0), select.text(1)});
  return all;
}

RunInserter::RunInserter(Store& store)
    : store_(store),
      insert_run_(store.database().prepare(
          "INSERT OR IGNORE INTO runs (point, idx, outcome, figures, cpu_us, sum) VALUES (?, ?, ?, ?, ?, ?)")),
      insert_result_(store.database().prepare("INSERT OR IGNORE INTO results (point, idx, result) VALUES (?, ?, ?)")),
      insert_failure_(
          store.database().prepare("INSERT OR REPLACE INTO failures (point, idx, reason) VALUES (?, ?, ?)")) {}

void RunInserter::add(std::int64_t point, const RunRow& row) {
  const auto [key, fresh] = keys_.try_emplace(point);
  if (fresh) key->second = store_.key_of(point);
  insert_run_.bind(1, point)
      .bind(2, row.index)
      .bind(3, static_cast<std::int64_t>(row.outcome))
      .bind(4, row.metrics)
      .bind(5, row.cpu_microseconds)
      .bind(6, sum_of(row, key->second))
      .run();
  if (!row.result.empty()) insert_result_.bind(1, point).bind(2, row.index).bind(3, row.result).run();
}

void RunInserter::add_failure(std::int64_t point, std::int64_t index, const std::string& reason) {
  insert_failure_.bind(1, point).bind(2, index).bind(3, reason).run();
}

StoreWriter::StoreWriter(Store& store)
    : store_(store),
      inserter_(store),
      remove_failure_(store.database().prepare("DELETE FROM failures WHERE point = ? AND idx = ?")),
      old_failures_(store.database().number("SELECT count(*) FROM failures")) {}

void StoreWriter::begin() {
  if (transaction_) return;
  transaction_.emplace(store_.database());
  begun_ms_ = now_ms();
  rows_ = 0;
}

void StoreWriter::add(std::int64_t point, const RunRow& row) {
  begin();
  inserter_.add(point, row);
  if (old_failures_ > 0) remove_failure_.bind(1, point).bind(2, row.index).run();
  if (++rows_ >= most_rows_in_transaction) finish();
}

void StoreWriter::add_failure(std::int64_t point, std::int64_t index, const std::string& reason) {
  begin();
  inserter_.add_failure(point, index, reason);
}

void StoreWriter::settle() {
  if (transaction_ && now_ms() - begun_ms_ >= longest_transaction_ms) finish();
}

void StoreWriter::finish() {
  if (!transaction_) return;
  transaction_->commit();
  transaction_.reset();
  store_.require_there();
}

}  // namespace starloom
