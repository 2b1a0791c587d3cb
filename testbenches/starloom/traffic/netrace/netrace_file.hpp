// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Netrace 1.0: recorded packets that wait for others, compressed by bzip2 (docs/formats.md, "Netrace files").
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

struct NetraceRegion {
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;
};

struct NetraceHeader {
  std::string name;  ///< of the recorded program
  int nodes = 0;     ///< at least 1
  std::uint64_t cycles = 0;
  std::string notes;  ///< empty: none, or too long to show
  std::vector<NetraceRegion> regions;
};

struct NetraceRecord {
  std::uint64_t cycle = 0;
  std::uint32_t id = 0;
  int bytes = 0;  ///< of its packet, by its type
  int source = 0;
  int destination = 0;
  std::vector<std::uint32_t> dependants;  ///< ids of the records that wait for this one
};

/// The bytes of a file, decompressed.
using NetraceContent = std::shared_ptr<const std::vector<unsigned char>>;

/// A file that is read from beginning to end, in constant memory.
class NetraceFile {
 public:
  /// Reads the header. \param name as the user wrote it, for errors.
  /// \throws ConfigError with the key `file` if the file cannot be read, or is not a netrace file.
  NetraceFile(const std::filesystem::path& path, std::string name);
  /// \param content of a file that was read without an error.
  NetraceFile(NetraceContent content, std::string name);
  ~NetraceFile();
  NetraceFile(const NetraceFile&) = delete;
  NetraceFile& operator=(const NetraceFile&) = delete;

  const NetraceHeader& header() const { return header_; }
  /// The content of a file that has been read to its end, to spare the next reader the decompression; null if it has
  /// more than 16 MiB.
  NetraceContent content() const;
  /// Reads the next record; false: there is none. Types and nodes are valid unless `errors` gets a line.
  /// \throws DataFileError if the rest of the file cannot be read.
  bool next(NetraceRecord& record, std::vector<std::string>& errors);
  /// The number of the record that was read last, from 0.
  std::int64_t number() const { return number_; }
  /// The place of the same record, in decompressed bytes from the first one.
  std::int64_t offset() const { return offset_; }
  /// `file: record N (offset M): text`, for the record that was read last.
  std::string located(std::string_view text) const { return located(number_, offset_, text); }
  std::string located(std::int64_t number, std::int64_t offset, std::string_view text) const;

 private:
  class Stream;

  [[noreturn]] void fail(const std::string& text) const;
  /// Fills `bytes_`. Returns the number of bytes that the file still had.
  std::size_t read(std::size_t count);
  void read_header();

  std::string name_;
  std::unique_ptr<Stream> stream_;
  std::vector<unsigned char> bytes_;
  NetraceHeader header_;
  std::int64_t number_ = -1;  ///< -1: in the header
  std::int64_t offset_ = 0;   ///< of the record that was read last
  std::int64_t next_ = 0;     ///< offset of the next record
};

}  // namespace starloom
