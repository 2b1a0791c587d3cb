// SPDX-License-Identifier: Apache-2.0
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

/// The layout of the file that this program writes. It also reads schema 1, whose rows have no checksums.
inline constexpr std::int64_t store_schema = 2;

/// A row of a point in a store.
struct PointRow {
  std::string key, version, label;
  std::string metrics;     ///< the kept paths, as JSON
  std::string experiment;  ///< its facts, as JSON
};

/// A point that is stored.
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
  /// `create` makes a missing file, which gets its name when it is complete, and its folder.
  Store(const std::filesystem::path& file, Database::Mode mode);

  const std::filesystem::path& file() const { return database_.file(); }
  Database& database() { return database_; }

  /// Checks every row before its first use. \throws InputError that names the table and the row: SQLite finds damage,
  /// a value is out of its range, or a checksum is wrong.
  void check();
  /// \throws OutputError if the file has been removed or replaced since it was opened, because later writes would be
  /// lost.
  void require_there() const;

  /// The ids of the campaign's points; new ones are added.
  std::vector<std::int64_t> add_points(const Campaign& campaign);
  /// The id of a point, which is added if it is new.
  std::int64_t add_point(const PointRow& point);
  std::optional<std::int64_t> find_point(const std::string& key);
  /// The key of a point; empty if there is none with this id.
  std::string key_of(std::int64_t point);
  std::vector<StoredPoint> points();

  /// Runs 0 .. runs-1 of a point that are stored.
  Intervals done(std::int64_t point, std::int64_t runs);
  /// Calls `see` with every run below `runs`, by index.
  void each_run(std::int64_t point, std::int64_t runs, const std::function<void(const RunRow&)>& visit);
  /// The whole result of a run (`keep: all`), or empty.
  std::string whole_result(std::int64_t point, std::int64_t index);

  struct Failure {
    std::int64_t index = 0;
    std::string reason;
  };
  /// Runs below `runs` that have no row because their worker failed, by index.
  std::vector<Failure> failures(std::int64_t point, std::int64_t runs);

 private:
  void check_schema(Database::Mode mode);

  Database database_;
  std::uint64_t device_ = 0, inode_ = 0;  ///< of the file that was opened
  bool has_sums_ = true;
};

/// Inserts rows with their checksums, within a transaction.
class RunInserter {
 public:
  explicit RunInserter(Store& store);
  void add(std::int64_t point, const RunRow& row);
  void add_failure(std::int64_t point, std::int64_t index, const std::string& reason);

 private:
  Store& store_;
  Statement insert_run_, insert_result_, insert_failure_;
  std::map<std::int64_t, std::string> keys_;  ///< of the points, by id
};

/// Writes rows, many to a transaction.
class StoreWriter {
 public:
  explicit StoreWriter(Store& store);

  void add(std::int64_t point, const RunRow& row);
  void add_failure(std::int64_t point, std::int64_t index, const std::string& reason);
  /// Commits if enough rows or enough time have passed since the last time. \throws OutputError
  void settle();
  /// Commits the rest.
  void finish();

 private:
  void begin();

  Store& store_;
  RunInserter inserter_;
  Statement remove_failure_;
  std::optional<StoreTransaction> transaction_;
  std::int64_t rows_ = 0;
  std::int64_t begun_ms_ = 0;
  std::int64_t old_failures_ = 0;
};

}  // namespace starloom
