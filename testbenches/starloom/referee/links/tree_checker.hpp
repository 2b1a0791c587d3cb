// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The copies of packets to several destinations.
#include <map>
#include <vector>

#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Follows every flit of a packet to several destinations along the tree of its group (RefereeRules::trees): from each
/// node that it reaches it leaves once through each port of the tree there, not before it is readable, and behind the
/// flits before it. A broken rule is thrown as a Breach.
class TreeChecker {
 public:
  /// \throws std::invalid_argument if a tree is not one, or does not end in the destinations of its group.
  explicit TreeChecker(const CheckContext& context);

  void inject(const TraceRow& row);
  void hop(const TraceRow& row, LinkId link);
  /// \return true if all flits have been consumed at all destinations.
  bool consume(const TraceRow& row);
  /// True if a flit that has just left its node, has left it through all ports of the tree.
  bool has_left(const TraceRow& row) const;
  /// The link over which a packet came to a node; -1: none, it was injected there.
  LinkId link_to(PacketId packet, NodeId node) const;
  /// A node from which a packet in the network has not left through all ports of the tree.
  NodeId location(PacketId packet) const;

 private:
  struct AtNode {
    LinkId link = -1;                    ///< over which the packet comes
    std::vector<Step> readable{};        ///< [flit]
    std::map<Port, std::size_t> left{};  ///< flits that have left, by port
  };
  struct Copies {
    std::map<NodeId, AtNode> nodes{};
    std::int64_t consumed = 0;  ///< flits, at all destinations
  };

  const MulticastTree& tree(PacketId packet) const;
  void leave(const TraceRow& row, Port port);

  const CheckContext& context_;
  std::map<PacketId, Copies> packets_;  ///< in the network
};

}  // namespace starloom::links
