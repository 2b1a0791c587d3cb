// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets of transactions in the hardware: sends them, and tells when they have arrived.
#include <deque>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include <starloom/fabric/links/network.hpp>

namespace starloom::links {

/// All packets of its network are its own. Those that arrive in one step are told after the step, in the order of their
/// numbers, whatever the order in which nodes ran.
class FabricCarrier final : public sc_core::sc_module {
 public:
  using Tag = void*;  ///< what the caller knows a packet by
  struct Arrival {
    Tag tag;
    Packet packet;
    Step step;
  };

  /// `forgets`: packets that have arrived are left out of the record of the run now and then.
  FabricCarrier(const sc_core::sc_module_name& name, Network& network, bool forgets,
                std::function<void(const Arrival&)> arrived);

  /// Creates a packet in the first step that begins after the present time.
  void send(const Packet& packet, Tag tag);

 private:
  SC_HAS_PROCESS(FabricCarrier);
  struct Sent {
    Tag tag = nullptr;
    bool arrived = false;
  };

  void created(const std::vector<Packet>& packets);
  void notify();
  void forget(Engine& engine);

  Network& network_;
  const bool forgets_;
  const std::function<void(const Arrival&)> arrived_;
  std::vector<std::deque<Tag>> waiting_;  ///< [source] asked for, not created yet
  PacketId first_ = 0;                    ///< that is in `sent_`
  std::deque<Sent> sent_;                 ///< [packet - first_]
  std::vector<PacketId> summary_;         ///< of this step
  std::size_t forget_at_ = 4096;          ///< listed packets for which forgetting is worth while
  sc_core::sc_event step_over_;
};

}  // namespace starloom::links
