// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The folder of a run's outputs: written under a temporary name and renamed when it is complete, so that an
/// incomplete result never looks like a result, and an earlier result is kept until the new one replaces it.
#include <filesystem>
#include <string>

namespace starloom {

/// One run's outputs. Until `publish` they are in a temporary folder, on the same disk: `<target>.partial-<process
/// id>`, or `.partial-<process id>` in a target that exists. An earlier result remains unchanged until then.
class OutputFolder {
 public:
  /// Makes missing parents and the temporary folder. If a run was killed while it replaced an earlier result in the
  /// target, that is restored first, with a message on stderr. \throws OutputError if the target is not empty and
  /// `force` is false, contains files that a result would replace but no result, is not a folder, cannot be written,
  /// or another run is writing there.
  OutputFolder(const std::filesystem::path& target, bool force);
  /// Removes the temporary folder if it is empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// The folder of the files until `publish`.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Writes a whole file. \throws OutputError
  void write(const std::string& name, const std::string& content) const;

  /// Moves all files to the target. An earlier result is replaced completely; files that this program did not write
  /// are kept. An earlier result is removed once the new one is on the disk.
  /// \throws OutputError; the new files are then in a temporary folder, and an earlier result is unchanged.
  void publish();

  /// Prints on stderr where the files of a failed run are, if there are any.
  void report_partial_results() const;

  /// Removes the temporary folder, or prints where it is, if a process ends without destructors.
  /// Async-signal-safe.
  static void abandon();

 private:
  /// An open folder.
  struct Descriptor {
    Descriptor() = default;
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number = -1;
  };

  void refuse_foreign_files() const;
  bool lock(const std::filesystem::path& folder);
  [[noreturn]] void refuse_as_second() const;
  bool another_run_begun() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool exists_ = false;  ///< the target existed before
  bool alone_ = false;   ///< no other run can be writing there
  Descriptor lock_;      ///< the target, open and locked, if it existed; else the temporary folder
  bool published_ = false;
};

}  // namespace starloom
