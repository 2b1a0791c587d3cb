// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Files written under a temporary name and renamed when they are complete: a full disk, an error, a signal or a
/// power cut does not destroy an earlier file, and no incomplete file has a final name.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// `<start>partial-<process id>`, with `-2`, `-3`, ... appended if that is taken: machines that share a disk may use
/// the same process numbers. `target`: the final name, for messages.
/// \throws OutputError if the folder cannot be read
std::filesystem::path unused_temporary(const std::string& start, const std::filesystem::path& target);

/// Waits until a file, or the names in a folder, are on the disk. File systems that do not support this are ignored.
/// \throws OutputError if the disk is full or faulty
void sync_to_disk(const std::filesystem::path& file_or_folder);

/// Makes the missing folders above an output file. \throws OutputError
void make_folder_of(const std::filesystem::path& file);

/// Tests whether an output file can be written, so that a long command can fail before its work. Leaves no file.
/// \throws OutputError
void require_writable(const std::filesystem::path& file);

/// True if the first 200 bytes of a regular file contain `mark`, by which this program recognises its own files.
bool has_mark(const std::filesystem::path& file, std::string_view mark);

/// Protects files that this program did not write: an existing file must have `mark`, or be empty. Devices and pipes
/// are written as they are. `kind`: the kind of file that has the mark, with its article; `advice`: what the user can
/// do. \throws OutputError
void refuse_foreign_file(const std::filesystem::path& file, std::string_view mark, std::string_view kind,
                         std::string_view advice);

/// One output file. Until `publish` it is written under another name in the same folder.
class AtomicFile {
 public:
  /// Creates no file. \throws OutputError if the file is a folder, or a symbolic link to a file, which this program
  /// does not own. Devices and pipes are written as they are.
  explicit AtomicFile(const std::filesystem::path& file);
  /// Removes an unpublished file.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The name to write to.
  const std::filesystem::path& path() const { return temporary_; }
  /// Gives the file its name, once it is on the disk; an earlier file is replaced. \throws OutputError
  void publish();

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;  ///< `file_` if that is a device or a pipe
};

/// Several output files in a folder that may contain other files.
class AtomicFolder {
 public:
  /// Makes the folder, its missing parents, and a temporary folder in it. \throws OutputError
  explicit AtomicFolder(const std::filesystem::path& folder);
  /// Removes unpublished files.
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// The folder to write to.
  const std::filesystem::path& path() const { return temporary_; }
  /// The names of the files written so far, sorted.
  std::vector<std::filesystem::path> files() const;
  /// Moves all files into the folder, once they are on the disk: `first` before the others, `last` after them.
  /// \throws OutputError
  void publish(const std::string& first, const std::string& last);

 private:
  std::filesystem::path folder_;
  std::filesystem::path temporary_;
};

}  // namespace starloom
