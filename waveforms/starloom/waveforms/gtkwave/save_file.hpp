// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file GTKWave's save files (`.gtkw`): the displayed variables of a dump, and their formats.
#include <cstdint>
#include <string>
#include <vector>

namespace starloom {

/// Names for the values 0, 1, .. of variables: a separate file, which GTKWave reads besides the save file.
struct EnumFilter {
  std::string file;
  std::vector<std::string> names;
  /// Its content.
  std::string text() const;
};

/// The rows of GTKWave's signal list, from top to bottom. All paths are relative to the folder of the save file.
class SaveFile {
 public:
  enum class Format { binary, decimal, analog };

  /// \param dump the displayed file.
  /// \param from_time first time on the screen. \param period of the clock, in the dump's unit of time.
  SaveFile(const std::string& dump, std::uint64_t from_time, std::uint64_t period);

  void open_group(const std::string& name, bool expanded);
  void close_group();
  /// A variable. \param path its scopes and name, joined by dots. \param label its name in the signal list.
  /// \param filter names for its values, or null.
  void add(const std::string& path, int width, const std::string& label, Format format,
           const EnumFilter* filter = nullptr);

  const std::string& text() const { return text_; }

 private:
  void flags(std::uint32_t flags);

  std::string text_;
  std::uint32_t flags_ = 0;
  struct Group {
    std::string name;
    bool expanded;
  };
  std::vector<Group> groups_;  ///< open ones
};

/// A save file and the filters that it names.
struct WaveView {
  std::string save_file;
  std::vector<EnumFilter> filters;
};

/// The number of nodes, or groups of couplers, in a save file; others are found in GTKWave's tree. A list of
/// thousands opens slowly.
inline constexpr std::size_t most_groups = 64;
/// Groups that are initially open: the content of a screen.
inline constexpr std::size_t open_groups = 4;

}  // namespace starloom
