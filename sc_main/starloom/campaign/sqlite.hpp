// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The few calls of SQLite that a store needs, with errors as sentences.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace starloom {

class Database;

/// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement& bind(int parameter, std::int64_t value);
  /// The text must live until the statement is run.
  Statement& bind(int parameter, std::string_view text);
  Statement& bind_null(int parameter);

  /// The next row, if there is one. \throws as `Database`
  bool next();
  /// Runs to the end and resets the statement.
  void run();
  void reset();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database& database, std::string_view sql);

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Closer> statement_;
};

/// An open database file. Errors of the file (not SQLite, damaged) are InputError, those of writing it (no folder, no
/// permission, disk full, in use) OutputError; both begin with the file's name.
class Database {
 public:
  enum class Mode { read, create };
  Database(const std::filesystem::path& file, Mode mode) : Database(file, mode, file) {}
  /// Errors name the file `name`.
  Database(const std::filesystem::path& file, Mode mode, std::filesystem::path name);

  const std::filesystem::path& file() const { return file_; }
  void run(const std::string& sql);
  /// A write-ahead log, which lets others read meanwhile, or the older journal if the disk has no shared memory.
  void choose_journal();
  Statement prepare(std::string_view sql) { return {*this, sql}; }
  /// The single number that a query returns.
  std::int64_t number(const std::string& sql);
  std::int64_t last_row() const;

  [[noreturn]] void fail(int code) const;

 private:
  friend class Statement;
  int run_until_free(const std::string& sql);
  struct Closer {
    void operator()(sqlite3* handle) const;
  };

  std::filesystem::path file_;  ///< the name in errors
  bool is_temporary_ = false;   ///< the database has another name until it is complete
  bool has_shared_memory_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// Removes a database and the files that SQLite keeps beside it, if they exist.
void remove_database(const std::filesystem::path& file);

/// All changes between construction and `commit` are made together or not at all.
class StoreTransaction {
 public:
  explicit StoreTransaction(Database& database);
  ~StoreTransaction();
  StoreTransaction(const StoreTransaction&) = delete;
  StoreTransaction& operator=(const StoreTransaction&) = delete;
  void commit();

 private:
  Database* database_;
};

}  // namespace starloom
