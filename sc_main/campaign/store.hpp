#pragma once
/// \file The store of a campaign: one SQLite file with its points and a short row for every run.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/intervals.hpp>
#include <starloom/campaign/run_row.hpp>
#include <starloom/campaign/sqlite.hpp>

namespace starloom {

/// The layout of the file that this program writes and reads.
inline constexpr std::int64_t store_schema = 1;

/// A point as it is stored.
struct StoredPoint {
  std::int64_t id = 0;
  std::string key;
  std::string version;
  std::string label;
  std::int64_t runs = 0;
};

/// An open store.
class Store {
 public:
  /// \throws InputError: no store, a damaged one, one from a newer program; OutputError: cannot be opened or written.
  /// `create` makes a missing file and its folder.
  Store(const std::filesystem::path& file, Database::Mode mode);

  const std::filesystem::path& file() const { return database_.file(); }
  Database& database() { return database_; }

  /// The ids of the campaign's points, those that are new are added.
  std::vector<std::int64_t> add_points(const Campaign& campaign);
  std::optional<std::int64_t> find_point(const std::string& key);
  std::vector<StoredPoint> points();

  /// Runs 0 .. runs-1 of a point that are stored.
  Intervals done(std::int64_t point, std::int64_t runs);
  /// Calls `see` with every run below `runs`, by index.
  void each_run(std::int64_t point, std::int64_t runs, const std::function<void(const RunRow&)>& see);
  /// The whole result of a run (`keep: all`), or nothing.
  std::string whole_result(std::int64_t point, std::int64_t index);

  struct Failure {
    std::int64_t index = 0;
    std::string reason;
  };
  /// Runs below `runs` that have no row because their worker failed, by index.
  std::vector<Failure> failures(std::int64_t point, std::int64_t runs);

 private:
  void check_schema(bool may_create);

  Database database_;
};

/// Writes rows, many to a transaction.
class StoreWriter {
 public:
  explicit StoreWriter(Store& store);

  void add(std::int64_t point, const RunRow& row);
  void add_failure(std::int64_t point, std::int64_t index, const std::string& reason);
  /// Commits if enough rows or enough time have passed since the last time. \throws OutputError
  void settle();
  /// Commits what is left.
  void finish();

 private:
  void begin();

  Database& database_;
  Statement insert_run_;
  Statement insert_result_;
  Statement insert_failure_;
  Statement forget_failure_;
  std::optional<Transaction> transaction_;
  std::int64_t rows_ = 0;
  std::int64_t begun_ms_ = 0;
  std::int64_t old_failures_ = 0;
};

}  // namespace starloom
