// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Files written aside and renamed when they are whole: a full disk, a fault or a signal destroys nothing that
/// stood there before, and nothing half-written has a final name.
#include <filesystem>
#include <string>

namespace starloom {

/// `<start>partial-<process id>`, with `-2`, `-3`, .. behind it if that is taken: machines that share a disk may share
/// process numbers, too. \throws OutputError if the place cannot be looked at
std::filesystem::path unused_aside(const std::string& start);

/// One output file. Until `publish` it is written under another name in the same folder.
class FileAside {
 public:
  /// Creates nothing. \throws OutputError if the file is a folder, or a symbolic link to a file: what it leads to is
  /// not ours. Devices and pipes are written as they are.
  explicit FileAside(const std::filesystem::path& file);
  /// Removes what was not published.
  ~FileAside();
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return aside_; }
  /// Gives the file its name; an earlier one is replaced. \throws OutputError
  void publish();

 private:
  std::filesystem::path file_;
  std::filesystem::path aside_;  ///< `file_` if that is a device or a pipe
};

/// Several output files in a folder that may hold others.
class FolderAside {
 public:
  /// Makes the folder, its missing parents, and a folder aside in it. \throws OutputError
  explicit FolderAside(const std::filesystem::path& folder);
  /// Removes what was not published.
  ~FolderAside();
  FolderAside(const FolderAside&) = delete;
  FolderAside& operator=(const FolderAside&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return aside_; }
  /// Moves all files into the folder, `last` after the others. \throws OutputError
  void publish(const std::string& last);

 private:
  std::filesystem::path folder_;
  std::filesystem::path aside_;
};

}  // namespace starloom
