// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where a head may go: the interface of routing functions.
#include <array>
#include <cstddef>
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom::routing {

/// A head at the front of a channel of an in-port. The local port, from and to the processor, has the number behind
/// the last port of a link: NetworkGraph::ports().
struct Head {
  NodeId node = no_node;
  Port in_port = no_port;
  int in_channel = 0;  ///< number within the port
  NodeId destination = no_node;
  std::uint32_t drawn =
      0;  ///< what the packet drew at its source and carries along, below `RoutingFunction::random_choices`
};

/// Channels first .. first + count - 1 of an out-port.
struct Choice {
  Port port;
  int first;
  int count;
  /// 0: a head may wait for these channels for ever. Greater: they are preferred, the greatest first, but are given
  /// only while the buffer behind them is empty or takes the whole packet, so that a head that has got one goes on,
  /// and stands where it can ask again (J. Duato, IEEE Trans. Parallel and Distributed Systems 4(12), 1993, asks for
  /// empty buffers; S. Ma, N. Enright Jerger and Z. Wang, HPCA 2012, for room for the whole packet).
  int priority;
};

/// The out-ports and channels that a head may take, any of them: disjoint, none without a link.
class Choices {
 public:
  static constexpr std::size_t most = 2 * (max_ports + 1);

  /// \throws std::length_error for more than `most`.
  void add(Port port, int first, int count, int priority = 0) {
    if (size_ == most) refuse_more();
    list_[size_++] = {port, first, count, priority};
  }
  void clear() { size_ = 0; }
  /// Makes all that are there preferred ones, of priority 1.
  void prefer_all() {
    for (std::size_t i = 0; i < size_; ++i) list_[i].priority = 1;
  }
  std::size_t size() const { return size_; }
  const Choice* begin() const { return list_.data(); }
  const Choice* end() const { return list_.data() + size_; }

 private:
  [[noreturn]] static void refuse_more();

  std::size_t size_ = 0;
  std::array<Choice, most> list_;
};

/// A routing function: fixed for a network, and the same whenever it is asked. Channels of a port that it never
/// offers one without the other are alike to it as `in_channel`, too.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;
  /// Adds to `choices`, which is empty, where the head may go: at least one choice of priority 0.
  virtual void route(const Head& head, Choices& choices) const = 0;
  /// Each packet draws a number below this at its source, all with the same probability; 1: none does.
  virtual std::uint32_t random_choices() const { return 1; }
  /// Heads may have several choices, of which the router selects one (control/router_parts.hpp).
  virtual bool adaptive() const { return false; }
  /// Of the tables that it keeps.
  virtual double table_bytes() const { return 0; }
  /// Packets go in two legs: first to the place that they drew, then to their destination. So all ways are known from
  /// the first legs to all that can be drawn, and the last legs to all destinations; nobody need look at both at
  /// once.
  virtual bool in_phases() const { return false; }
  /// If `in_phases`: whether a head is on its first leg. There the choices do not depend on the destination, and
  /// behind it not on what was drawn.
  virtual bool on_first_phase(const Head& /*head*/) const { return false; }
};

}  // namespace starloom::routing
