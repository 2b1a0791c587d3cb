// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets of transactions in the hardware: sends them, and reports their arrivals.
#include <deque>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include <starloom/core/links/flit_contents.hpp>
#include <starloom/fabric/links/network.hpp>

namespace starloom::links {

/// All packets of its network are its own. Those that arrive in one step are reported after the step, in the order of
/// their numbers, for any order of nodes.
class FabricCarrier final : public sc_core::sc_module {
 public:
  using Tag = void*;  ///< the caller's handle of a packet
  struct Arrival {
    Tag tag;
    Packet packet;
    Step step;
  };

  /// `removes_arrived`: packets that have arrived are removed from the record of the run at intervals.
  /// `contents`: gets those of all packets; null: none are kept
  FabricCarrier(const sc_core::sc_module_name& name, Network& network, bool removes_arrived, FlitContents* contents,
                std::function<void(const Arrival&)> arrived);

  /// True if `send` needs the content.
  bool reads_contents() const { return contents_ != nullptr; }
  /// Creates a packet in the first step that begins after the current time. \param content [flit * flit_bytes + byte]
  void send(const Packet& packet, Tag tag, std::vector<std::uint8_t> content = {});

 private:
  SC_HAS_PROCESS(FabricCarrier);
  struct Requested {
    Tag tag;
    std::vector<std::uint8_t> content;
  };
  struct Sent {
    Tag tag = nullptr;
    bool arrived = false;
  };

  void created(const std::vector<Packet>& packets);
  void notify();
  void forget(Engine& engine);

  Network& network_;
  const bool removes_arrived_;
  const std::function<void(const Arrival&)> arrived_;
  FlitContents* const contents_;
  std::vector<std::deque<Requested>> waiting_;  ///< [source] not created yet
  PacketId first_ = 0;                          ///< first packet in `sent_`
  std::deque<Sent> sent_;                       ///< [packet - first_]
  std::vector<PacketId> summary_;               ///< of this step
  std::size_t remove_at_ = 4096;                ///< number of listed packets that makes their removal worthwhile
  sc_core::sc_event step_over_;
};

}  // namespace starloom::links
