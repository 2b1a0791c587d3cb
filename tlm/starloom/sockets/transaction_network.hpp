// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network with virtual channels as a TLM-2.0 interconnect (IEEE 1666-2011), in one of three views.
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/sockets/bound_target.hpp>
#include <starloom/sockets/carried_payload.hpp>
#include <starloom/sockets/event_queue.hpp>
#include <starloom/sockets/mapped_sockets.hpp>
#include <starloom/sockets/packet_times.hpp>
#include <starloom/sockets/transaction_packets.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/sockets/transport_record.hpp>

namespace starloom {

namespace links {
class FabricCarrier;
class FlitContents;
class Network;
}  // namespace links

struct TransactionNetworkOptions : InterconnectOptions {
  TransactionView view = TransactionView::cycle_accurate;
  /// A transaction without a response after this number of steps is an error report; 0: no limit.
  Step patience = 1'000'000;
  /// Initiators that ignore what `nb_transport_fw` returns get END_REQ by a call of `nb_transport_bw`; errors are
  /// also answered by phases then.
  bool explicit_initiator_phases = false;
  /// Targets that ignore what `nb_transport_bw` returns get END_RESP by a call of `nb_transport_fw`.
  bool explicit_target_phases = false;
  /// Called with each packet and the step of its delivery, in the first two views, which have no hardware.
  std::function<void(const Packet&, Step)> on_packet{};
  /// Gets the bytes of all packets, in the cycle-accurate view; null: none are kept.
  links::FlitContents* contents = nullptr;
};

/// Carries transactions from any initiator to the target that owns the address, as packets of request and response on
/// two virtual networks, so that neither blocks the other.
///
/// Sockets, addresses, errors and debug access: MappedSockets. Direct memory access is available in the loosely timed
/// view; it would bypass all other packets, so the other views refuse it.
///
/// Transport: initiators call `b_transport` or `nb_transport_fw`, targets may have either; any number of transactions
/// may be in progress. An accepted request returns END_REQ immediately; responses of one initiator come one after the
/// other, each after the END_RESP of the previous one; a target gets a request after the END_REQ of the previous one,
/// and those of one initiator in the order in which they were made. The response of a target may be complete on
/// return (TLM_COMPLETED). Options select calls for both phases. `b_transport` of an initiator waits, in a thread
/// only, until the response has arrived. If a target's own `b_transport` is called by it, it adds to the delay
/// instead: in the loosely timed view, and in the approximately timed one for targets that have only this interface
/// (`blocking`). In the cycle-accurate view a thread of the network calls those. A process that waits in
/// `b_transport` may be killed or reset: its request continues, its response is dropped.
///
/// Times: step t begins at t periods. A request made at time x is a packet created in the first step that begins
/// after x; it reaches its target at the beginning of the step in which its last flit is consumed. The same holds for
/// the response.
///
/// Reports of type `/starloom/interconnect` (error): those of MappedSockets, algorithms that do not reserve half of
/// their channels for replies, phases outside the protocol, a transaction without response.
class TransactionNetwork : public MappedSockets {
 public:
  /// `network` and `algorithm` (with virtual channels, the last of them for replies) outlive this.
  TransactionNetwork(const sc_core::sc_module_name& name, const LinkNetwork& network, const links::Algorithm& algorithm,
                     const TransactionNetworkOptions& options);
  /// Cycle-accurate, over existing hardware, whose packets all belong to transactions.
  TransactionNetwork(const sc_core::sc_module_name& name, links::Network& hardware, const links::Algorithm& algorithm,
                     const TransactionNetworkOptions& options);
  ~TransactionNetwork() override;

  /// The hardware of the cycle-accurate view, to bind its clock or to observe; else null.
  links::Network* hardware() { return hardware_; }
  /// Steps from the creation of a packet to its delivery in the empty network, from an initiator to a target or back.
  Step empty_time(std::size_t initiator, std::size_t target, bool back, std::int32_t flits) const {
    return times_.empty_time(initiator, target, back, flits);
  }
  /// Transactions without a response so far.
  std::size_t outstanding() const { return static_cast<std::size_t>(outstanding_) + calls_.size(); }

 private:
  SC_HAS_PROCESS(TransactionNetwork);
  using Payload = tlm::tlm_generic_payload;

  /// A request that waits for its response.
  struct PendingTransaction {
    Payload* payload = nullptr;
    std::size_t initiator = 0, target = 0;
    std::int64_t id = -1;      ///< number among all; -1: not in use
    sc_core::sc_time since{};  ///< time of the request
    InitiatorAttributes attributes{};
  };
  /// A transaction in progress, whose packets take time.
  struct Job : PendingTransaction {
    std::uint64_t number = 0;  ///< among those of the initiator to the target
    TransactionForm form{};
    bool back = false;       ///< the response is in flight, or delivered
    bool sends_end = false;  ///< the target waits for END_RESP
    /// For a blocking call: the payload that its process waits for. Null: a call without blocking.
    CarriedPayload* carried = nullptr;
    std::unique_ptr<sc_core::sc_event> over{};
    bool answered = false;              ///< the response of a blocking call has arrived
    bool abandoned = false;             ///< its process has been killed or reset
    bool refused = false;               ///< it has its response, which the initiator gets by phases
    TransportRecord* record = nullptr;  ///< that of the payload
    bool brought = false;               ///< the record is the initiator's
  };
  /// A call of a target's b_transport in the process of the initiator: until it returns, or until an error or the end
  /// of the process unwinds the stack. Gives the payload a record, and the attributes for the target.
  class Call : public PendingTransaction {
   public:
    Call(TransactionNetwork& network, const PendingTransaction& request);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    TransportRecord* record = nullptr;

   private:
    TransactionNetwork& network_;
    bool brought_ = false;
  };
  class Waiting;
  struct TargetPort {
    BoundTarget bound;
    std::deque<Job*> requests{};     ///< that have arrived
    Job* requesting = nullptr;       ///< between BEGIN_REQ and END_REQ
    bool offering = false;           ///< in a call of the target
    std::vector<Job*> unanswered{};  ///< received by the target
    bool shortened = false;          ///< nb_transport_bw has returned END_RESP
  };
  struct InitiatorPort {
    std::deque<Job*> responses;  ///< that have arrived
    Job* responding = nullptr;   ///< between BEGIN_RESP and END_RESP
    bool offering = false;       ///< in a call of the initiator
  };
  struct Order {
    std::uint64_t made = 0, due = 0;
    std::vector<Job*> early{};  ///< arrived before one that was made earlier
  };
  enum class DueEntry : std::uint8_t { accept, send, arrive, end_request, answer, end_response };

  void build(const TransactionNetworkOptions& options);

  // The initiators' side.
  void b_transport(int initiator, Payload& payload, sc_core::sc_time& delay) override;
  void call_target(std::size_t initiator, const Destination& destination, Payload& payload, sc_core::sc_time& delay);
  void wait_for_response(std::size_t initiator, const Destination& destination, Payload& payload);
  tlm::tlm_sync_enum nb_transport_fw(int initiator, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  Job& begin(std::size_t initiator, Payload& payload);
  Job& begin(std::size_t initiator, const Destination& destination, Payload& payload);
  void accept(Job& job);
  void offer_responses(std::size_t initiator);
  void finish(Job& job);
  void abandon(Job& job);

  // The targets' side.
  tlm::tlm_sync_enum nb_transport_bw(int target, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void offer_requests(std::size_t target);
  void offer_request(std::size_t target, Job& job);
  /// True if b_transport of a target is called in the processes of initiators.
  bool calls_in_place(std::size_t target) const;
  void take_answer(Job& job);

  // Between them.
  void send(Job& job);
  std::vector<std::uint8_t> content_of(const Job& job, std::int32_t flits) const;
  void arrived(Job& job);
  /// Acts immediately, or after the delay.
  void act(Job& job, DueEntry due, const sc_core::sc_time& delay);
  void plan(Job& job, DueEntry due, const sc_core::sc_time& delay) {
    events_.plan(sc_core::sc_time_stamp() + delay, {&job, due}, event_due_);
  }
  void carry_out(Job& job, DueEntry due);
  void run_events();
  void look_at_calls();
  void watch();
  [[noreturn]] void break_protocol(const std::string& text) const;
  /// The record of a payload, filled in; one of the network's if the initiator has not added one.
  TransportRecord* give_record(Payload& payload, std::size_t initiator, std::size_t target);
  void take_record(Payload& payload, TransportRecord* record);
  std::int32_t flits(const TransactionForm& form, bool back) const {
    return back ? sizes_.response(form) : sizes_.request(form);
  }
  Step step_after(const sc_core::sc_time& time) const { return static_cast<Step>(time.value() / period_) + 1; }
  sc_core::sc_time begin_of(Step step) const {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(step) * period_);
  }

  bool lets_direct_access() const override { return view_ == TransactionView::loosely_timed; }
  sc_core::sc_time both_ways(std::size_t initiator, std::size_t target) const override {
    return begin_of(empty_time(initiator, target, false, 1) + empty_time(initiator, target, true, 1));
  }

  const TransactionView view_;
  const std::vector<NodeId> initiator_nodes_;
  std::vector<NodeId> target_nodes_;
  const sc_dt::uint64 period_;  ///< in units of time
  const PacketSizes sizes_;
  const Step patience_;
  const bool explicit_initiator_phases_, explicit_target_phases_;
  const std::function<void(const Packet&, Step)> on_packet_;
  links::PacketTimes times_;
  std::unique_ptr<links::Network> own_hardware_;
  links::Network* hardware_ = nullptr;
  std::unique_ptr<links::FabricCarrier> carrier_;

  std::vector<InitiatorPort> initiators_;
  std::vector<TargetPort> targets_;
  std::vector<Order> order_;  ///< [initiator * targets + target]
  std::deque<Job> jobs_;      ///< never moved
  std::vector<Job*> idle_jobs_;
  /// The network's own records, while no payload has them. A payload in progress at the end of the simulation frees
  /// the one it has.
  std::vector<std::unique_ptr<TransportRecord>> records_;
  std::vector<const Call*> calls_;  ///< the oldest first
  std::int64_t made_ = 0;
  std::int64_t outstanding_ = 0;  ///< jobs
  EventQueue<std::pair<Job*, DueEntry>> events_;
  sc_core::sc_event event_due_, calls_made_, patience_over_;
};

}  // namespace starloom
