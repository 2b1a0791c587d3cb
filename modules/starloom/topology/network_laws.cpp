// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/network_laws.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

/// Other names in the netlist and in waves.
constexpr std::string_view taken_names[] = {"fabric", "clk", "step"};
constexpr std::string_view link_prefix = "link_";

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

class Laws {
 public:
  explicit Laws(const NetworkTables& tables) : tables_(tables) {}

  void require_all() const {
    if (tables_.processors == 0)
      throw InputError("a network has at least one processor: switches alone create and consume nothing");
    if (tables_.arrangement && tables_.arrangement->nodes() != tables_.processors)
      throw InputError("the grid of the processors has " + std::to_string(tables_.arrangement->nodes()) +
                       " nodes, but there are " + std::to_string(tables_.processors) + " processors");
    require_port_names();
    require_names();
    require_links();
    require_neighbours();
  }
  void require_names() const {
    require_node_names();
    require_unique_names();
  }

 private:
  std::string located(NodeId node) const {
    return "node " + std::to_string(node) + " (" + escape(tables_.name(node)) + ")";
  }

  std::string located(NodeId node, Port out_port) const {
    return "out-port " + std::to_string(out_port) + " (" + tables_.out_port_name(node, out_port) + ") of " +
           located(node);
  }

  // -- Names --

  void require_port_names() const {
    std::vector<bool> seen(tables_.port_names.size(), false);
    for (NodeId node = 0; node < tables_.nodes; ++node) {
      const std::uint32_t naming = tables_.port_naming[static_cast<std::size_t>(node)];
      if (seen[naming]) continue;
      seen[naming] = true;
      require_port_names(node, "out-port", tables_.port_names[naming].out);
      require_port_names(node, "in-port", tables_.port_names[naming].in);
    }
  }

  void require_port_names(NodeId node, const std::string& side, const std::vector<std::string>& names) const {
    for (std::size_t port = 0; port < names.size(); ++port) {
      if (!is_identifier(names[port]))
        throw InputError(located(node) + ": the name of " + side + " " + std::to_string(port) + ", '" +
                         escape(names[port]) + "', is not made of letters, digits and _ with no digit first");
      const auto first = std::find(names.begin(), names.end(), names[port]) - names.begin();
      if (static_cast<std::size_t>(first) != port)
        throw InputError(located(node) + ": " + side + "s " + std::to_string(first) + " and " + std::to_string(port) +
                         " are both named " + names[port] + "; names must be unique");
    }
  }

  void require_node_names() const {
    for (NodeId node = 0; node < tables_.nodes; ++node) {
      const std::string_view name = tables_.name(node);
      if (std::find(std::begin(taken_names), std::end(taken_names), name) != std::end(taken_names))
        throw InputError(located(node) + ": the netlist and its waves have the name " + std::string(name) +
                         " already; name it node_" + std::string(name));
      if (starts_with(name, link_prefix))
        throw InputError(located(node) + ": names that begin with link_ are those of links; leave it out");
    }
  }

  /// Checks the names of nodes and of links. The name of a link is its node's stem followed by the name of its
  /// out-port, so two links can have the same name only if one stem is a prefix of the other. In alphabetical order,
  /// the stems that are prefixes of the next one are always among the last one and its own prefixes.
  void require_unique_names() const {
    std::vector<NodeId> order(static_cast<std::size_t>(tables_.nodes));
    std::iota(order.begin(), order.end(), 0);
    const auto less = [this](NodeId a, NodeId b) {
      const int sign = stem(a).compare(stem(b));
      return sign != 0 ? sign < 0 : a < b;
    };
    if (!std::is_sorted(order.begin(), order.end(), less)) std::sort(order.begin(), order.end(), less);
    std::vector<NodeId> beginnings;
    for (const NodeId node : order) {
      while (!beginnings.empty() && !starts_with(stem(node), stem(beginnings.back()))) beginnings.pop_back();
      for (const NodeId shorter : beginnings) require_other_names(shorter, node);
      beginnings.push_back(node);
    }
  }

  std::string_view stem(NodeId node) const { return name_stem(tables_.name(node)); }

  void require_other_names(NodeId shorter, NodeId longer) const {
    if (tables_.name(shorter) == tables_.name(longer))
      throw InputError("nodes " + std::to_string(shorter) + " and " + std::to_string(longer) + " are both named " +
                       std::string(tables_.name(shorter)) + "; names must be unique");
    const std::string_view rest = stem(longer).substr(stem(shorter).size());
    if (rest.empty())
      throw InputError(located(shorter) + " and " + located(longer) +
                       " would give their links the same names (without the leading node_); rename one of them");
    if (rest.front() != '_') return;
    for (const Port port : out_ports(longer)) {
      const std::string same = std::string(rest.substr(1)).append("_").append(tables_.out_port_name(longer, port));
      for (const Port other : out_ports(shorter))
        if (tables_.out_port_name(shorter, other) == same)
          throw InputError("the links through " + located(shorter, other) + " and through " + located(longer, port) +
                           " would both be named link_" + std::string(stem(shorter)) + "_" + same +
                           "; rename a node or a port");
    }
  }

  PortSet out_ports(NodeId node) const { return tables_.ports_in(tables_.out_ports, node); }

  // -- Links --

  void require_links() const {
    if (tables_.nodes == 1) return;
    for (NodeId node = 0; node < tables_.nodes; ++node)
      if (out_ports(node).empty() && tables_.ports_in(tables_.in_ports, node).empty())
        throw InputError(located(node) + " has no link; join it to another node, or leave it out");
  }

  void require_neighbours() const {
    std::vector<NodeId> processors;
    for (NodeId number = 0; number < tables_.processors; ++number) processors.push_back(tables_.processor_at(number));
    const std::vector<std::int32_t> from = searched_distances_from(tables_, processors);
    const std::vector<std::int32_t> to = searched_distances_to(tables_, processors);
    for (NodeId node = 0; node < tables_.nodes; ++node)
      if (from[static_cast<std::size_t>(node)] < 0 && to[static_cast<std::size_t>(node)] < 0)
        throw InputError(located(node) + ", a switch, is not connected to any processor; connect it, or leave it out");
  }

  const NetworkTables& tables_;
};

}  // namespace

bool is_identifier(std::string_view name) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return digit(c) || letter(c); });
}

void require_laws(const NetworkTables& tables) { Laws(tables).require_all(); }
void require_names(const NetworkTables& tables) { Laws(tables).require_names(); }

}  // namespace starloom
