// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/instance_glob.hpp>

#include <algorithm>
#include <utility>

#include <starloom/support/error.hpp>

namespace starloom {

bool glob_matches(std::string_view glob, std::string_view name) {
  std::size_t g = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;  // the last `*`, and the position in the name after its match
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = n;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
      ++g;
      ++n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

std::size_t glob_distance(std::string_view glob, std::string_view name) {
  // row[n]: distance of the first g characters of the glob and the first n of the name.
  std::vector<std::size_t> row(name.size() + 1), next(row.size());
  for (std::size_t n = 0; n < row.size(); ++n) row[n] = n;
  for (const char c : glob) {
    const bool star = c == '*';
    next[0] = row[0] + (star ? 0 : 1);
    for (std::size_t n = 1; n < row.size(); ++n)
      next[n] = star ? std::min(row[n], next[n - 1])
                     : std::min({row[n - 1] + (c == '?' || c == name[n - 1] ? 0 : 1), row[n] + 1, next[n - 1] + 1});
    row.swap(next);
  }
  return row.back();
}

std::vector<std::string> near_names(std::string_view glob, const std::vector<std::string>& names, std::size_t count) {
  const std::size_t farthest = std::max<std::size_t>(1, glob.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& name : names) {
    const std::size_t distance = glob_distance(glob, name);
    if (distance <= farthest) near.emplace_back(distance, &name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  near.resize(std::min(near.size(), count));
  std::vector<std::string> found;
  found.reserve(near.size());
  for (const auto& [distance, name] : near) found.push_back(*name);
  return found;
}

bool GlobList::matches(std::string_view name) {
  bool found = false;
  for (std::size_t g = 0; g < globs_.size(); ++g) {
    if (!glob_matches(globs_[g], name)) continue;
    used_[g] = true;
    found = true;
  }
  return found;
}

void GlobList::require_matches(const std::function<std::string(const std::string& glob)>& refusal) const {
  std::string refusals;
  for (std::size_t g = 0; g < globs_.size(); ++g)
    if (!used_[g]) refusals += (refusals.empty() ? "" : "\n") + refusal(globs_[g]);
  if (!refusals.empty()) throw InputError(refusals);
}

std::string no_match_text(const std::string& glob, const std::vector<std::vector<std::string>>& names,
                          const std::string& otherwise) {
  std::string near;
  for (const std::vector<std::string>& of_kind : names) {
    // The end may be missing: node_r00 for node_r00_*.
    for (const std::string& name : near_names(glob + '*', of_kind, 3)) near += (near.empty() ? "" : ", ") + name;
    if (!near.empty()) break;
  }
  return glob + " matches no instance; " + (near.empty() ? otherwise : "near: " + near);
}

}  // namespace starloom
