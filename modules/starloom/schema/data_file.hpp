// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Data files that a key names: their text, and the errors found in them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/schema/diagnostic_list.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

/// The reason why a file cannot be read as data; empty if it can. Only regular files are data: a pipe blocks, and a
/// device such as /dev/zero has no end.
inline std::string why_unreadable(const std::filesystem::path& file) {
  std::error_code why;
  const std::filesystem::file_status status = std::filesystem::status(file, why);
  if (why) return why.message();
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (!std::filesystem::is_regular_file(status)) return "it is a device or a pipe, not a file";
  return "";
}

/// The files of ranks that are there, by rank: PREFIX.0.et, PREFIX.1.et, ...
std::map<std::int32_t, std::filesystem::path> rank_files_at(const std::filesystem::path& prefix);

/// The usual name of the compressed format that begins with these bytes; empty for others.
std::string compression_of(std::string_view bytes);

/// True if a file or folder of this name exists; links are followed. \throws InputError with the reason if the system
/// cannot find out: a loop of links, no permission, a name that is too long
inline bool is_there(const std::filesystem::path& name) {
  std::error_code why;
  const bool there = std::filesystem::exists(name, why);
  if (why) throw InputError(name.string() + ": cannot be read: " + why.message());
  return there;
}

/// A cell of a line of a CSV file.
struct CsvCell {
  std::string_view text;
  std::size_t column = 0;  ///< of its first character in the line, from 1
};
/// Those of a line, at least one.
std::vector<CsvCell> csv_cells(std::string_view line);

/// Errors inside a data file. The text contains all locations (`file:line:column: text`, a line for each error), so
/// the caller adds no prefix.
class DataFileError : public InputError {
 public:
  using InputError::InputError;
};

/// A text file, read completely, and the errors found in it.
class DataFile {
 public:
  /// `name` as the user wrote it under `key`, relative to `folder`. \throws ConfigError for that key if it cannot be
  /// read.
  DataFile(const std::filesystem::path& folder, const std::string& name, const std::string& key = "file");

  /// Without a byte order mark.
  const std::string& text() const { return text_; }

  /// Calls `visit(line, text)` for each line, from 1 on, without its line break. A file without text has one.
  template <class Visit>
  void each_line(const Visit& visit) const {
    const std::string_view text = text_;
    std::size_t line = 0;
    for (std::size_t start = 0; start < text.size() || line == 0;) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      std::string_view of_line = text.substr(start, end - start);
      if (!of_line.empty() && of_line.back() == '\r') of_line.remove_suffix(1);
      start = end + 1;
      visit(++line, of_line);
    }
  }

  /// Adds an error; lines and columns count from 1.
  void add_error(std::size_t line, std::size_t column, const std::string& text);
  bool has_errors() const { return diagnostics_.any(); }
  /// "file:line:column", for texts that refer to another location in the file.
  std::string location(std::size_t line, std::size_t column) const;
  /// \throws DataFileError with the errors added so far, a line for each, in the order of their locations.
  void stop_if_invalid() const;

 private:
  std::string name_;
  std::string text_;
  DiagnosticList<std::pair<std::size_t, std::size_t>> diagnostics_;  ///< by line and column
};

}  // namespace starloom
