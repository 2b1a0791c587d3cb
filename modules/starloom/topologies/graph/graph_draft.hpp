// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network while it is read from a file, with the location of each error.
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/schema/data_file.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

/// A location in a file, counted from 1.
struct FileLocation {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Nodes first, then links; an erroneous part is reported and omitted, so that the rest can be checked.
class GraphDraft {
 public:
  struct Node {
    FileLocation where{};
    NodeRole role = NodeRole::processor;
    std::string name{};  ///< empty: `node_03`, by its number
    std::optional<PaperPosition> location{};
  };

  explicit GraphDraft(DataFile& file) : file_(file) {}

  bool has_errors() const { return file_.has_errors(); }
  void add_error(FileLocation where, const std::string& text) { file_.add_error(where.line, where.column, text); }

  /// Adds all nodes; afterwards their names and numbers are known.
  void set_nodes(std::vector<Node> nodes);
  NodeId nodes() const { return static_cast<NodeId>(locations_.size()); }
  /// The node with a name, or with a number written in decimal; adds an error if there is none.
  std::optional<NodeId> node(FileLocation where, const std::string& text);
  /// Ports may be NetworkGraphBuilder::lowest_free. \return false if the link was refused.
  bool add_link(FileLocation where, LinkEnd from, LinkEnd to, LinkTiming timing);

  /// \throws DataFileError with all errors added and found.
  NetworkGraph build();

 private:
  void require_links();
  std::string named(NodeId node) const;
  std::optional<Grid> arrangement() const;

  DataFile& file_;
  NetworkGraphBuilder builder_;
  std::vector<std::string> names_;                   ///< [node]
  std::unordered_map<std::string, NodeId> numbers_;  ///< by name; never iterated
  std::vector<FileLocation> locations_;              ///< [node] in the file
  std::vector<PaperPosition> processors_;            ///< positions on paper, if all processors have one
  bool all_placed_ = true;
  std::vector<bool> linked_;  ///< [node]
};

}  // namespace starloom
