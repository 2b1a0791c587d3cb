// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The JSON files of an output folder, read by paths: every error is an InputError that names file and path.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/core/outcome.hpp>

namespace starloom {

class FolderDocument {
 public:
  /// \throws InputError if the file cannot be read or is not JSON.
  explicit FolderDocument(const std::filesystem::path& file);

  /// The name of the file in errors.
  const std::string& name() const { return name_; }

  /// \throws InputError "FILE: 'path' text".
  [[noreturn]] void fail(const std::string& path, const std::string& text) const;

  /// The value at `a.b.c`, elements of lists by their numbers, or null if it is absent.
  const nlohmann::ordered_json* find(const std::string& path) const;
  /// True if it is present and not null.
  bool given(const std::string& path) const;

  /// Values that must be present, of their kind and in their range. \throws InputError
  const nlohmann::ordered_json& at(const std::string& path) const;
  std::int64_t integer(const std::string& path, std::int64_t min = 0,
                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  std::int32_t small(const std::string& path, std::int64_t min,
                     std::int32_t max = std::numeric_limits<std::int32_t>::max()) const;
  double number(const std::string& path) const;
  std::string text(const std::string& path) const;
  bool boolean(const std::string& path) const;
  /// The index of a word in a list. `kind`: a noun for the words, with its article.
  template <std::size_t count>
  std::size_t choice(const std::string& path, const std::string_view (&words)[count], const char* kind) const {
    const std::string word = text(path);
    for (std::size_t i = 0; i < count; ++i)
      if (words[i] == word) return i;
    fail(path, "is " + word + ", which is not " + kind);
  }
  std::vector<std::int64_t> integers(const std::string& path) const;

 private:
  std::string name_;
  nlohmann::ordered_json root_;
};

/// `result.json`.
class ResultDocument : public FolderDocument {
 public:
  /// \throws InputError as above, and if its schema is not 1.
  explicit ResultDocument(const std::filesystem::path& file);

  Outcome outcome() const { return static_cast<Outcome>(choice("outcome", outcome_names, "an outcome")); }
};

}  // namespace starloom
