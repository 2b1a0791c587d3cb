// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Names of instances with wildcards.
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace starloom {

/// `*` matches any characters, `?` one.
bool glob_matches(std::string_view glob, std::string_view name);

/// Least number of characters to insert, delete or replace in `glob`, wildcards being free, until it matches `name`.
std::size_t glob_distance(std::string_view glob, std::string_view name);

/// At most `count` of `names` that `glob` nearly matches, the nearest first; at most one edit for every three
/// characters of the glob, at least one.
std::vector<std::string> near_names(std::string_view glob, const std::vector<std::string>& names, std::size_t count);

/// The text for a glob that matches no instance: names near to it, or else `otherwise`.
/// \param names by kind; those of the first kind with near names are given.
std::string no_match_text(const std::string& glob, const std::vector<std::vector<std::string>>& names,
                          const std::string& otherwise);

/// Globs that select instances; it records which of them have matched.
class GlobList {
 public:
  explicit GlobList(std::vector<std::string> globs) : globs_(std::move(globs)), used_(globs_.size(), false) {}

  bool matches(std::string_view name);
  /// \throws InputError with a line for each glob that has not matched a name so far, as worded by `refusal`.
  void require_matches(const std::function<std::string(const std::string& glob)>& refusal) const;

 private:
  std::vector<std::string> globs_;
  std::vector<bool> used_;
};

}  // namespace starloom
