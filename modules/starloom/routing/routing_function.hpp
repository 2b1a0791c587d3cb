// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface of routing functions.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/routing/channel_classes.hpp>

namespace starloom::routing {

/// A head flit at the front of a channel of an in-port. The local port, from and to the processor, has the number
/// after the last port of a link: NetworkGraph::ports().
struct Head {
  NodeId node = no_node;
  Port in_port = no_port;
  int in_channel = 0;  ///< number within the port
  NodeId destination = no_node;
  /// Random choice at the source, kept by the packet, below `RoutingFunction::random_choices`; with
  /// `RoutingFunction::decides`, the decision of the router of its source.
  std::uint32_t random_choice = 0;
};

/// The load of the out-ports of a router, as far as it knows, at the beginning of a step.
class PortLoad {
 public:
  virtual ~PortLoad() = default;
  /// Places in all buffers behind an out-port that are not free: with a flit in them or on the way there, or whose
  /// credit is on the way back.
  virtual int used_places(Port port) const = 0;
};

/// Channels first .. first + count - 1 of an out-port.
struct Choice {
  Port port;
  int first;
  int count;
  /// 0: a head may wait for these channels indefinitely. Greater: they are preferred, the greatest first, but are
  /// allocated only if the buffer behind them is empty or has room for the whole packet. A head that got one can
  /// therefore go on to the front of a buffer, where it can request the escape channel (J. Duato, IEEE Trans.
  /// Parallel and Distributed Systems 4(12), 1993, requires empty buffers; S. Ma, N. Enright Jerger and Z. Wang, HPCA
  /// 2012, room for the whole packet). Routers in which heads request all choices do not keep this rule
  /// (BuiltInSelection::all).
  int priority;
  /// Relative number of packets that take the port, in the choices of `RoutingFunction::every_path`; the same in all
  /// choices of the port. Without an initial value, like all of them: a list of choices is made for each head.
  int weight;

  ChannelRange channels() const { return {first, count}; }
};

/// The out-ports and channels that a head may take: disjoint, and all with a link.
class Choices {
 public:
  static constexpr std::size_t most = 2 * (max_ports + 1);

  /// \throws std::length_error for more than `most`.
  void add(Port port, int first, int count, int priority = 0, int weight = 1) {
    if (size_ == most) refuse_more();
    list_[size_++] = {port, first, count, priority, weight};
  }
  void clear() {
    size_ = 0;
    tolerance_ = 0;
  }
  /// Lets the selection `least-occupied` take the first choice that has at most this number of credits less than the
  /// best one, and at least half of its credits.
  void tolerate(int credits) { tolerance_ = credits; }
  int tolerance() const { return tolerance_; }
  /// Turns all present choices into preferred ones, of priority 1.
  void prefer_all() {
    for (std::size_t i = 0; i < size_; ++i) list_[i].priority = 1;
  }
  std::size_t size() const { return size_; }
  const Choice* begin() const { return list_.data(); }
  const Choice* end() const { return list_.data() + size_; }

 private:
  [[noreturn]] static void refuse_more();

  std::size_t size_ = 0;
  int tolerance_ = 0;
  std::array<Choice, most> list_;
};

class PairsWithoutPath;

/// A routing function: fixed for a network, with the same result in every call. If it always offers two channels of a
/// port together, it does not distinguish them as `in_channel` either.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;
  /// Adds to `choices`, which is empty, the choices of the head: at least one of priority 0, or none if the function
  /// knows faults and has no path from there. After a change of functions, heads may ask where no path leads.
  virtual void route(const Head& head, Choices& choices) const = 0;
  /// Each packet makes a random choice below this number at its source; 1: no choice.
  virtual std::uint32_t random_choices() const { return 1; }
  /// The number of different choices of packets from `source` to `destination`, all with the same probability.
  virtual std::uint32_t random_choices_between(NodeId /*source*/, NodeId /*destination*/) const {
    return random_choices();
  }
  /// Their choice with a number below that.
  virtual std::uint32_t random_choice_between(NodeId /*source*/, NodeId /*destination*/, std::uint32_t number) const {
    return number;
  }
  /// False if the packets of every pair of source and destination have only one choice.
  virtual bool draws() const { return random_choices() > 1; }
  /// The function that offers a head every choice that it may have, whatever the seed and the random choice of its
  /// packet, which has none there; of channels that make no difference, one may be enough. Proofs follow it. Null: the
  /// choices are those of all random choices together.
  virtual const RoutingFunction* every_path() const { return nullptr; }
  /// If there is an `every_path`: true if packets choose independently in each node, by the weights of its choices.
  virtual bool chooses_in_nodes() const { return false; }
  /// True if routers decide by their load how packets that start there go on: `decision`.
  virtual bool decides() const { return false; }
  /// If `decides`: the random choice with which a packet goes on, one of those that it can make. Called once for each
  /// head in each router, in the last step of routing (with look-ahead routing, in the step in which it comes to the
  /// front). Changes it only in the router of its source.
  virtual std::uint32_t decision(const Head& head, const PortLoad& /*load*/) const { return head.random_choice; }
  /// The channels of the local in-port, of those in `all`, that the processor may use for a packet; `head` is that
  /// packet there.
  virtual ChannelRange source_channels(const Head& /*head*/, const ChannelRange& all) const { return all; }
  /// Appends what `route` and `on_first_phase` see of an `in_channel`, the same for channels that make no difference.
  /// With other numbers of channels, heads go on as from a channel with the same marks. Functions that do not look at
  /// `in_channel` append none.
  virtual void mark_channel(int /*channel*/, std::vector<int>& /*marks*/) const {}
  /// True if a head may have several choices, of which the router selects one (control/router_parts.hpp).
  virtual bool adaptive() const { return false; }
  /// The pairs between which it has no path: `route` is not called with their heads. Null: all pairs have one.
  virtual const PairsWithoutPath* without_path() const { return nullptr; }
  /// [layer] Pairs whose packets stay in the channels of the layer; empty if there are none.
  virtual std::vector<std::int64_t> pairs_of_layers() const { return {}; }
  /// Memory of its tables.
  virtual double table_bytes() const { return 0; }
  /// True if packets go in two phases: first to an intermediate destination that they chose at random, then to their
  /// destination. All paths are then determined by the first phases to all intermediate nodes and the second phases
  /// to all destinations, so that an analysis need not combine the two; unless their random choices depend on source
  /// and destination.
  virtual bool in_phases() const { return false; }
  /// If `in_phases`: true if a head is in its first phase. There the choices do not depend on the destination, and
  /// after it not on the intermediate destination.
  virtual bool on_first_phase(const Head& /*head*/) const { return false; }
};

}  // namespace starloom::routing
