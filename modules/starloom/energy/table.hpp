// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Energy tables: what the components of routers and links cost in a technology (docs/energy.md).
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/energy/formula.hpp>

namespace starloom::energy {

/// The components that a table has in its section `energy`, all but the last one required.
inline constexpr std::array<std::string_view, 8> energy_components = {
    "buffer_write", "buffer_read", "crossbar", "clock", "register", "link", "arbiter", "route"};
/// The same in its sections `leakage` and `area`.
inline constexpr std::array<std::string_view, 7> silicon_components = {
    "buffer", "crossbar", "switch_allocator", "channel_allocator", "clock", "register", "link"};

/// A formula and its place in the file of its table, counted from 1; 0 in a built-in table.
struct Entry {
  Formula formula;
  std::size_t line = 0, column = 0;
};
/// A section of a table: formulas by component.
struct Section {
  double unit = 1000;  ///< of its values, in aJ, nW or 10^-3 um2
  std::map<std::string, Entry, std::less<>> components{};

  const Entry& at(std::string_view component) const { return components.find(component)->second; }
  bool has(std::string_view component) const { return components.find(component) != components.end(); }
};

/// A table, complete: each section has its required components.
struct Table {
  std::string name;
  std::string source;  ///< where its numbers come from
  std::string file{};  ///< for messages; empty if it is built in
  std::string text{};  ///< of the file
  // The conditions under which its numbers hold; voltage and temperature: unknown if empty.
  std::optional<double> node_nm{}, vdd{}, temperature_k{};
  double activity = 0.5;
  /// Sizes (`W`, `N`, `P`, `V`) for which its numbers are known to hold, both ends included.
  std::map<char, std::pair<double, double>> ranges{};
  Section energy{}, leakage{}, area{};
};

/// The names of the built-in tables.
const std::vector<std::string>& built_in_tables();
/// A built-in table by its name.
Table built_in_table(const std::string& name);

}  // namespace starloom::energy
