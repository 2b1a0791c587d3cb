// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Formulas in conjunctive normal form, under construction.
#include <cstddef>
#include <vector>

namespace starloom::links {

/// A variable or its negation, as in DIMACS files: numbers from 1 on, negative ones are negations.
using Literal = int;

/// Clauses one after the other, each ended by 0.
class Formula {
 public:
  Literal new_variable() { return ++variables_; }
  void add(const std::vector<Literal>& clause);
  /// At most this number of the literals is true. Pairs if there are few, else a sequential counter (Sinz 2005).
  void at_most(std::size_t most, const std::vector<Literal>& literals);

  int variables() const { return variables_; }
  std::size_t clauses() const { return clauses_; }
  /// All clauses, each ended by 0.
  const std::vector<Literal>& literals() const { return literals_; }

 private:
  int variables_ = 0;
  std::size_t clauses_ = 0;
  std::vector<Literal> literals_;
};

}  // namespace starloom::links
