// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/formula.hpp>

namespace starloom::links {

void Formula::add(const std::vector<Literal>& clause) {
  literals_.insert(literals_.end(), clause.begin(), clause.end());
  literals_.push_back(0);
  ++clauses_;
}

void Formula::at_most(std::size_t most, const std::vector<Literal>& literals) {
  if (literals.size() <= most) return;
  if (most == 0) {
    for (const Literal literal : literals) add({-literal});
    return;
  }
  constexpr std::size_t few = 6;
  if (most == 1 && literals.size() <= few) {
    for (std::size_t i = 0; i < literals.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) add({-literals[i], -literals[j]});
    return;
  }
  // counts[k]: more than k of the literals so far are true.
  std::vector<Literal> counts;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (counts.size() == most) add({-counts.back(), -literals[i]});
    if (i + 1 == literals.size()) break;
    std::vector<Literal> next;
    for (std::size_t k = 0; k < most && k <= i; ++k) {
      next.push_back(new_variable());
      if (k < counts.size()) add({-counts[k], next[k]});
      if (k == 0) add({-literals[i], next[k]});
      else add({-literals[i], -counts[k - 1], next[k]});
    }
    counts.swap(next);
  }
}

}  // namespace starloom::links
