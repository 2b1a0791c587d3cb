// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Strict reading of the CSV files that the program writes: plain numbers and words, no quotes, no blanks.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// Reads a CSV file, or a gzip of one if its name ends in `.gz`, line by line and cell by cell. Lines end in a single
/// newline, the last one too. Every error is an InputError `file:line:column: text`; columns are bytes from 1.
class CsvReader {
 public:
  /// Opens the file and checks that its first line is one of `headers`. \throws InputError
  CsvReader(const std::filesystem::path& file, std::vector<std::string_view> headers);
  CsvReader(const std::filesystem::path& file, std::string_view header)
      : CsvReader(file, std::vector<std::string_view>{header}) {}
  ~CsvReader();

  /// The index of the header found, from 0.
  std::size_t header() const { return header_; }
  /// Restarts with the first line of data. If lines begin with ascending numbers, skips unread those below `least`,
  /// except up to a mebibyte of them. False, without an effect, if the file is compressed.
  bool skip_below(std::int64_t least);
  /// Goes to the next line; the cells of the previous one must all have been read. False at the end of the file.
  bool next_line();

  /// The next cell. Views are valid until the next line.
  std::string_view cell();
  /// The next cell, a decimal number of 0 .. max without sign or leading zeros.
  std::int64_t number(std::int64_t max);
  /// The same, or -1 if the cell is empty.
  std::int64_t number_or_empty(std::int64_t max);
  /// The next cell, such numbers separated by spaces. \param list gets them; empty if the cell is.
  void numbers(std::int64_t max, std::vector<std::int64_t>& list);
  /// The next cell, a number of at least 0, or empty.
  std::optional<double> fraction_or_empty();

  /// An error in the cell that was read last.
  [[noreturn]] void fail(const std::string& text) const;

 private:
  bool read_line();
  bool refill();
  std::int64_t parse(std::string_view text, std::int64_t max) const;

  std::int64_t lines_skipped() const;

  class Input;
  std::string name_;
  std::filesystem::path file_;
  std::unique_ptr<Input> input_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of the unread part of the buffer
  std::size_t end_ = 0;
  std::string_view line_;
  std::size_t header_ = 0;
  std::int64_t line_number_ = 0;  ///< without skipped lines
  std::int64_t data_ = 0;         ///< the byte where the second line begins
  std::int64_t skipped_to_ = 0;   ///< the byte where the skipped lines end
  std::size_t next_ = 0;          ///< position in the line where the next cell begins; npos after the last
  std::size_t cell_ = 0;          ///< position where the last cell began
};

/// The numbers of packets or messages, with which the lines of a file begin.
class Numbering {
 public:
  /// \param most_missing 0: lines are numbered 0, 1, 2, ...; else numbers rise, and at most this number of them are
  /// missing: those of records of a netrace file that were not created.
  explicit Numbering(std::int64_t most_missing = 0) : missing_left_(most_missing), has_gaps_(most_missing > 0) {}

  bool has_gaps() const { return has_gaps_; }
  /// Reads the next cell, which is a number. \param count of the numbers before it, missing ones included.
  std::size_t next(CsvReader& csv, const char* of, std::size_t count);

 private:
  std::int64_t missing_left_;
  bool has_gaps_;
};

}  // namespace starloom
