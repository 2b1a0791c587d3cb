// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Messages and events that wait for each other, as an input file lists them.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <starloom/core/packet.hpp>

namespace starloom {

/// A message, or an event, which has no flits: a computation, or the completion of several other items.
struct Item {
  NodeId source = no_node;       ///< of an event: its node
  NodeId destination = no_node;  ///< of an event: its node
  std::int32_t flits = 1;        ///< 0: an event
  Step cycle = 0;                ///< its earliest step
  Step delay = 0;                ///< of computation, from the completion of the items for which it waits
  Step deadline = no_step;       ///< from its creation to its delivery; no_step: none
  std::int64_t id = -1;          ///< in the input; -1: none
  std::int32_t flow = -1;        ///< the number of its name; -1: the default name
  std::uint8_t traffic_class = 0;
  std::int8_t subnet = -1;  ///< as that of a packet
  bool reply = false;       ///< as that of a packet
  std::uint32_t line = 0;   ///< of the input, from 1

  bool is_event() const { return flits == 0; }
};

/// The number of an item in the order of the input.
using ItemNumber = std::uint32_t;

/// Item `waiting` names item `awaited` at position `place` of the list of items for which it waits.
struct Dependency {
  ItemNumber awaited = 0;
  ItemNumber waiting = 0;
  std::uint32_t place = 0;
};

/// Items and their dependencies. Immutable.
class ItemGraph {
 public:
  /// An item that waits for another one.
  struct Dependant {
    ItemNumber item = 0;
    std::uint32_t place = 0;  ///< of the awaited item in the list of `item`
  };
  /// The dependants of an item, in the order of their numbers.
  struct Dependants {
    const Dependant* first = nullptr;
    const Dependant* last = nullptr;
    const Dependant* begin() const { return first; }
    const Dependant* end() const { return last; }
  };

  /// \param dependencies in any order. \param flows the names of flows.
  ItemGraph(std::vector<Item> items, const std::vector<Dependency>& dependencies, std::vector<std::string> flows);

  const std::vector<Item>& items() const { return items_; }
  std::size_t dependency_count() const { return dependants_.size(); }
  Dependants dependants(ItemNumber item) const {
    return {dependants_.data() + first_[item], dependants_.data() + first_[item + std::size_t{1}]};
  }
  /// The name of an item's flow: that of the input, or else `SOURCE->DESTINATION`.
  std::string flow(const Item& item) const;

  /// A shortest cycle of items, each of which waits for the next one, and the last for the first, which is the one with
  /// the lowest number; empty if the graph has no cycle. In a graph with very many cycles, one of the shortest that a
  /// bounded search finds.
  std::vector<ItemNumber> shortest_cycle() const;
  /// The greatest number of items in a chain in which each waits for the one before; needs a graph without a cycle.
  std::int64_t depth() const;

 private:
  std::vector<ItemNumber> in_order(std::vector<std::uint32_t>& waits_for) const;

  std::vector<Item> items_;
  std::vector<std::size_t> first_;  ///< [item] of its dependants, and the end of the last one's
  std::vector<Dependant> dependants_;
  std::vector<std::string> flows_;
};

}  // namespace starloom
