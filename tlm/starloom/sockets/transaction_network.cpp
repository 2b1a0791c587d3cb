// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/transaction_network.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <starloom/fabric/links/network.hpp>
#include <starloom/sockets/fabric_carrier.hpp>

namespace starloom {
namespace {

using sc_core::sc_time;
using sc_core::sc_time_stamp;
using sc_core::SC_ZERO_TIME;

/// As MappedSockets: reports, and throws if the program has set reports not to throw.
[[noreturn]] void refuse_construction(const std::string& text) {
  SC_REPORT_ERROR(interconnect_report, text.c_str());
  throw std::invalid_argument(text);
}

std::vector<NodeId> nodes_of(const std::vector<InterconnectOptions::Target>& targets) {
  std::vector<NodeId> nodes;
  for (const InterconnectOptions::Target& target : targets) nodes.push_back(target.node);
  return nodes;
}

links::PacketTimes times_of(const NetworkGraph& graph, const links::Algorithm& algorithm,
                            const TransactionNetworkOptions& options) {
  if (algorithm.declaration().storage != StorageModel::virtual_channels)
    refuse_construction("transactions need virtual channels; use vc-wormhole");
  if (algorithm.class_count() == 1)
    refuse_construction(
        "requests and responses share channels and could block each other; create the algorithm with reply_channels "
        "set to half of its channels");
  if (graph.has_clocks() && options.view != TransactionView::cycle_accurate)
    refuse_construction(
        "the network has clocks, but this view reckons with nodes that run in every step; use "
        "cycle_accurate");
  if (options.step() == SC_ZERO_TIME) refuse_construction("a step has no duration; set a period");
  using Contention = links::PacketTimes::Contention;
  return {graph, algorithm, options.initiators, nodes_of(options.targets),
          options.view == TransactionView::approximately_timed ? Contention::by_reservation : Contention::none};
}

std::unique_ptr<links::Network> hardware_of(const LinkNetwork& network, const links::Algorithm& algorithm,
                                            const TransactionNetworkOptions& options) {
  if (options.view != TransactionView::cycle_accurate) return nullptr;
  links::NetworkOptions hardware;
  hardware.period = options.step();
  return std::make_unique<links::Network>("hardware", network, algorithm, hardware);
}

/// True if the current process is a thread.
bool may_wait() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

}  // namespace

TransactionNetwork::TransactionNetwork(const sc_core::sc_module_name& name, const LinkNetwork& network,
                                       const links::Algorithm& algorithm, const TransactionNetworkOptions& options)
    : MappedSockets(name, network.graph, options),
      view_(options.view),
      initiator_nodes_(options.initiators),
      target_nodes_(nodes_of(options.targets)),
      period_(options.step().value()),
      sizes_(static_cast<std::uint64_t>(options.flit_bytes)),
      patience_(options.patience),
      explicit_initiator_phases_(options.explicit_initiator_phases),
      explicit_target_phases_(options.explicit_target_phases),
      on_packet_(options.on_packet),
      times_(times_of(network.graph, algorithm, options)),
      own_hardware_(hardware_of(network, algorithm, options)),
      hardware_(own_hardware_.get()) {
  build(options);
}

TransactionNetwork::TransactionNetwork(const sc_core::sc_module_name& name, links::Network& hardware,
                                       const links::Algorithm& algorithm, const TransactionNetworkOptions& options)
    : MappedSockets(name, hardware.fabric.network().graph, options),
      view_(TransactionView::cycle_accurate),
      initiator_nodes_(options.initiators),
      target_nodes_(nodes_of(options.targets)),
      period_(options.step().value()),
      sizes_(static_cast<std::uint64_t>(options.flit_bytes)),
      patience_(options.patience),
      explicit_initiator_phases_(options.explicit_initiator_phases),
      explicit_target_phases_(options.explicit_target_phases),
      times_(times_of(hardware.fabric.network().graph, algorithm, options)),
      hardware_(&hardware) {
  build(options);
}

TransactionNetwork::~TransactionNetwork() {
  for (const Job& job : jobs_)
    if (job.id >= 0 && job.carried != nullptr) {
      job.carried->abandon_caller();
      job.carried->release();
    }
}

void TransactionNetwork::build(const TransactionNetworkOptions& options) {
  initiators_.resize(target_socket.size());
  for (std::size_t j = 0; j < options.targets.size(); ++j)
    targets_.push_back({{*this, j, options.targets[j].blocking}});
  order_.resize(initiators_.size() * targets_.size());
  // Sockets call members of the base; an object of this class is one, too.
  const auto forward = static_cast<tlm::tlm_sync_enum (MappedSockets::*)(int, Payload&, tlm::tlm_phase&, sc_time&)>(
      &TransactionNetwork::nb_transport_fw);
  const auto backward = static_cast<tlm::tlm_sync_enum (MappedSockets::*)(int, Payload&, tlm::tlm_phase&, sc_time&)>(
      &TransactionNetwork::nb_transport_bw);
  for (std::size_t i = 0; i < target_socket.size(); ++i)
    target_socket[i].register_nb_transport_fw(this, forward, static_cast<int>(i));
  for (std::size_t i = 0; i < initiator_socket.size(); ++i)
    initiator_socket[i].register_nb_transport_bw(this, backward, static_cast<int>(i));
  if (hardware_ != nullptr)
    carrier_ = std::make_unique<links::FabricCarrier>(
        "carrier", *hardware_, own_hardware_ != nullptr, options.contents,
        [this](const links::FabricCarrier::Arrival& arrival) {
          Job& job = *static_cast<Job*>(arrival.tag);
          (job.back ? job.record->response_created : job.record->request_created) = arrival.packet.created;
          (job.back ? job.record->response_delivered : job.record->request_delivered) = arrival.step;
          arrived(job);
        });
  SC_METHOD(run_events);
  dont_initialize();
  sensitive << event_due_;
  SC_METHOD(look_at_calls);
  dont_initialize();
  sensitive << calls_made_;
  SC_METHOD(watch);
  dont_initialize();
  sensitive << patience_over_;
}

// ---- The initiators' side

TransportRecord* TransactionNetwork::give_record(Payload& payload, std::size_t initiator, std::size_t target) {
  auto* record = payload.get_extension<TransportRecord>();
  if (record == nullptr) {
    if (records_.empty()) records_.push_back(std::make_unique<TransportRecord>());
    record = records_.back().release();
    records_.pop_back();
    payload.set_extension(record);
  }
  record->initiator = static_cast<int>(initiator);
  record->target = static_cast<int>(target);
  record->source = initiator_nodes_[initiator];
  record->destination = target_nodes_[target];
  record->hops = times_.path(initiator, target, false).hops;
  record->request_created = record->request_delivered = record->response_created = record->response_delivered = no_step;
  return record;
}

void TransactionNetwork::take_record(Payload& payload, TransportRecord* record) {
  payload.clear_extension(record);
  records_.emplace_back(record);
}

void TransactionNetwork::b_transport(int initiator, Payload& payload, sc_time& delay) {
  const auto destination = destination_of(initiator, payload);
  if (!destination) return;
  const auto from = static_cast<std::size_t>(initiator);
  if (calls_in_place(destination->target)) return call_target(from, *destination, payload, delay);
  if (!may_wait())
    break_protocol("b_transport of initiator " + std::to_string(initiator) + " waits in the " +
                   std::string(transaction_view_names[static_cast<std::size_t>(view_)]) +
                   " view, but it is not called by a thread; call it from an SC_THREAD, or use nb_transport_fw" +
                   (view_ == TransactionView::cycle_accurate
                        ? ""
                        : ", or set `blocking` of " + targets_[destination->target].bound.name() + " to true"));
  if (delay != SC_ZERO_TIME) wait(delay);
  delay = SC_ZERO_TIME;
  wait_for_response(from, *destination, payload);
}

void TransactionNetwork::call_target(std::size_t initiator, const Destination& destination, Payload& payload,
                                     sc_time& delay) {
  const auto& [target, form] = destination;
  const auto pass = [&, target = target, form = form](bool back, Step& created, Step& delivered) {
    const sc_time now = sc_time_stamp();
    const std::int32_t length = flits(form, back);
    created = step_after(now + delay);
    delivered = times_.delivered(initiator, target, back, length, created);
    delay = begin_of(delivered) - now;
    if (!on_packet_) return;
    const NodeId ends[] = {initiator_nodes_[initiator], target_nodes_[target]};
    on_packet_({ends[back ? 1 : 0], ends[back ? 0 : 1], length, created, back}, delivered);
  };
  const Call call(*this, {&payload, initiator, target, made_++, sc_time_stamp() + delay, InitiatorAttributes(payload)});
  pass(false, call.record->request_created, call.record->request_delivered);
  targets_[target].bound.b_transport(payload, delay);
  pass(true, call.record->response_created, call.record->response_delivered);
  if (!lets_direct_access()) payload.set_dmi_allowed(false);
}

/// While a process waits for its response: abandons the job if the end of the process unwinds its stack.
class TransactionNetwork::Waiting {
 public:
  Waiting(TransactionNetwork& network, Job& job) : network_(network), job_(&job) {}
  ~Waiting() {
    if (job_ != nullptr) network_.abandon(*job_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  void is_over() { network_.finish(*std::exchange(job_, nullptr)); }

 private:
  TransactionNetwork& network_;
  Job* job_;
};

void TransactionNetwork::wait_for_response(std::size_t initiator, const Destination& destination, Payload& payload) {
  auto* const carried = new CarriedPayload(payload);
  Job& job = begin(initiator, destination, *carried);
  job.carried = carried;
  if (!job.over) job.over = std::make_unique<sc_core::sc_event>();
  Waiting waiting(*this, job);
  send(job);
  wait(*job.over);
  waiting.is_over();
}

void TransactionNetwork::abandon(Job& job) {
  job.carried->leave_caller();
  job.record = job.payload->get_extension<TransportRecord>();
  job.abandoned = true;
  job.over->cancel();  // another call may use it immediately
  if (job.answered) finish(job);
}

tlm::tlm_sync_enum TransactionNetwork::nb_transport_fw(int initiator, Payload& payload, tlm::tlm_phase& phase,
                                                       sc_time& delay) {
  const auto from = static_cast<std::size_t>(initiator);
  if (phase == tlm::BEGIN_REQ) {
    const auto destination = destination_of(initiator, payload);
    if (explicit_initiator_phases_) {
      Job& job = destination ? begin(from, *destination, payload) : begin(from, payload);
      job.refused = !destination;
      plan(job, DueEntry::accept, delay);
      return tlm::TLM_ACCEPTED;
    }
    if (!destination) return tlm::TLM_COMPLETED;
    act(begin(from, *destination, payload), DueEntry::send, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    Job* const job = initiators_[from].responding;
    if (job == nullptr || job->payload != &payload)
      break_protocol("initiator " + std::to_string(initiator) + " ends a response that it has not received");
    plan(*job, DueEntry::end_response, delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    break_protocol("initiator " + std::to_string(initiator) + " sends " + phase.get_name() + ", a phase of targets");
  return tlm::TLM_ACCEPTED;  // phases beyond the base protocol may be ignored
}

TransactionNetwork::Job& TransactionNetwork::begin(std::size_t initiator, Payload& payload) {
  if (idle_jobs_.empty()) {
    jobs_.emplace_back();
    idle_jobs_.push_back(&jobs_.back());
  }
  Job& job = *idle_jobs_.back();
  idle_jobs_.pop_back();
  payload.acquire();
  job.payload = &payload;
  job.initiator = initiator;
  job.id = made_++;
  job.since = sc_time_stamp();
  job.attributes = InitiatorAttributes(payload);
  job.back = job.sends_end = job.answered = job.abandoned = job.refused = false;
  job.carried = nullptr;
  job.record = nullptr;
  if (++outstanding_ == 1 && patience_ > 0) patience_over_.notify(begin_of(patience_));
  return job;
}

TransactionNetwork::Job& TransactionNetwork::begin(std::size_t initiator, const Destination& destination,
                                                   Payload& payload) {
  Job& job = begin(initiator, payload);
  job.target = destination.target;
  job.number = order_[initiator * targets_.size() + job.target].made++;
  job.form = destination.form;
  job.brought = payload.get_extension<TransportRecord>() != nullptr;
  job.record = give_record(payload, initiator, job.target);
  return job;
}

void TransactionNetwork::accept(Job& job) {
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_time delay = SC_ZERO_TIME;
  target_socket[job.initiator]->nb_transport_bw(*job.payload, phase, delay);
  if (!job.refused) return send(job);
  // Models that wait for one event after the other would miss a response in the same instant.
  job.back = true;
  plan(job, DueEntry::arrive, begin_of(1));
}

void TransactionNetwork::offer_responses(std::size_t initiator) {
  InitiatorPort& port = initiators_[initiator];
  if (port.offering) return;
  port.offering = true;
  while (port.responding == nullptr && !port.responses.empty()) {
    Job& job = *port.responses.front();
    port.responses.pop_front();
    port.responding = &job;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = target_socket[initiator]->nb_transport_bw(*job.payload, phase, delay);
    if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
      break_protocol("initiator " + std::to_string(initiator) + " answers BEGIN_RESP with " + phase.get_name());
    if (status != tlm::TLM_ACCEPTED) act(job, DueEntry::end_response, delay);
  }
  port.offering = false;
}

void TransactionNetwork::finish(Job& job) {
  if (job.record != nullptr && !job.brought) take_record(*job.payload, job.record);
  if (job.carried != nullptr && !job.abandoned) job.carried->copy_back();
  job.payload->release();
  job.payload = nullptr;
  job.id = -1;
  idle_jobs_.push_back(&job);
  --outstanding_;
  if (outstanding() == 0) patience_over_.cancel();
  if (job.carried != nullptr) return;
  initiators_[job.initiator].responding = nullptr;
  offer_responses(job.initiator);
}

// ---- The targets' side

void TransactionNetwork::offer_requests(std::size_t target) {
  TargetPort& port = targets_[target];
  if (port.offering) return;
  port.offering = true;
  while (port.requesting == nullptr && !port.requests.empty()) {
    Job& job = *port.requests.front();
    port.requests.pop_front();
    port.requesting = &job;
    port.unanswered.push_back(&job);
    offer_request(target, job);
  }
  port.offering = false;
}

bool TransactionNetwork::calls_in_place(std::size_t target) const {
  switch (view_) {
    case TransactionView::loosely_timed: return targets_[target].bound.blocking().value_or(true);
    case TransactionView::approximately_timed: return targets_[target].bound.blocking().value_or(false);
    case TransactionView::cycle_accurate: break;
  }
  return false;
}

void TransactionNetwork::offer_request(std::size_t target, Job& job) {
  translate(*job.payload, target);
  TargetPort& port = targets_[target];
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const auto status = port.bound.begin_request(*job.payload, phase, delay);
  if (!status)
    return port.bound.call_in_thread(*job.payload, [this, &job](const sc_time& after) {
      plan(job, DueEntry::end_request, after);
      act(job, DueEntry::answer, after);
    });
  if (status == tlm::TLM_ACCEPTED) return;
  const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_UPDATED && phase != tlm::END_REQ && !responds)
    break_protocol("target " + std::to_string(target) + " answers BEGIN_REQ with " + phase.get_name());
  act(job, DueEntry::end_request, delay);
  if (status == tlm::TLM_UPDATED && !responds) return;
  job.sends_end = responds;
  act(job, DueEntry::answer, delay);
}

tlm::tlm_sync_enum TransactionNetwork::nb_transport_bw(int target, Payload& payload, tlm::tlm_phase& phase,
                                                       sc_time& delay) {
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
    break_protocol("target " + std::to_string(target) + " sends " + phase.get_name() + ", a phase of initiators");
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;  // outside the base protocol
  const TargetPort& port = targets_[static_cast<std::size_t>(target)];
  const auto found = std::find_if(port.unanswered.begin(), port.unanswered.end(),
                                  [&payload](const Job* job) { return job->payload == &payload; });
  if (found == port.unanswered.end())
    break_protocol("target " + std::to_string(target) + " sends " + phase.get_name() +
                   " of a transaction that it has not received");
  Job& job = **found;
  // The next request must not begin within a call of the target.
  if (port.requesting == &job) plan(job, DueEntry::end_request, delay);
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  if (explicit_target_phases_) {
    job.sends_end = true;
    plan(job, DueEntry::answer, delay);
    return tlm::TLM_ACCEPTED;
  }
  targets_[job.target].shortened = true;
  act(job, DueEntry::answer, delay);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void TransactionNetwork::take_answer(Job& job) {
  if (job.sends_end) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    initiator_socket[job.target]->nb_transport_fw(*job.payload, phase, delay);
  }
  std::vector<Job*>& unanswered = targets_[job.target].unanswered;
  unanswered.erase(std::find(unanswered.begin(), unanswered.end(), &job));
  if (!lets_direct_access()) job.payload->set_dmi_allowed(false);
  job.back = true;
  send(job);
}

// ---- Between them

void TransactionNetwork::send(Job& job) {
  const std::size_t back = job.back ? 1 : 0;
  const NodeId ends[] = {initiator_nodes_[job.initiator], target_nodes_[job.target]};
  Packet packet{ends[back], ends[1 - back], flits(job.form, job.back), 0, job.back};
  if (carrier_ != nullptr)
    return carrier_->send(packet, &job,
                          carrier_->reads_contents() ? content_of(job, packet.flits) : std::vector<std::uint8_t>());
  packet.created = step_after(sc_time_stamp());
  const Step delivered = times_.delivered(job.initiator, job.target, job.back, packet.flits, packet.created);
  (job.back ? job.record->response_created : job.record->request_created) = packet.created;
  (job.back ? job.record->response_delivered : job.record->request_delivered) = delivered;
  if (on_packet_) on_packet_(packet, delivered);
  plan(job, DueEntry::arrive, begin_of(delivered) - sc_time_stamp());
}

/// [flit * flit_bytes + byte] The header is zeros, and so are the ends of the last flits of data and of byte enables.
std::vector<std::uint8_t> TransactionNetwork::content_of(const Job& job, std::int32_t flits) const {
  std::vector<std::uint8_t> content(static_cast<std::size_t>(flits) * sizes_.flit_bytes(), 0);
  const bool has_data = job.form.command == (job.back ? TransactionCommand::read : TransactionCommand::write);
  if (!has_data || job.form.length == 0) return content;
  const auto length = static_cast<std::ptrdiff_t>(job.form.length);
  const auto data = content.begin() + static_cast<std::ptrdiff_t>(sizes_.flit_bytes());
  std::copy_n(job.payload->get_data_ptr(), length, data);
  if (job.back || !job.form.byte_enables) return content;
  const auto enables = content.end() - (content.end() - data) / 2;
  for (std::ptrdiff_t i = 0; i < length; ++i)
    enables[i] = job.payload->get_byte_enable_ptr()[static_cast<unsigned>(i) % job.payload->get_byte_enable_length()];
  return content;
}

void TransactionNetwork::arrived(Job& job) {
  if (job.back && job.abandoned) return finish(job);
  if (job.back && job.carried != nullptr) {
    job.answered = true;
    return job.over->notify(SC_ZERO_TIME);
  }
  if (job.back) {
    job.attributes.restore(*job.payload);
    initiators_[job.initiator].responses.push_back(&job);
    return offer_responses(job.initiator);
  }
  Order& order = order_[job.initiator * targets_.size() + job.target];
  order.early.push_back(&job);
  const auto due = [&order](const Job* early) { return early->number == order.due; };
  for (auto next = order.early.end() - 1; next != order.early.end();
       next = std::find_if(order.early.begin(), order.early.end(), due)) {
    if (!due(*next)) return;
    targets_[job.target].requests.push_back(*next);
    order.early.erase(next);
    ++order.due;
  }
  offer_requests(job.target);
}

void TransactionNetwork::act(Job& job, DueEntry due, const sc_time& delay) {
  if (delay == SC_ZERO_TIME) carry_out(job, due);
  else plan(job, due, delay);
}

void TransactionNetwork::carry_out(Job& job, DueEntry due) {
  switch (due) {
    case DueEntry::accept: return accept(job);
    case DueEntry::send: return send(job);
    case DueEntry::arrive: return arrived(job);
    case DueEntry::end_request:
      if (targets_[job.target].requesting != &job) return;
      targets_[job.target].requesting = nullptr;
      return offer_requests(job.target);
    case DueEntry::answer: return take_answer(job);
    case DueEntry::end_response: return finish(job);
  }
}

void TransactionNetwork::run_events() {
  for (std::pair<Job*, DueEntry> entry; events_.take(entry, event_due_);) carry_out(*entry.first, entry.second);
}

TransactionNetwork::Call::Call(TransactionNetwork& network, const PendingTransaction& request)
    : PendingTransaction(request), network_(network) {
  brought_ = payload->get_extension<TransportRecord>() != nullptr;
  record = network_.give_record(*payload, initiator, target);
  network_.translate(*payload, target);
  network_.calls_.push_back(this);
  network_.calls_made_.notify(SC_ZERO_TIME);
}

TransactionNetwork::Call::~Call() {
  std::vector<const Call*>& calls = network_.calls_;
  calls.erase(std::find(calls.begin(), calls.end(), this));
  attributes.restore(*payload);
  if (!brought_) network_.take_record(*payload, record);
  if (network_.outstanding() == 0) network_.patience_over_.cancel();
}

/// Most calls of targets return before the next delta cycle begins, and cost no timed event.
void TransactionNetwork::look_at_calls() {
  if (!calls_.empty() && patience_ > 0) patience_over_.notify(begin_of(patience_));
}

void TransactionNetwork::watch() {
  const PendingTransaction* oldest = calls_.empty() ? nullptr : calls_.front();
  bool with_initiator = false;
  for (const Job& job : jobs_)
    if (job.id >= 0 && (oldest == nullptr || job.id < oldest->id)) {
      oldest = &job;
      with_initiator = job.carried == nullptr && (job.back || job.refused);
    }
  if (oldest == nullptr) return;
  const sc_time until = oldest->since + begin_of(patience_);
  if (until > sc_time_stamp()) return patience_over_.notify(until - sc_time_stamp());
  std::string text = "transaction " + std::to_string(oldest->id) + ", a " +
                     described(*oldest->payload, oldest->attributes.address()) + " by initiator " +
                     std::to_string(oldest->initiator);
  const std::string ending = " for " + std::to_string(patience_) + " steps; ";
  if (with_initiator) {
    text +=
        ", waits for the END_RESP of a response" + ending + "does the initiator send it, or is `patience` too short?";
    if (!explicit_initiator_phases_)
      text += " An initiator that ignores what nb_transport_fw returns needs `explicit_initiator_phases`";
  } else {
    text += ", has had no response from target " + std::to_string(oldest->target) + ending +
            "does the target answer it, or is `patience` too short?";
    if (targets_[oldest->target].shortened)
      text += " A target that ignores what nb_transport_bw returns needs `explicit_target_phases`";
  }
  SC_REPORT_ERROR(interconnect_report, text.c_str());
}

void TransactionNetwork::break_protocol(const std::string& text) const {
  SC_REPORT_ERROR(interconnect_report, (std::string(name()) + ": " + text).c_str());
  throw std::logic_error(text);  // if the program has set reports not to throw
}

}  // namespace starloom
