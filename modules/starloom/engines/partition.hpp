// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The division of a network into parts, one per thread, and the lanes at which parts write for each other.
#include <cstdint>
#include <vector>

#include <starloom/engines/wiring.hpp>

namespace starloom::links {

/// A network divided into parts of consecutive nodes. A node writes in a step at most to the far ends of its links,
/// so a part writes for its own nodes and for a few nodes of other parts. It writes at *lanes*, indices into the
/// masks of a step: each part has a lane for each node of its own and, apart from them, a *mirror* lane for each node
/// of other parts that a link joins with it. No two parts write to the same lane, nor to the same word of a bitmap of
/// lanes. When the step comes, a part reads the mirrors of its nodes in the lanes of the other parts.
class Partition {
 public:
  /// \param parts 1 to the number of nodes; with 1 the lane of a node is its number.
  /// \param with_step_sink the last part has fewer nodes, because its thread also serves the step sink.
  Partition(const Wiring& wiring, int parts, bool with_step_sink = false);

  struct Mirrors {
    std::size_t first_word = 0;  ///< mirror i is lane 64 * first_word + i
    std::vector<NodeId> nodes;   ///< in order of their mirrors, all of one part
    std::size_t words() const { return (nodes.size() + 63) / 64; }
  };
  struct Part {
    NodeId first = 0, last = 0;     ///< nodes `first` .. `last` - 1
    NodeId shift = 0;               ///< the lane of a node of this part is node + shift
    std::vector<Mirrors> mirrors;   ///< [other part] lanes at which this part writes for it
    std::vector<Mirrors> mirrored;  ///< [other part] lanes at which that part writes for this one

    bool has(NodeId node) const { return node >= first && node < last; }
    NodeId lane(NodeId node) const { return node + shift; }
    std::size_t first_word() const { return static_cast<std::size_t>(lane(first)) / 64; }
    std::size_t last_word() const { return static_cast<std::size_t>(lane(last) + 63) / 64; }  ///< past the end
  };

  std::size_t size() const { return parts_.size(); }
  const Part& operator[](std::size_t part) const { return parts_[part]; }
  /// The part of a node.
  std::size_t part_of(NodeId node) const;
  /// The lane at which a part writes for a node of its own, or for one that a link joins with one of its own.
  NodeId lane(const Part& writer, NodeId node) const;
  /// The number of lanes, including unused ones.
  std::size_t lanes() const { return lanes_; }

 private:
  std::vector<Part> parts_;
  std::size_t lanes_ = 0;
};

}  // namespace starloom::links
