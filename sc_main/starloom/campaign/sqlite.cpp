// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/sqlite.hpp>

#include <fmt/format.h>
#include <sqlite3.h>

#include <system_error>
#include <utility>

#include <starloom/campaign/store_disk.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

/// Time to wait for another process that writes.
constexpr int patience_ms = 10'000;

int open(const std::string& name, int flags, sqlite3** handle) {
  return sqlite3_open_v2(name.c_str(), handle, flags, nullptr);
}

/// A store that was written on another disk has a write-ahead log. Without shared memory SQLite can read that only
/// while no other process has the store open.
constexpr const char* to_older_journal =
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; "
    "SELECT 1 FROM sqlite_schema";

/// A name that SQLite takes as a file name: `:memory:` alone would be a database without a file.
std::string name_of(const std::filesystem::path& file) {
  return (file.is_absolute() ? file : std::filesystem::path(".") / file).string();
}

/// A file name for `file:` names of SQLite.
std::string escaped(const std::filesystem::path& file) {
  std::string name;
  for (const char c : std::filesystem::absolute(file).string())
    name +=
        c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  return name;
}

}  // namespace

void Statement::Closer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code == SQLITE_ERROR)  // a missing table or column
    throw InputError(fmt::format("{}: the store is damaged: {}; restore a copy, or rename it and run again",
                                 database.file_.string(), sqlite3_errmsg(database.handle_.get())));
  if (code != SQLITE_OK) database.fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
  return *this;
}
Statement& Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text(statement_.get(), parameter, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  return *this;
}
Statement& Statement::bind_null(int parameter) {
  sqlite3_bind_null(statement_.get(), parameter);
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}
void Statement::run() {
  while (next()) continue;
}
void Statement::reset() { sqlite3_reset(statement_.get()); }

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text == nullptr ? ""
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

void remove_database(const std::filesystem::path& file) {
  std::error_code ignored;
  for (const char* part : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(file.string() + part, ignored);
}

void Database::Closer::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Database::Database(const std::filesystem::path& file, Mode mode, std::filesystem::path name)
    : file_(std::move(name)),
      is_temporary_(file != file_),
      has_shared_memory_(has_shared_memory(file, mode == Mode::create, file_)) {
  sqlite3* handle = nullptr;
  // Readers also open for writing if they may: the last one to close a store then removes its write-ahead log.
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  int code = open(name_of(file), flags, &handle);
  handle_.reset(handle);
  if (code == SQLITE_OK) sqlite3_busy_timeout(handle, patience_ms);
  if (code == SQLITE_OK && !has_shared_memory_)
    code = sqlite3_db_readonly(handle, "main") == 0 ? run_until_free(to_older_journal) : SQLITE_READONLY;
  else if (code == SQLITE_OK && mode == Mode::read)
    code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
  if (mode == Mode::read && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
    // In a read-only folder, the shared memory of the write-ahead log cannot be created; such a store does not
    // change, and can be read without it.
    code = open("file:" + escaped(file) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, &handle);
    handle_.reset(handle);
  }
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle_.get(), patience_ms);
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

/// For statements that may be run twice, and for which SQLite does not wait by itself: a reader recovers the journal
/// of a store that a killed campaign has left.
int Database::run_until_free(const std::string& sql) {
  int code = SQLITE_BUSY;
  for (int waited = 0; (code & 0xff) == SQLITE_BUSY && waited < patience_ms; ++waited) {
    if (waited > 0) sqlite3_sleep(1);
    code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  }
  return code;
}

void Database::choose_journal() {
  const int code = run_until_free(has_shared_memory_ ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
                                                     : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::number(const std::string& sql) {
  Statement statement = prepare(sql);
  return statement.next() ? statement.integer(0) : 0;
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }

void Database::fail(int code) const {
  const auto text = [&](const std::string& what) { return fmt::format("{}: {}", file_.string(), what); };
  switch (code & 0xff) {
    case SQLITE_NOTADB: throw InputError(text("this is not the store of a campaign (not an SQLite file)"));
    case SQLITE_CORRUPT: throw InputError(text("the store is damaged; restore a copy, or rename it and run again"));
    // The statements of this program are correct: SQLite cannot interpret the file.
    case SQLITE_ERROR:
      throw InputError(text(fmt::format("the store is damaged ({}); restore a copy, or rename it and run again",
                                        escape(sqlite3_errmsg(handle_.get())))));
    case SQLITE_FULL:
      throw OutputError(text(is_temporary_ ? "the disk is full; no store was created"
                                           : "the disk is full; the runs stored so far are kept"));
    case SQLITE_BUSY:
      throw OutputError(text("timed out waiting for a lock held by another program; close that program and run again"));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: throw OutputError(text("the store cannot be written: no such folder, or no permission"));
    default: break;
  }
  const int why = sqlite3_system_errno(handle_.get());
  throw OutputError(text(fmt::format("the store cannot be used: {}{}", sqlite3_errmsg(handle_.get()),
                                     why == 0 ? "" : fmt::format(" ({})", std::generic_category().message(why)))));
}

StoreTransaction::StoreTransaction(Database& database) : database_(&database) { database.run("BEGIN IMMEDIATE"); }

StoreTransaction::~StoreTransaction() {
  if (database_ == nullptr) return;
  try {
    database_->run("ROLLBACK");
  } catch (const Error&) {  // SQLite has rolled back by itself
  }
}

void StoreTransaction::commit() {
  database_->run("COMMIT");
  database_ = nullptr;
}

}  // namespace starloom
