// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/graph/graph_draft.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
std::string GraphDraft::named(NodeId node) const { return names_[static_cast<std::size_t>(node)]; }

void GraphDraft::set_nodes(std::vector<Node> nodes) {
  const auto count = static_cast<std::int64_t>(nodes.size());
  try {
    builder_.expect(static_cast<NodeId>(nodes.size()), 1);
  } catch (const InputError& refusal) {
    add_error({}, refusal.what());
  }
  names_.reserve(nodes.size());
  numbers_.reserve(nodes.size());
  for (Node& node : nodes) {
    const auto number = static_cast<NodeId>(locations_.size());
    const std::string plain = "node_" + padded(number, count);
    std::string name = node.name.empty() ? plain : node.name;
    const auto [earlier, fresh] = numbers_.emplace(name, number);
    if (!fresh)
      add_error(node.where, "the node " + name + " is already defined at " +
                                file_.location(locations_[static_cast<std::size_t>(earlier->second)].line,
                                               locations_[static_cast<std::size_t>(earlier->second)].column) +
                                "; names must be unique");
    try {
      builder_.add_node(node.role, name, node.location);
    } catch (const InputError& refusal) {
      add_error(node.where, refusal.what());
      builder_.add_node(node.role, plain);  // its links are checked nevertheless
    }
    locations_.push_back(node.where);
    if (node.role != NodeRole::switch_node) {
      processors_.push_back(node.location.value_or(PaperPosition{}));
      all_placed_ = all_placed_ && node.location;
    }
    names_.push_back(std::move(name));
  }
  linked_.assign(locations_.size(), false);
}

std::optional<NodeId> GraphDraft::node(FileLocation where, const std::string& text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  // A graph without nodes has been refused before.
  if (nodes() == 0) return std::nullopt;
  const std::string nodes_are = "the nodes are 0 to " + std::to_string(nodes() - 1) + ", or their names";
  if (const auto number = parse_integer(text)) {
    if (*number >= 0 && *number < nodes()) return static_cast<NodeId>(*number);
    add_error(where, text + " is not a node; " + nodes_are);
    return std::nullopt;
  }
  const std::string near = did_you_mean(text, names_);
  add_error(where, "'" + text + "' is not a node" + (near.empty() ? "; " + nodes_are : near));
  return std::nullopt;
}

bool GraphDraft::add_link(FileLocation where, LinkEnd from, LinkEnd to, LinkTiming timing) {
  for (const NodeId node : {from.node, to.node})
    if (node >= 0 && node < nodes()) linked_[static_cast<std::size_t>(node)] = true;
  try {
    builder_.add_link(from, to, timing);
  } catch (const InputError& refusal) {
    add_error(where, refusal.what());
    return false;
  }
  return true;
}

void GraphDraft::require_links() {
  if (nodes() == 1) return;
  for (NodeId node = 0; node < nodes(); ++node)
    if (!linked_[static_cast<std::size_t>(node)])
      add_error(locations_[static_cast<std::size_t>(node)],
                named(node) + " has no link; join it to another node, or leave it out");
}

/// Rows and columns of the positions, if the processors fill them row by row.
std::optional<Grid> GraphDraft::arrangement() const {
  if (!all_placed_ || processors_.empty()) return std::nullopt;
  std::set<double> columns, rows;
  for (const PaperPosition& location : processors_) {
    columns.insert(location.x);
    rows.insert(location.y);
  }
  if (columns.size() * rows.size() != processors_.size()) return std::nullopt;
  std::size_t next = 0;
  for (const double y : rows)
    for (const double x : columns) {
      if (processors_[next].x != x || processors_[next].y != y) return std::nullopt;
      ++next;
    }
  return Grid::mesh({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size())});
}

NetworkGraph GraphDraft::build() {
  if (!file_.has_errors()) require_links();
  file_.stop_if_invalid();
  if (auto grid = arrangement()) builder_.set_arrangement(std::move(*grid));
  try {
    return builder_.build();
  } catch (const InputError& broken_law) {
    add_error({}, broken_law.what());
  }
  file_.stop_if_invalid();
  throw std::logic_error("a fault that was noted is gone");
}

}  // namespace starloom
