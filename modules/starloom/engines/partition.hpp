// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which nodes are run by one thread, and where it writes what is meant for others.
#include <cstdint>
#include <vector>

#include <starloom/engines/wiring.hpp>

namespace starloom::links {

/// A network cut into parts of nodes that follow each other. What a node does in a step ends at the far ends of its
/// links, so a part writes for its own nodes, and for a few of others. Whoever writes does it at *places*, positions
/// in the masks of a step: each part has a place for each node of its own and, apart from them, one for each node of
/// others that a link joins with it, its *mirror*. No two parts write at one place, nor in one word of a bitmap of
/// places. A part takes what stands in the mirrors of its nodes when the step has come for which it is meant.
class Partition {
 public:
  /// \param parts 1 to the number of nodes; with 1 the place of a node is its number.
  /// \param with_step_sink the last part has fewer nodes, because its thread also serves the step sink.
  Partition(const Wiring& wiring, int parts, bool with_step_sink = false);

  struct Mirrors {
    std::size_t first_word = 0;  ///< mirror i is place 64 * first_word + i
    std::vector<NodeId> nodes;   ///< all of one part
    std::size_t words() const { return (nodes.size() + 63) / 64; }
  };
  struct Part {
    NodeId first = 0, last = 0;     ///< nodes `first` .. `last` - 1
    NodeId shift = 0;               ///< the place of a node of its own is node + shift
    std::vector<Mirrors> mirrors;   ///< [other part] where this one writes for its nodes
    std::vector<Mirrors> mirrored;  ///< [other part] where that one writes for nodes of this

    bool has(NodeId node) const { return node >= first && node < last; }
    NodeId lane(NodeId node) const { return node + shift; }
    std::size_t first_word() const { return static_cast<std::size_t>(lane(first)) / 64; }
    std::size_t last_word() const { return static_cast<std::size_t>(lane(last) + 63) / 64; }  ///< one behind
  };

  std::size_t size() const { return parts_.size(); }
  const Part& operator[](std::size_t part) const { return parts_[part]; }
  /// The part of a node.
  std::size_t part_of(NodeId node) const;
  /// Where a part writes for a node: its own, or one that a link joins with one of its own.
  NodeId lane(const Part& writer, NodeId node) const;
  /// All places; some mean nothing.
  std::size_t lanes() const { return lanes_; }

 private:
  std::vector<Part> parts_;
  std::size_t lanes_ = 0;
};

}  // namespace starloom::links
