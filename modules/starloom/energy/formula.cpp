// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/formula.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace starloom::energy {
namespace {

constexpr std::string_view known_factors = "known: W, N, P, V, L, with ^2 or ^3, lg(X), up(X), and sqrt(...) alone";

/// The size that a letter means. \throws std::invalid_argument
double Size::*size_of(std::string_view letter, std::string_view text) {
  if (letter == "W") return &Size::bits;
  if (letter == "N") return &Size::places;
  if (letter == "P") return &Size::ports;
  if (letter == "V") return &Size::channels;
  if (letter == "L") return &Size::millimetres;
  throw std::invalid_argument("unknown factor '" + std::string(text) + "'; " + std::string(known_factors));
}

/// The text between `begin` and `)`; empty if the text is not of this form.
std::string_view inside(std::string_view text, std::string_view begin) {
  const bool matches = text.size() > begin.size() && text.substr(0, begin.size()) == begin && text.back() == ')';
  return matches ? text.substr(begin.size(), text.size() - begin.size() - 1) : std::string_view();
}

/// The least whole k >= 0 with 2^k >= x.
int lg(double x) {
  int k = 0;
  while (std::ldexp(1.0, k) < x) ++k;
  return k;
}

double value_of(const Sum& sum, const Size& size) {
  double value = 0;
  for (const auto& [product, coefficient] : sum) value += product.at(size) * coefficient;
  return value;
}

double value_of(const Points& points, double n) {
  if (points.size() == 1) return points.front().second;
  const auto after = std::upper_bound(points.begin(), points.end(), n,
                                      [](double number, const auto& point) { return number < point.first; });
  // The points that n is between, or the last two, or the first two.
  const auto second = std::clamp(after, points.begin() + 1, points.end() - 1);
  const auto& [n0, y0] = *(second - 1);
  const auto& [n1, y1] = *second;
  return y0 + (y1 - y0) * (n - n0) / (n1 - n0);
}

}  // namespace

Product::Product(std::string_view text) {
  if (text == "1") return;
  if (const std::string_view product = inside(text, "sqrt("); !product.empty()) {
    root_ = true;
    text = product;
  }
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('*', start), text.size());
    factors_.push_back(factor_of(text.substr(start, end - start)));
    start = end + 1;
  }
}

Product::Factor Product::factor_of(std::string_view text) {
  if (const std::string_view letter = inside(text, "lg("); !letter.empty())
    return {size_of(letter, text), Function::lg, 1};
  if (const std::string_view letter = inside(text, "up("); !letter.empty())
    return {size_of(letter, text), Function::up, 1};
  const std::size_t hat = text.find('^');
  const std::string_view exponent = hat == std::string_view::npos ? "" : text.substr(hat);
  if (exponent == "^2" || exponent == "^3")
    return {size_of(text.substr(0, hat), text), Function::power, exponent == "^2" ? 2 : 3};
  return {size_of(text, text), Function::power, 1};
}

double Product::value_of(const Factor& factor, const Size& size) {
  const double x = size.*factor.size;
  switch (factor.function) {
    case Function::lg: return lg(x);
    case Function::up: return std::ldexp(1.0, lg(x));
    case Function::power: break;
  }
  double value = x;
  for (int i = 1; i < factor.exponent; ++i) value *= x;
  return value;
}

double Product::at(const Size& size) const {
  double value = 1;
  for (const Factor& factor : factors_) value *= value_of(factor, size);
  return root_ ? std::sqrt(value) : value;
}

double Formula::at(const Size& size, double n) const {
  if (!points_.empty()) return energy::value_of(points_, n);
  double greatest = energy::value_of(greatest_of_.front(), size);
  for (const Sum& sum : greatest_of_) greatest = std::max(greatest, energy::value_of(sum, size));
  return plus_.empty() ? greatest : greatest + energy::value_of(plus_, size);
}

}  // namespace starloom::energy
