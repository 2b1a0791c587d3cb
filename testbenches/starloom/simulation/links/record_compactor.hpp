// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Bounds the memory of an open-loop run: packets that have arrived are added to sums and removed from lists.
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
  RecordCompactor(PacketSums& sums, const NetworkGraph& graph, const Declaration& declaration, Watchdog& watchdog,
                  Referee* referee)
      : sums_(sums), graph_(graph), declaration_(declaration), watchdog_(watchdog), referee_(referee) {}

  /// Called between two steps, when all observers have processed the first.
  void between_steps(Engine& engine);

 private:
  PacketSums& sums_;
  const NetworkGraph& graph_;
  const Declaration& declaration_;
  Watchdog& watchdog_;
  Referee* referee_;
  std::size_t look_at_ = 4096;  ///< number of listed packets that makes the removal worthwhile
};

}  // namespace starloom::links
