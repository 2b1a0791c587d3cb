// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The formulas of energy tables: sums of products of sizes, greatest values, and points (docs/energy.md).
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace starloom::energy {

/// The sizes that decide the value of a component.
struct Size {
  double bits = 0;         ///< W: of a flit, or wires of a link
  double places = 0;       ///< N: for flits, in all buffers of an in-port
  double ports = 0;        ///< P: of the router, the local one included
  double channels = 0;     ///< V: of an in-port
  double millimetres = 0;  ///< L: length of the link
};

/// A product of sizes, such as `W*N^2*lg(P)`, or its root.
class Product {
 public:
  /// A number alone.
  Product() = default;
  /// \param text `1`, or factors with `*` between: `W`, `N`, `P`, `V`, `L`, of which any may have `^2` or `^3`;
  /// `lg(X)`, the least k with 2^k >= X; `up(X)`, 2^lg(X). Or `sqrt(...)` of such factors.
  /// \throws std::invalid_argument with a sentence about the part that is unknown
  explicit Product(std::string_view text);

  /// Its factors are multiplied from left to right.
  double at(const Size& size) const;

 private:
  enum class Function { power, lg, up };
  struct Factor {
    double Size::*size;
    Function function;
    int exponent;  ///< of a power
  };
  static Factor factor_of(std::string_view text);
  static double value_of(const Factor& factor, const Size& size);

  std::vector<Factor> factors_;
  bool root_ = false;
};

/// Products with their coefficients, added in this order.
using Sum = std::vector<std::pair<Product, double>>;
/// Pairs of a number and the value there, by increasing numbers.
using Points = std::vector<std::pair<double, double>>;

/// The formula of a component.
class Formula {
 public:
  explicit Formula(double constant) : Formula(Sum{{Product(), constant}}) {}
  explicit Formula(Sum sum) : greatest_of_({std::move(sum)}) {}
  /// The greatest of several sums, at least one, and another sum.
  Formula(std::vector<Sum> greatest_of, Sum plus) : greatest_of_(std::move(greatest_of)), plus_(std::move(plus)) {}
  /// \param points at least one
  explicit Formula(Points points) : points_(std::move(points)) {}

  /// \param n the number of requesters of an arbiter, which points are about: linear between them, and beyond the last
  /// two and before the first two
  double at(const Size& size, double n = 0) const;

 private:
  std::vector<Sum> greatest_of_;
  Sum plus_;
  Points points_;
};

}  // namespace starloom::energy
