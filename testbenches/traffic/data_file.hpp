#pragma once
/// \file A text file that a key names, read whole, and the faults found in it.
#include <filesystem>
#include <string>
#include <utility>

#include <starloom/core/fault_list.hpp>

namespace starloom {

class DataFile {
 public:
  /// `name` as the user wrote it, relative to `folder`. \throws KeyFault of `file` if it cannot be read.
  DataFile(const std::filesystem::path& folder, const std::string& name);

  /// Without a byte order mark.
  const std::string& text() const { return text_; }

  /// Notes a fault; lines and columns count from 1.
  void fault(std::size_t line, std::size_t column, const std::string& text);
  /// "file:line:column", for texts that point to another place of the file.
  std::string place(std::size_t line, std::size_t column) const;
  /// \throws DataFileError with the faults noted so far, a line for each, in the order of their places.
  void stop_if_faulty() const;

 private:
  std::string name_;
  std::string text_;
  FaultList<std::pair<std::size_t, std::size_t>> faults_;  ///< by line and column
};

}  // namespace starloom
