// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Keeps the memory of an open-loop run bounded: packets that have arrived are summed up and listed no more.
#include <starloom/engines/engine.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/simulation/links/packet_sums.hpp>
#include <starloom/simulation/links/watchdog.hpp>

namespace starloom::links {

/// Removes at intervals the records of all packets before the first that has not arrived. Memory grows with the
/// number of packets created while one is in flight, not with the length of the run.
class RecordCompactor {
 public:
  /// All of them outlive it. `referee`: null if there is none.
  RecordCompactor(PacketSums& sums, const NetworkGraph& graph, StorageModel storage, Watchdog& watchdog,
                  Referee* referee)
      : sums_(sums), graph_(graph), storage_(storage), watchdog_(watchdog), referee_(referee) {}

  /// Between two steps, when everybody has looked at the first.
  void between_steps(Engine& engine);

 private:
  PacketSums& sums_;
  const NetworkGraph& graph_;
  const StorageModel storage_;
  Watchdog& watchdog_;
  Referee* referee_;
  std::size_t look_at_ = 4096;  ///< listed packets for which looking is worth while
};

}  // namespace starloom::links
