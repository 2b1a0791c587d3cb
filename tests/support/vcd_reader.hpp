// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A strict reader of value change dumps: what GTKWave's own tools let pass, this one refuses.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// A variable and its values: binary digits without leading zeros, or one letter 'x' or 'z' for all bits; of a real
/// variable, decimal numbers.
struct VcdVariable {
  std::string path;  ///< scopes and name, joined by dots, without bits: `network.link_r00_c00_east.packet`
  int width = 0;
  bool real = false;
  std::vector<std::pair<std::uint64_t, std::string>> changes;  ///< (time, value), times ascend

  /// The value at a time, "" before the first.
  std::string at(std::uint64_t time) const;
};

struct Vcd {
  std::string date;
  std::string time_unit;               ///< without blanks: "1ps"
  std::vector<VcdVariable> variables;  ///< in the order of the file
  std::uint64_t begin = 0;             ///< first and last time
  std::uint64_t end = 0;

  /// \throws std::runtime_error if there is no such variable.
  const VcdVariable& variable(const std::string& path) const;
};

/// \throws std::runtime_error with the error. All used parts of the format are checked: the order of its sections,
/// closed scopes, unique names and identifiers, widths, ascending times, values of declared variables, a first value
/// for every variable, no change to the same value, a complete last line.
Vcd read_vcd(const std::string& text);

}  // namespace starloom
