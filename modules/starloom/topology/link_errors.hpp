// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Errors of links: flits that are corrupt where they arrive (docs/link-errors.md).
#include <cstdint>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Which crossings are corrupt: those that are named, and others at random, by (node, out-port, step) alone.
class LinkErrors {
 public:
  /// A flit that enters a link in a step. Sent again, it crosses the link again.
  struct Crossing {
    LinkEnd link;  ///< the out-port where the link begins
    Step step = 0;
  };
  /// The fate of corrupt flits.
  enum class Recovery {
    retry,      ///< links repeat them, and all behind them
    none,       ///< they travel on, and their packets are lost when they have been consumed
    end_to_end  ///< the same, and processors repeat packets that do not arrive
  };
  /// When a processor sends a packet again: `timeout` steps after the head of the last attempt left it, unless it knows
  /// then that an attempt has arrived.
  struct Repetition {
    Step timeout = 1000;  ///< at least 1
    int attempts = 16;    ///< of a packet in total, at least 1
  };
  struct Rules {
    double probability = 0;    ///< of each crossing, from 0 to 1
    std::vector<Crossing> at;  ///< corrupt in any case
    std::uint64_t seed = 1;
    /// Places of each replay buffer, at least 1; 0: as many as a flit takes from the switch until its place is free
    /// again, which is the least number that delays none.
    int replay = 0;
    Recovery recovery = Recovery::retry;
    Repetition repetition{};  ///< of packets, with Recovery::end_to_end
  };

  explicit LinkErrors(const Rules& rules);

  /// True if the flit that enters the link of an out-port in a step is corrupt where it arrives.
  bool corrupts(NodeId node, Port port, Step step) const;
  /// Places of the replay buffer of a link. \param link_entry steps from the switch to the link.
  int places(int link_entry, int latency) const { return replay_ > 0 ? replay_ : link_entry + 2 * latency; }
  bool any() const { return threshold_ > 0 || !at_.empty(); }
  Recovery recovery() const { return recovery_; }
  const Repetition& repetition() const { return repetition_; }

 private:
  std::uint64_t threshold_;
  std::set<std::tuple<NodeId, Port, Step>> at_;
  std::uint64_t seed_;
  int replay_;
  Recovery recovery_;
  Repetition repetition_;
};

/// The words of `faults.errors.recovery`, in the order of LinkErrors::Recovery.
inline constexpr std::string_view recovery_names[] = {"retry", "none", "end-to-end"};

/// True if links repeat corrupt flits. \param errors null: there are none
inline bool repeats_flits(const LinkErrors* errors) {
  return errors != nullptr && errors->recovery() == LinkErrors::Recovery::retry;
}

/// When processors repeat packets that do not arrive; null: never. \param errors null: there are none
inline const LinkErrors::Repetition* repetition_of_packets(const LinkErrors* errors) {
  const bool repeats = errors != nullptr && errors->recovery() == LinkErrors::Recovery::end_to_end;
  return repeats ? &errors->repetition() : nullptr;
}

/// The probability that one of a number of bits is wrong, each with its own probability: 1 - (1 - p)^bits, by repeated
/// squaring, so that it is the same on all machines.
double any_of_bits(double probability, std::int64_t bits);

}  // namespace starloom
