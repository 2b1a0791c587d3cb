// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Files written under a temporary name and renamed when they are complete: a full disk, an error, a signal or a
/// power cut does not destroy an earlier file, and no incomplete file has a final name.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// `<start>partial-<process id>`, with `-2`, `-3`, .. behind it if that is taken: machines that share a disk may share
/// process numbers, too. `target`: what is going to be written, as messages name it.
/// \throws OutputError if the place cannot be looked at
std::filesystem::path unused_temporary(const std::string& start, const std::filesystem::path& target);

/// Waits until a file, or the names in a folder, are on the disk. File systems that cannot do that are left alone.
/// \throws OutputError if the disk is full or faulty
void sync_to_disk(const std::filesystem::path& file_or_folder);

/// Makes the missing folders above an output file. \throws OutputError
void make_folder_of(const std::filesystem::path& file);

/// Tests whether an output file can be written, so that a long command can fail before its work. Leaves no file.
/// \throws OutputError
void require_writable(const std::filesystem::path& file);

/// True if the first 200 bytes of a regular file hold `mark`, by which this program knows its own files.
bool has_mark(const std::filesystem::path& file, std::string_view mark);

/// Keeps what this program did not write: a file that is there must have `mark`, or be empty. Devices and pipes are
/// written as they are. `kind`: what the mark is found in, with its article; `advice`: what the user can do. \throws
/// OutputError
void refuse_foreign_file(const std::filesystem::path& file, std::string_view mark, std::string_view kind,
                         std::string_view advice);

/// One output file. Until `publish` it is written under another name in the same folder.
class AtomicFile {
 public:
  /// Creates nothing. \throws OutputError if the file is a folder, or a symbolic link to a file: what it leads to is
  /// not ours. Devices and pipes are written as they are.
  explicit AtomicFile(const std::filesystem::path& file);
  /// Removes what was not published.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return temporary_; }
  /// Gives the file its name, once it is on the disk; an earlier one is replaced. \throws OutputError
  void publish();

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;  ///< `file_` if that is a device or a pipe
};

/// Several output files in a folder that may hold others.
class AtomicFolder {
 public:
  /// Makes the folder, its missing parents, and a temporary folder in it. \throws OutputError
  explicit AtomicFolder(const std::filesystem::path& folder);
  /// Removes what was not published.
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return temporary_; }
  /// The names of the files that are there now, sorted.
  std::vector<std::filesystem::path> files() const;
  /// Moves all files into the folder, once they are on the disk: `first` before the others, `last` after them.
  /// \throws OutputError
  void publish(const std::string& first, const std::string& last);

 private:
  std::filesystem::path folder_;
  std::filesystem::path temporary_;
};

}  // namespace starloom
