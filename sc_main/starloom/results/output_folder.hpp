// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The folder of a run's outputs: written aside and renamed when it is whole, so that nothing half-written looks
/// like a result.
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// One run's outputs. Until `publish` they stand in a folder aside, on the same disk: `<target>.partial-<process id>`,
/// or `.partial-<process id>` in a target that exists. An earlier result stays as it is until then.
class OutputFolder {
 public:
  /// Makes missing parents and the folder aside. \throws OutputError if the target holds something and `force` is
  /// false, holds files that a result would replace but no result, is no folder, cannot be written, or another run is
  /// writing there.
  OutputFolder(const std::filesystem::path& target, bool force);
  /// Removes the folder aside if nothing was written into it.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where the files are written until `publish`.
  const std::filesystem::path& aside() const { return aside_; }

  /// Writes a whole file. \throws OutputError
  void write(const std::string& name, const std::string& content) const;

  /// Moves everything to the target. Of an earlier result nothing is left; what this program did not write is kept.
  /// \throws OutputError; what was written, and what was there, then stands in folders aside.
  void publish();

  /// Says on stderr where the files of a failed run are, if there are any.
  void tell_what_is_left() const;

  /// Removes the folder aside that is there, or says where it is, if a process ends without destructors. Async-signal-safe.
  static void abandon();

 private:
  void refuse_foreign_files() const;
  bool lock(const std::filesystem::path& folder);
  [[noreturn]] void refuse_as_second();
  bool another_run_begun() const;
  void publish_into_existing();
  std::vector<std::filesystem::path> earlier_files() const;

  std::filesystem::path target_;
  std::filesystem::path aside_;
  bool exists_ = false;  ///< the target was there before
  int lock_ = -1;        ///< the target, open and locked, if it was there; else the folder aside
  bool published_ = false;
};

}  // namespace starloom
