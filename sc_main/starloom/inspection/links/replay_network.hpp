// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network of links in the form that the page of a replay draws.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom::links {

/// Nodes have the positions of `starloom draw`, in cells from the left and the top.
class ReplayNetwork {
 public:
  explicit ReplayNetwork(const LinkNetwork& network);

  /// Adds `nodes` (names), `x`, `y`, `processors` (their number if they are the first nodes, else a list of roles),
  /// `ports` (their names by number, as far as they are the same in all nodes) and `links`.
  void describe(nlohmann::ordered_json& facts) const;
  /// By number.
  const std::vector<std::string>& link_names() const { return names_; }
  /// One more than the number of a link, or 0 for another text.
  std::uint64_t link_by_name(const std::string& name) const;

 private:
  const LinkNetwork& network_;
  std::vector<std::string> names_{};
  std::unordered_map<std::string, std::uint64_t> numbers_{};  ///< looked up by name, never iterated
};

}  // namespace starloom::links
