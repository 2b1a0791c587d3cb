// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Fat trees.
#include <cstdint>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A k-ary n-tree (Petrini, Vanneschi, "k-ary n-trees", 1997): k^n processors, and above them n levels of k^(n-1)
/// switches. k is the arity, n the number of levels. Arithmetic, no tables.
///
/// Numbers. Processors are nodes 0 .. k^n-1. The switch w of level l, 0 being the lowest, is node k^n + l*k^(n-1) +
/// w; w is read as n-1 digits of base k, digit 0 the lowest.
///
/// Ports of a switch: down 0..k-1, up k..2k-1; the top level has no up ports. In-port q faces the same neighbour as
/// out-port q. Processor p has port 0 to the switch p/k of level 0, which leads to it through port p mod k. Port k+j
/// of a switch of level l leads up to the switch of level l+1 with the same digits, except that digit l is j; the
/// port of that switch that leads back has the number of the lower switch's digit l.
///
/// Therefore a switch of level l has below it the processors p with p / k^(l+1) = w / k^l.
class FatTree {
 public:
  static constexpr std::int64_t least_arity = 2;
  static constexpr std::int64_t most_arity = max_ports / 2;

  /// \throws InputError if the arity is not 2 to `most_arity`, the levels are below 1, or there are more nodes than a
  /// graph can number.
  FatTree(std::int64_t arity, std::int64_t levels);

  std::int32_t arity() const { return arity_; }
  int levels() const { return levels_; }
  NodeId processors() const { return switches_ * arity_; }
  NodeId switches_per_level() const { return switches_; }
  NodeId nodes() const { return processors() + levels_ * switches_; }
  NetworkSize size() const;

  /// The level of a switch; -1 for a processor.
  int level(NodeId node) const { return node < processors() ? -1 : (node - processors()) / switches_; }
  /// The number of a switch in its level; that of a processor is its own.
  NodeId number(NodeId node) const { return node < processors() ? node : (node - processors()) % switches_; }
  NodeId switch_at(int level, NodeId number) const { return processors() + level * switches_ + number; }
  /// The digit of a number, of base k; digit 0 is the lowest.
  std::int32_t digit(NodeId number, int position) const { return number / power(position) % arity_; }
  /// k^exponent; 0 to n-1.
  NodeId power(int exponent) const;

  /// True if the processor is below the switch, at any depth.
  bool above(NodeId switch_node, NodeId processor) const {
    const int l = level(switch_node);
    return processor / arity_ / power(l) == number(switch_node) / power(l);
  }
  /// The down port that leads from a switch towards a processor below it.
  Port down_port(NodeId switch_node, NodeId processor) const { return digit(processor, level(switch_node)); }
  /// The up port of a switch below the top to the switch that has digit `digit` in the position of its level.
  Port up_port(std::int32_t digit) const { return arity_ + digit; }

  /// 2 * (level of the nearest common ancestor + 1) between processors; exact for switches, too.
  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const { return 2 * levels_; }

 private:
  std::int32_t arity_;
  int levels_;
  NodeId switches_;  ///< a level
};

/// `FatTree(arity, levels).size()` for any numbers, without the limits of the constructor.
NetworkSize fat_tree_size(std::int64_t arity, std::int64_t levels);

/// Names `proc_p05`, `switch_l1_03`; ports `up`; `down0`, ..., `up0`, ... Processors are drawn in the bottom row,
/// each level above the one before it, every switch of the lowest level over the middle of its processors.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_fat_tree(const FatTree& tree, std::int32_t link_latency = 1);

}  // namespace starloom
