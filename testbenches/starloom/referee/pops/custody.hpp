// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The holders of each packet of a POPS network, as determined by the rows: the protocol part of the referee.
#include <string>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Follows packets from driver to sampler. Rows come slot by slot, drives before listens, and satisfy the rules of
/// couplers; a listener hears the message that the coupler carried. All \throw Breach.
class Custody {
 public:
  Custody(const Pops& pops, Rules rules, const std::vector<Packet>& packets);

  /// Called before the rows of a slot.
  void begin_slot(Step slot);
  /// The actions of the protocol in this slot.
  const Rules::Slot& now() const { return now_; }
  /// The messages of a slot, given all rows before it.
  MessageKind kind_of(Step slot) const { return rules_of(slot).kind; }
  void drive(const TraceRow& row);
  /// Called for a listener that hears a message.
  void hear(const TraceRow& row);
  /// Called after the last row. `slots`: of the run.
  void finish(Step slots);

  /// [packet] the slot in which it arrived + 1, or no_step.
  const std::vector<Step>& delivered() const { return delivered_; }
  const Packet& packet(PacketId packet) const { return packets_[static_cast<std::size_t>(packet)]; }
  PacketId packets() const { return static_cast<PacketId>(packets_.size()); }

  [[noreturn]] void reject(const TraceRow& row, const std::string& text) const;
  /// `text` is about `location`, an instance or the network.
  [[noreturn]] static void reject(Step slot, NodeId node, const std::string& location, const std::string& text);

 private:
  /// A packet that a processor heard (or, if packets are exchanged, had from the start).
  struct Copy {
    PacketId packet;
    std::int32_t from;      ///< the group that it came from
    Step heard;             ///< no_step: the processor had it from the start
    Step driven = no_step;  ///< last
  };
  /// A packet or acknowledgement on a coupler.
  struct Event {
    Step slot = no_step;
    MessageKind kind = MessageKind::data;
    PacketId packet = no_packet;
    std::int32_t group = no_group;  ///< at the other end of the coupler
  };
  struct Holder {
    std::vector<Copy> copies;  ///< in the order in which they were heard
    Event heard;               ///< last
    Event sent[2];             ///< data, the last two slots with any
  };

  bool passes_on() const { return rules_.arrival == Rules::Arrival::sorted; }
  Rules::Slot rules_of(Step slot) const;
  Step cycle_start() const;
  Holder& at(NodeId node) { return holders_[static_cast<std::size_t>(node)]; }
  bool at_its_source(const TraceRow& row) const;
  Copy* find_copy(Holder& holder, PacketId packet) const;
  void drive_data(const TraceRow& row);
  void drive_acknowledgement(const TraceRow& row);
  void hear_data(const TraceRow& row);
  void hear_acknowledgement(const TraceRow& row);
  void add_up(const TraceRow& row);
  void leave_source(PacketId packet, Step slot);
  void arrive(const TraceRow& row);
  void check_sum(const TraceRow& row);
  void check_buffers(Step slots) const;

  const Pops pops_;
  const Rules rules_;
  const std::vector<Packet> packets_;
  std::vector<Step> delivered_;                    ///< [packet]
  std::vector<Step> left_;                         ///< [packet] slot in which it left its source
  std::vector<NodeId> missing_;                    ///< [packet] processors that have not heard it, if all should
  std::vector<Holder> holders_;                    ///< [node]
  std::vector<std::vector<PacketId>> parts_;       ///< [node] values in its partial sum, if values are added up
  std::vector<std::vector<PacketId>> sent_parts_;  ///< [node] the partial sum that it sent
  std::int64_t at_sources_ = 0;                    ///< packets that have not left
  Step end_of_cycles_ = no_step;                   ///< observed programs: the beginning of the drain
  Step slot_ = no_step;
  Rules::Slot now_;
};

}  // namespace starloom::pops
