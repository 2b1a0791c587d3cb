#include <starloom/campaign/store.hpp>

#include <fmt/format.h>

#include <chrono>
#include <system_error>

#include <starloom/core/error.hpp>
#include <starloom/results/result.hpp>

namespace starloom {
namespace {

/// "StLm", so that other SQLite files are told from stores.
constexpr std::int64_t application_id = 0x53744c6d;

constexpr std::int64_t most_rows_in_transaction = 10'000;
constexpr std::int64_t longest_transaction_ms = 50;

// `runs` has no hidden row number: its rows are the tree of its key. `failures` is no result: such runs are tried again.
constexpr const char* layout = R"(
  CREATE TABLE points (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version TEXT NOT NULL, label TEXT NOT NULL,
                       figures TEXT NOT NULL, experiment TEXT NOT NULL);
  CREATE TABLE runs (point INTEGER NOT NULL, idx INTEGER NOT NULL, outcome INTEGER NOT NULL, figures TEXT NOT NULL,
                     cpu_us INTEGER NOT NULL, PRIMARY KEY (point, idx)) WITHOUT ROWID;
  CREATE TABLE results (point INTEGER NOT NULL, idx INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (point, idx));
  CREATE TABLE failures (point INTEGER NOT NULL, idx INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (point, idx));
)";

std::filesystem::path prepared(const std::filesystem::path& file, Database::Mode mode) {
  std::error_code why;
  if (mode == Database::Mode::create && file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), why);
    if (why) throw OutputError(fmt::format("{}: its folder cannot be made: {}", file.string(), why.message()));
  }
  if (mode != Database::Mode::create && !std::filesystem::exists(file, why))
    throw InputError(fmt::format("{}: there is no such store", file.string()));
  if (std::filesystem::is_directory(file, why))
    throw InputError(fmt::format("{}: this is a folder, not a store", file.string()));
  return file;
}

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Store::Store(const std::filesystem::path& file, Database::Mode mode) : database_(prepared(file, mode), mode) {
  check_schema(mode == Database::Mode::create);
  if (mode == Database::Mode::read) return;
  // Where the disk has no shared memory, SQLite keeps its older journal, which is as safe.
  database_.run_again_until_free("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

void Store::check_schema(bool may_create) {
  const auto id = database_.number("PRAGMA application_id");
  const auto schema = database_.number("PRAGMA user_version");
  const bool empty = database_.number("SELECT count(*) FROM sqlite_schema") == 0;
  const std::string name = file().string();
  if (empty && id == 0 && may_create) {
    Transaction transaction(database_);
    // Another process may have been faster.
    if (database_.number("SELECT count(*) FROM sqlite_schema") == 0)
      database_.run(
          fmt::format("{} PRAGMA application_id = {}; PRAGMA user_version = {}", layout, application_id, store_schema));
    transaction.commit();
    return;
  }
  if (id != application_id)
    throw InputError(fmt::format("{}: this is not the store of a campaign (another program's SQLite file)", name));
  if (schema > store_schema)
    throw InputError(fmt::format("{}: this store has schema {}, from a newer version of starloom; this one knows {}",
                                 name, schema, store_schema));
}

std::vector<std::int64_t> Store::add_points(const Campaign& campaign) {
  std::vector<std::int64_t> ids;
  std::vector<const Point*> fresh;
  for (const Point& point : campaign.points)
    if (!find_point(point.key)) fresh.push_back(&point);
  // Nothing is written into a store that has all of them.
  if (!fresh.empty()) {
    Transaction transaction(database_);
    Statement insert = database_.prepare(
        "INSERT OR IGNORE INTO points (key, version, label, figures, experiment) VALUES (?, ?, ?, ?, ?)");
    const std::string figures = campaign.keep.canonical().dump();
    for (const Point* point : fresh) {
      const std::string version = program_version(), label = campaign.label(*point), facts = point->facts.dump();
      insert.bind(1, point->key).bind(2, version).bind(3, label).bind(4, figures).bind(5, facts).run();
    }
    transaction.commit();
  }
  for (const Point& point : campaign.points) ids.push_back(*find_point(point.key));
  return ids;
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

void Store::each_run(std::int64_t point, std::int64_t runs, const std::function<void(const RunRow&)>& see) {
  Statement select =
      database_.prepare("SELECT idx, outcome, figures, cpu_us FROM runs WHERE point = ? AND idx < ? ORDER BY idx");
  select.bind(1, point).bind(2, runs);
  RunRow row;
  while (select.next()) {
    row.index = select.integer(0);
    row.outcome = static_cast<Outcome>(select.integer(1));
    row.figures = select.text(2);
    row.cpu_microseconds = select.integer(3);
    see(row);
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

StoreWriter::StoreWriter(Store& store)
    : database_(store.database()),
      insert_run_(database_.prepare(
          "INSERT OR IGNORE INTO runs (point, idx, outcome, figures, cpu_us) VALUES (?, ?, ?, ?, ?)")),
      insert_result_(database_.prepare("INSERT OR IGNORE INTO results (point, idx, result) VALUES (?, ?, ?)")),
      insert_failure_(database_.prepare("INSERT OR REPLACE INTO failures (point, idx, reason) VALUES (?, ?, ?)")),
      forget_failure_(database_.prepare("DELETE FROM failures WHERE point = ? AND idx = ?")),
      old_failures_(database_.number("SELECT count(*) FROM failures")) {}

void StoreWriter::begin() {
  if (transaction_) return;
  transaction_.emplace(database_);
  begun_ms_ = now_ms();
  rows_ = 0;
}

void StoreWriter::add(std::int64_t point, const RunRow& row) {
  begin();
  insert_run_.bind(1, point)
      .bind(2, row.index)
      .bind(3, static_cast<std::int64_t>(row.outcome))
      .bind(4, row.figures)
      .bind(5, row.cpu_microseconds)
      .run();
  if (!row.result.empty()) insert_result_.bind(1, point).bind(2, row.index).bind(3, row.result).run();
  if (old_failures_ > 0) forget_failure_.bind(1, point).bind(2, row.index).run();
  if (++rows_ >= most_rows_in_transaction) finish();
}

void StoreWriter::add_failure(std::int64_t point, std::int64_t index, const std::string& reason) {
  begin();
  insert_failure_.bind(1, point).bind(2, index).bind(3, reason).run();
}

void StoreWriter::settle() {
  if (transaction_ && now_ms() - begun_ms_ >= longest_transaction_ms) finish();
}

void StoreWriter::finish() {
  if (!transaction_) return;
  transaction_->commit();
  transaction_.reset();
}

}  // namespace starloom
