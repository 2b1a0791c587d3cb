// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Errors of a file as a message of bounded length, for any number of errors.
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <starloom/support/escape.hpp>

namespace starloom {

/// The first errors of a file by location, in the order of their addition if equal, and the number of the others.
/// `Location` is ordered.
template <class Location>
class DiagnosticList {
 public:
  static constexpr std::size_t most = 20;

  void add(const Location& location, const std::string& line) {
    ++count_;
    first_.emplace(location, shortened(line));
    if (first_.size() > most) first_.erase(std::prev(first_.end()));
  }
  bool any() const { return count_ > 0; }
  /// A line for each, and the number of further ones.
  std::string text() const {
    std::string text;
    for (const auto& [location, line] : first_) text += (text.empty() ? "" : "\n") + line;
    if (count_ > most) text += "\nand " + std::to_string(count_ - most) + " more";
    return text;
  }

 private:
  std::size_t count_ = 0;
  std::multimap<Location, std::string> first_;
};

}  // namespace starloom
