// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Data files in YAML: their values, with the locations of errors.
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/schema/data_file.hpp>

namespace starloom {

/// The values of a mapping by key.
using YamlMembers = std::map<std::string, YAML::Node>;

/// A YAML file of one document, and the errors found in it.
class YamlData {
 public:
  /// \param folder, name, key as those of DataFile. \throws ConfigError if it cannot be read.
  YamlData(const std::filesystem::path& folder, const std::string& name, const std::string& key = "file")
      : file_(folder, name, key) {}

  /// Parses the file. \throws DataFileError if it is not YAML.
  YAML::Node load();
  /// The members of a mapping. A key that is not among `keys`, and one given twice, is an error.
  YamlMembers members_of(const YAML::Node& map, const std::vector<std::string>& keys);
  const std::string& text() const { return file_.text(); }
  void add_error(const YAML::Node& at, const std::string& text);
  bool has_errors() const { return file_.has_errors(); }
  /// \throws DataFileError with the errors added so far.
  void stop_if_invalid() const { file_.stop_if_invalid(); }

 private:
  DataFile file_;
};

/// The text of an unquoted scalar; a quoted one is always a text.
std::optional<std::string> plain(const YAML::Node& node);
/// The integer of an unquoted scalar.
std::optional<std::int64_t> integer_of(const YAML::Node& node);
/// For error texts: the value as written if it is short enough to be one.
std::string written(const YAML::Node& node);

}  // namespace starloom
