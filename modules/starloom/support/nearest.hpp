// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The nearest legal name to a mistyped one, for error texts.
#include <algorithm>
#include <string>
#include <vector>

namespace starloom {

/// Levenshtein distance in which exchanging two neighbours counts as one edit: the least number of characters
/// inserted, deleted, replaced or exchanged (no position edited twice) that turn `a` into `b`.
inline std::size_t edit_distance(const std::string& a, const std::string& b) {
  // rows[i][j]: distance between the first i characters of a and the first j of b.
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

/// True if `word` is `name` with some characters omitted.
inline bool is_subsequence(const std::string& word, const std::string& name) {
  std::size_t at = 0;
  for (const char c : name)
    if (at < word.size() && word[at] == c) ++at;
  return at == word.size();
}

/// The nearest of `names` to a mistyped word, or "" if none is near. Near: at most one edit for every three
/// characters of the longer word, at least one edit allowed, and not all of it replaced. Of equally near ones the
/// first that only has characters omitted (`--sed`: `--seed`, not `--set`), else the first.
inline std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& name : names) {
    const std::size_t longer = std::max(word.size(), name.size()), shorter = std::min(word.size(), name.size());
    const std::size_t most = std::max<std::size_t>(1, longer / 3);
    if (longer - shorter > most) continue;  // at least this number has to be inserted: saves time for long words
    const std::size_t distance = edit_distance(word, name);
    if (distance > most || distance >= longer) continue;
    if (best != nullptr && distance > best_distance) continue;
    if (best != nullptr && distance == best_distance && (is_subsequence(word, *best) || !is_subsequence(word, name)))
      continue;
    best = &name;
    best_distance = distance;
  }
  return best == nullptr ? "" : *best;
}

/// " (did you mean X?)" with the nearest of `names`; "" if none is near.
inline std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  return near.empty() ? "" : " (did you mean " + near + "?)";
}

}  // namespace starloom
