// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Data that all checkers of the referee share: the network, the facts of packets, and the text of a broken
/// rule.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <starloom/referee/breach.hpp>
#include <starloom/referee/links/referee.hpp>

namespace starloom::links {

/// Reserves memory for `more` elements, so that many small extensions stay fast.
template <class T>
void make_room(std::vector<T>& list, std::size_t more) {
  const std::size_t needed = list.size() + more;
  if (needed > list.capacity()) list.reserve(std::max(needed, 2 * list.capacity()));
}

class CheckContext {
 public:
  CheckContext(NetworkGraph graph, RefereeRules rules);

  const NetworkGraph& graph() const { return graph_; }
  const RefereeRules& rules() const { return rules_; }
  bool foreign(NodeId node) const { return !foreign_.empty() && foreign_[static_cast<std::size_t>(node)]; }

  std::size_t link_slots() const { return far_.size(); }  ///< of links, including those missing at borders
  bool has_node(NodeId node) const { return node >= 0 && node < nodes_; }
  bool has_port(Port port) const { return port >= 0 && port < ports_; }
  LinkId link(NodeId node, Port port) const { return node * ports_ + port; }
  NodeId near_end(LinkId link) const { return link / ports_; }
  Port near_port(LinkId link) const { return link % ports_; }
  /// The node behind a link, or `no_node` if there is none.
  NodeId far_end(LinkId link) const { return far_[static_cast<std::size_t>(link)]; }
  Step latency(LinkId link) const { return at_once_ ? 1 : graph_.latency(near_end(link), link % ports_); }
  Step wire_latency(LinkId link) const { return graph_.wire_latency(near_end(link), link % ports_); }
  Step interval(LinkId link) const { return graph_.interval(near_end(link), link % ports_); }
  std::string link_name(LinkId link) const { return graph_.link_name(near_end(link), link % ports_); }
  std::string node_name(NodeId node) const { return graph_.node_name(node); }
  bool is_switch(NodeId node) const { return switches_ && graph_.role(node) == NodeRole::switch_node; }

  /// Reserves memory for this number of new packets; a whole run announced in one call takes no more than it
  /// needs.
  void expect(std::size_t packets) {
    make_room(packets_, packets);
    make_room(delivered_, packets);
  }
  /// Returns its number: its own, or the next one.
  PacketId announce(const Packet& packet);
  /// Packets are known from `first` to `packets`; earlier ones have been checked.
  PacketId first() const { return first_; }
  PacketId packets() const { return first_ + static_cast<PacketId>(packets_.size()); }
  /// The index of a packet in lists of the known ones.
  std::size_t at(PacketId packet) const { return static_cast<std::size_t>(packet - first_); }
  void remove_before(PacketId first) {
    const auto gone = static_cast<std::ptrdiff_t>(at(first));
    packets_.erase(packets_.begin(), packets_.begin() + gone);
    delivered_.erase(delivered_.begin(), delivered_.begin() + gone);
    first_ = first;
  }
  const Packet& packet(PacketId packet) const { return packets_[at(packet)]; }
  /// A packet for its own node that is delivered in its processor: it has no rows.
  bool stays_home(PacketId packet) const {
    return !rules_.routes_own && this->packet(packet).source == this->packet(packet).destination;
  }
  /// The step of the last `eject` row when all flits have one; before that, `no_step`.
  Step delivered(PacketId packet) const { return delivered_[at(packet)]; }
  void deliver(PacketId packet, Step step) { delivered_[at(packet)] = step; }

  /// A row breaks a rule. `text` continues "packet 3, flit 0 ".
  [[noreturn]] void reject(const TraceRow& row, const std::string& text) const;
  /// A flit that a row should have moved breaks a rule.
  [[noreturn]] void reject(Step step, NodeId node, PacketId packet, std::int32_t flit, const std::string& text) const;
  /// A node or the whole network breaks a rule.
  [[noreturn]] static void reject(Step step, NodeId node, const std::string& location, const std::string& text);

 private:
  void check_group(const Packet& packet, const std::string& name) const;

  const NetworkGraph graph_;
  const RefereeRules rules_;
  // Copies of the graph's values, because every row needs them.
  const NodeId nodes_;
  const int ports_;
  const bool switches_;        ///< the network has switches
  const bool at_once_;         ///< all links have latency 1
  std::vector<bool> foreign_;  ///< [node]; empty if there are none
  std::vector<NodeId> far_;    ///< [link]: the tables of the graph also have ports, and would not fit into the cache
  PacketId first_ = 0;
  std::vector<Packet> packets_;  ///< [packet - first_]
  std::vector<Step> delivered_;  ///< [packet - first_]
};

}  // namespace starloom::links
