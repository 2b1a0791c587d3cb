// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Butterflies.
#include <cstdint>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A k-ary n-fly (Dally, Towles, "Principles and Practices of Interconnection Networks", 2004, 4.1): k^n processors
/// and n stages of k^(n-1) switches of k in-ports and k out-ports. k is the arity, n the number of stages.
/// Arithmetic, no tables.
///
/// Links are one-way: every processor sends into stage 0 and receives from the last stage, so a processor is both
/// ends of the figure in the book, which draws it twice. Every path has n + 1 links, that to a neighbour as well, and
/// each pair has one path: the switch of stage s takes the out-port that is digit n-1-s of the destination.
///
/// Numbers. Processors are nodes 0 .. k^n-1. The switch w of stage s is node k^n + s*k^(n-1) + w. In front of each
/// stage are k^n lines; line x enters its switch x / k through in-port x mod k, and the line behind that switch's
/// out-port q is (x / k) * k + q. Processor x feeds line x of stage 0. Behind stage s, the digits 0 and n-1-s of the
/// line's number are exchanged (digit 0 is the lowest, base k), which gives the line of stage s+1; behind the last
/// stage, line x ends in processor x.
///
/// Therefore the switch w of stage s has in the highest s digits of k*w those of the destinations that it leads to,
/// and below them, down to digit 1, those of the sources that lead to it.
class Butterfly {
 public:
  static constexpr std::int64_t least_arity = 2;
  static constexpr std::int64_t most_arity = 32;

  /// \throws InputError if the arity is not 2 to 32, the stages are below 1, or there are more nodes than a graph can
  /// number.
  Butterfly(std::int64_t arity, std::int64_t stages);

  std::int32_t arity() const { return arity_; }
  int stages() const { return stages_; }
  NodeId processors() const { return switches_ * arity_; }
  NodeId switches_per_stage() const { return switches_; }
  NodeId nodes() const { return processors() + stages_ * switches_; }
  NetworkSize size() const;

  /// The stage of a switch; -1 for a processor.
  int stage(NodeId node) const { return node < processors() ? -1 : (node - processors()) / switches_; }
  /// The number of a switch in its stage; that of a processor is its own.
  NodeId number(NodeId node) const { return node < processors() ? node : (node - processors()) % switches_; }
  NodeId switch_at(int stage, NodeId number) const { return processors() + stage * switches_ + number; }
  /// k^exponent; 0 to n.
  NodeId power(int exponent) const;
  /// The digit of a line's or processor's number, of base k; digit 0 is the lowest.
  std::int32_t digit(NodeId number, int position) const { return number / power(position) % arity_; }

  /// The line in front of stage s+1 to which the line behind stage s leads.
  NodeId exchanged(NodeId line, int stage) const;
  /// The out-port of a switch towards a processor, if a path leads there without passing processors.
  Port port_towards(NodeId switch_node, NodeId processor) const {
    return digit(processor, stages_ - 1 - stage(switch_node));
  }

  /// n + 1 between processors; also exact for switches, whose shortest paths may pass processors.
  std::int32_t distance(NodeId from, NodeId to) const;
  std::int32_t diameter() const { return stages_ + 1; }

 private:
  /// True if two numbers have the same digits from position `first` up to below `end`.
  bool agree(NodeId a, NodeId b, int first, int end) const;

  std::int32_t arity_;
  int stages_;
  NodeId switches_;  ///< a stage
};

/// `Butterfly(arity, stages).size()` for any numbers, without the limits of the constructor.
NetworkSize butterfly_size(std::int64_t arity, std::int64_t stages);

/// Names `proc_p05`, `switch_s1_03`; out-ports `out0`, ..., in-ports `in0`, ...; a processor has one of each.
/// Processors are drawn in the top row, with one row per stage below; the links of the last stage lead up again.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_butterfly(const Butterfly& butterfly, std::int32_t link_latency = 1);

}  // namespace starloom
