// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `result.json` as a verifier reads it: by paths, every fault an InputError that names file and path.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace starloom {

class ResultDocument {
 public:
  /// \throws InputError if the file cannot be read or is no JSON.
  explicit ResultDocument(const std::filesystem::path& file);

  /// As faults name the file.
  const std::string& name() const { return name_; }

  /// \throws InputError "FILE: 'path' text".
  [[noreturn]] void fail(const std::string& path, const std::string& text) const;

  /// The value at `a.b.c`, elements of lists by their numbers, or null if it is absent.
  const nlohmann::json* find(const std::string& path) const;
  /// True if it is there and not null.
  bool given(const std::string& path) const;

  /// Values that must be there, of their kind and in their range. \throws InputError
  const nlohmann::json& at(const std::string& path) const;
  std::int64_t integer(const std::string& path, std::int64_t min = 0,
                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  std::int32_t small(const std::string& path, std::int64_t min) const;
  double number(const std::string& path) const;
  std::string text(const std::string& path) const;
  bool boolean(const std::string& path) const;
  std::vector<std::int64_t> integers(const std::string& path) const;

 private:
  std::string name_;
  nlohmann::json root_;
};

}  // namespace starloom
