// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A checker of DRAT proofs in text, as plain as possible: independent of the solver.
#include <algorithm>
#include <cstdlib>
#include <istream>
#include <sstream>
#include <string>
#include <vector>

namespace starloom {

/// Formula and proof as streams of DIMACS and DRAT. Every lemma has to follow by unit propagation, or, of all clauses
/// with the negation of its first literal, the resolvents do (Wetzler, Heule and Hunt 2014).
class ProofChecker {
 public:
  explicit ProofChecker(std::istream& formula) {
    std::string line;
    while (std::getline(formula, line))
      if (!line.empty() && line[0] != 'p' && line[0] != 'c') clauses_.push_back(clause_of(line));
  }

  /// True if the proof ends in the empty clause and every step of it holds.
  bool accepts(std::istream& proof) {
    std::string line;
    while (std::getline(proof, line)) {
      if (line.empty()) continue;
      if (line[0] == 'd') {
        erase(clause_of(line.substr(1)));
        continue;
      }
      const Clause lemma = clause_of(line);
      if (!follows(lemma) && !is_redundant(lemma)) return false;
      if (lemma.empty()) return true;
      clauses_.push_back(lemma);
    }
    return false;
  }

 private:
  using Clause = std::vector<int>;

  static Clause clause_of(const std::string& line) {
    std::istringstream words(line);
    Clause clause;
    for (int literal = 0; words >> literal && literal != 0;) clause.push_back(literal);
    return clause;
  }
  void erase(Clause clause) {
    std::sort(clause.begin(), clause.end());
    const auto found = std::find_if(clauses_.begin(), clauses_.end(), [&](Clause other) {
      std::sort(other.begin(), other.end());
      return other == clause;
    });
    // Units stay: solvers delete clauses that have become true.
    if (found != clauses_.end() && found->size() > 1) clauses_.erase(found);
  }
  /// True if the negation of the clause leads to a conflict by unit propagation.
  bool follows(const Clause& clause) const {
    std::vector<int> truth;  // by variable: the literal that is true, or 0
    const auto value = [&](int literal) {
      const auto variable = static_cast<std::size_t>(std::abs(literal));
      if (variable >= truth.size()) truth.resize(variable + 1);
      return truth[variable] == 0 ? 0 : truth[variable] == literal ? 1 : -1;
    };
    const auto set = [&](int literal) { truth[static_cast<std::size_t>(std::abs(literal))] = literal; };
    for (const int literal : clause) {
      if (value(literal) > 0) return true;
      set(-literal);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Clause& other : clauses_) {
        int open = 0, last = 0;
        bool satisfied = false;
        for (const int literal : other) {
          satisfied = satisfied || value(literal) > 0;
          if (value(literal) == 0) ++open, last = literal;
        }
        if (satisfied || open > 1) continue;
        if (open == 0) return true;
        set(last);
        changed = true;
      }
    }
    return false;
  }
  bool is_redundant(const Clause& lemma) const {
    if (lemma.empty()) return false;
    return std::all_of(clauses_.begin(), clauses_.end(), [&](const Clause& other) {
      if (std::find(other.begin(), other.end(), -lemma[0]) == other.end()) return true;
      Clause resolvent = lemma;
      for (const int literal : other)
        if (literal != -lemma[0]) resolvent.push_back(literal);
      return follows(resolvent);
    });
  }

  std::vector<Clause> clauses_;
};

}  // namespace starloom
