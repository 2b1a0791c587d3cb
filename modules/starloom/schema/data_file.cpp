// SPDX-License-Identifier: Apache-2.0
#include <starloom/schema/data_file.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <starloom/schema/key_fault.hpp>
#include <starloom/support/printable.hpp>

namespace starloom {

DataFile::DataFile(const std::filesystem::path& folder, const std::string& name, const std::string& key) : name_(name) {
  const std::filesystem::path path = folder / name;
  if (const std::string why = why_unreadable(path); !why.empty())
    throw KeyFault(key, "cannot read " + name + ": " + why);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw KeyFault(key, "cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  std::ostringstream content;
  // An empty file sets the fail bit of `content`, which is no fault.
  content << stream.rdbuf();
  if (stream.bad()) throw KeyFault(key, "cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  text_ = content.str();
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text_.compare(0, byte_order_mark.size(), byte_order_mark) == 0) text_.erase(0, byte_order_mark.size());
}

void DataFile::fault(std::size_t line, std::size_t column, const std::string& text) {
  faults_.add({line, column}, place(line, column) + ": " + printable(text));
}

std::string DataFile::place(std::size_t line, std::size_t column) const {
  return name_ + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void DataFile::stop_if_faulty() const {
  if (faults_.any()) throw DataFileError(faults_.text());
}

}  // namespace starloom
