// SPDX-License-Identifier: Apache-2.0
#include <starloom/schema/data_file.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include <starloom/schema/config_error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {

std::vector<CsvCell> csv_cells(std::string_view line) {
  std::vector<CsvCell> cells;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back({line.substr(start, comma - start), start + 1});
    if (comma == line.size()) return cells;
    start = comma + 1;
  }
}

std::map<std::int32_t, std::filesystem::path> rank_files_at(const std::filesystem::path& prefix) {
  const std::string start = prefix.filename().string() + ".", end = ".et";
  const std::filesystem::path folder = prefix.has_parent_path() ? prefix.parent_path() : ".";
  std::map<std::int32_t, std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= start.size() + end.size() || name.compare(0, start.size(), start) != 0 ||
        name.compare(name.size() - end.size(), end.size(), end) != 0)
      continue;
    const char* const first = name.data() + start.size();
    const char* const last = name.data() + name.size() - end.size();
    std::int32_t rank = 0;
    const auto [stop, error] = std::from_chars(first, last, rank);
    const bool has_zeros = *first == '0' && last - first > 1;
    if (error == std::errc() && stop == last && rank >= 0 && !has_zeros) files[rank] = folder / name;
  }
  return files;
}

std::string compression_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, const char*> formats[] = {{"\x1f\x8b"sv, "gzip"},
                                                                  {"BZh"sv, "bzip2"},
                                                                  {"\xfd"
                                                                   "7zXZ\0"sv,
                                                                   "xz"},
                                                                  {"\x28\xb5\x2f\xfd"sv, "zstd"},
                                                                  {"PK\x03\x04"sv, "zip"}};
  for (const auto& [start, name] : formats)
    if (bytes.substr(0, start.size()) == start) return name;
  return "";
}

DataFile::DataFile(const std::filesystem::path& folder, const std::string& name, const std::string& key) : name_(name) {
  const std::filesystem::path path = folder / name;
  if (const std::string why = why_unreadable(path); !why.empty())
    throw ConfigError(key, "cannot read " + name + ": " + why);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ConfigError(key, "cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  std::ostringstream content;
  // An empty file sets the fail bit of `content`, which is not an error.
  content << stream.rdbuf();
  if (stream.bad()) throw ConfigError(key, "cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  text_ = content.str();
  if (const std::string format = compression_of(text_); !format.empty())
    throw ConfigError(key, "cannot read " + name + ": it is compressed (" + format + "); unpack it");
  if (text_.find('\0') != std::string::npos)
    throw ConfigError(key, "cannot read " + name + ": it is a binary file; a text file in UTF-8 is expected");
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text_.compare(0, byte_order_mark.size(), byte_order_mark) == 0) text_.erase(0, byte_order_mark.size());
}

void DataFile::add_error(std::size_t line, std::size_t column, const std::string& text) {
  diagnostics_.add({line, column}, location(line, column) + ": " + escape(text));
}

std::string DataFile::location(std::size_t line, std::size_t column) const {
  return name_ + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void DataFile::stop_if_invalid() const {
  if (diagnostics_.any()) throw DataFileError(diagnostics_.text());
}

}  // namespace starloom
