// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of an operation among its ranks, and their order, before ranks are mapped to processors.
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/core/packet.hpp>

namespace starloom {

/// The number of a message or event in the plan of an operation.
using PlanItem = std::uint32_t;

/// Messages and events of an operation among the ranks of a list, which are named by their index in it. Each message
/// waits for its sender to enter the operation; a rank finishes when it has entered and all items of it have completed.
class OperationPlan {
 public:
  struct Item {
    std::int32_t from = 0;        ///< of an event: its rank
    std::int32_t to = 0;          ///< of an event: its rank; `everyone`: all other ranks
    std::int32_t flits = 0;       ///< 0: an event
    std::int32_t chunk = -1;      ///< that it carries or reduces; -1: none
    Step delay = 0;               ///< of an event
    std::uint32_t waits_for = 0;  ///< items
    bool after_entry = false;     ///< it waits for its rank to enter, too
  };
  struct Dependant {
    PlanItem item = 0;
    std::uint32_t place = 0;  ///< of the awaited item in the list of `item`
  };
  /// A block of the data, or a piece of it.
  struct Chunk {
    std::int32_t block = 0;
    std::int32_t piece = 0;
  };

  /// \param longest_piece the most flits of a message; 0: blocks are sent whole. \param reduce steps a flit.
  OperationPlan(std::int32_t ranks, std::int32_t longest_piece, double reduce)
      : longest_piece_(longest_piece), reduce_(reduce), items_of_(static_cast<std::size_t>(ranks)) {}

  // -- Making a plan --

  static constexpr std::int32_t no_block = -1;  ///< of a message without data
  static constexpr std::int32_t everyone = -1;  ///< the receivers of a message that the network copies for them

  /// Sends a piece of a block, after the items of `after` and the entry of the sender. Returns the item that completes
  /// when the receiver has it.
  /// \param reduced the receiver reduces it, which takes its time from the delivery on.
  PlanItem send_piece(std::int32_t from, std::int32_t to, Chunk chunk, std::int32_t flits, bool reduced,
                      const std::vector<PlanItem>& after);
  /// Sends all pieces of a block, each after the items of `after`.
  std::vector<PlanItem> send(std::int32_t from, std::int32_t to, std::int32_t block, std::int64_t flits, bool reduced,
                             const std::vector<PlanItem>& after);
  /// The same, but piece i waits for the items of `after[i]`.
  std::vector<PlanItem> send_pieces(std::int32_t from, std::int32_t to, std::int32_t block, std::int64_t flits,
                                    bool reduced, const std::vector<std::vector<PlanItem>>& after);
  /// An event of a rank that takes `delay` steps, after these items.
  PlanItem event(std::int32_t rank, Step delay, const std::vector<PlanItem>& after, bool after_entry);
  /// The number of pieces into which a block is cut.
  std::int64_t pieces_of(std::int64_t flits) const {
    return longest_piece_ == 0 ? (flits > 0 ? 1 : 0) : (flits + longest_piece_ - 1) / longest_piece_;
  }
  /// No further items are added.
  void close();

  // -- Of a closed plan --

  const std::vector<Item>& items() const { return items_; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  std::int32_t ranks() const { return static_cast<std::int32_t>(items_of_.size()); }
  /// The items that wait for a rank to enter.
  const std::vector<PlanItem>& after_entry(std::int32_t rank) const {
    return items_of_[static_cast<std::size_t>(rank)].after_entry;
  }
  /// The number of items of a rank: messages that it sends or receives, and events.
  std::uint32_t count_of(std::int32_t rank) const { return items_of_[static_cast<std::size_t>(rank)].count; }
  template <class Visit>
  void each_dependant(PlanItem item, Visit&& visit) const {
    for (std::uint32_t i = first_[item]; i < first_[item + std::size_t{1}]; ++i) visit(dependants_[i]);
  }
  /// Calls `visit(rank)` for the receivers of an item; for the rank of an event.
  template <class Visit>
  void each_receiver(const Item& item, Visit&& visit) const {
    if (item.to != everyone) return visit(item.to);
    for (std::int32_t rank = 0; rank < ranks(); ++rank)
      if (rank != item.from) visit(rank);
  }
  /// The most flits that a rank sends, or receives.
  std::int64_t busiest() const;
  /// Flits from a rank to another one, in all messages.
  struct Flow {
    std::int32_t from = 0;
    std::int32_t to = 0;  ///< as that of an item
    std::int64_t flits = 0;
  };
  /// All of them, in ascending order.
  std::vector<Flow> flows() const;

 private:
  struct OfRank {
    std::uint32_t count = 0;
    std::vector<PlanItem> after_entry;
  };
  struct Edge {
    PlanItem awaited;
    Dependant dependant;
  };

  PlanItem add(const Item& item, const std::vector<PlanItem>& after);
  std::int32_t number_of(Chunk chunk);

  std::int32_t longest_piece_;
  double reduce_;
  std::vector<Item> items_;
  std::vector<Edge> edges_;           ///< until the plan is closed
  std::vector<std::uint32_t> first_;  ///< [item] of its dependants, and the end of the last one's
  std::vector<Dependant> dependants_;
  std::vector<OfRank> items_of_;
  std::vector<Chunk> chunks_;
  std::vector<std::vector<std::int32_t>> chunk_of_;  ///< [block][piece]
};

}  // namespace starloom
