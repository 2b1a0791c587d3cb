#pragma once
/// \file Names of instances with wildcards.
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// `*` stands for any characters, `?` for one.
bool glob_matches(std::string_view glob, std::string_view name);

/// Least number of characters to insert, delete or replace in `glob`, wildcards being free, until it matches `name`.
std::size_t glob_distance(std::string_view glob, std::string_view name);

/// At most `count` of `names` that `glob` nearly matches, the nearest first; at most one edit for every three
/// characters of the glob, at least one.
std::vector<std::string> near_names(std::string_view glob, const std::vector<std::string>& names, std::size_t count);

}  // namespace starloom
