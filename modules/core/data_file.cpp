#include <starloom/core/data_file.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <starloom/core/printable.hpp>

namespace starloom {

DataFile::DataFile(const std::filesystem::path& folder, const std::string& name) : name_(name) {
  const std::filesystem::path path = folder / name;
  if (const std::string why = why_unreadable(path); !why.empty()) throw InputError("cannot read " + name + ": " + why);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  std::ostringstream content;
  // An empty file sets the fail bit of `content`, which is no fault.
  content << stream.rdbuf();
  if (stream.bad()) throw InputError("cannot read " + name + ": " + std::strerror(errno != 0 ? errno : EIO));
  text_ = content.str();
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
