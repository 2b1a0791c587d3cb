// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/transaction_platform.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tlm>

#include <starloom/sockets/transaction_network.hpp>

namespace starloom::links {
namespace {

/// The data that all initiators share.
struct Play {
  const std::vector<Transaction>& transactions;
  std::vector<PlayedTransaction> played;
  std::size_t left;
  std::function<void()> on_end;

  void answered(std::size_t number, const tlm::tlm_generic_payload& payload, Step step,
                std::vector<std::uint8_t> data) {
    PlayedTransaction& over = played[number];
    over.completed = step;
    over.status = payload.get_response_string();
    if (transactions[number].command == Transaction::Command::read && payload.is_response_ok())
      over.data = std::move(data);
    if (--left == 0 && on_end) on_end();
  }
};

/// A payload with the number of its transaction and the data.
struct PlayedPayload final : tlm::tlm_generic_payload {
  PlayedPayload(tlm::tlm_mm_interface* owner, std::size_t its_number, const Transaction& requested)
      : tlm_generic_payload(owner), number(its_number), data(requested.data), byte_enables(requested.byte_enables) {
    constexpr tlm::tlm_command commands[] = {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND};
    set_command(commands[static_cast<std::size_t>(requested.command)]);
    set_address(requested.address);
    data.resize(requested.length);
    set_data_ptr(data.data());
    set_data_length(requested.length);
    set_streaming_width(requested.length);
    if (byte_enables.empty()) return;
    set_byte_enable_ptr(byte_enables.data());
    set_byte_enable_length(static_cast<unsigned>(byte_enables.size()));
  }
  std::size_t number;
  std::vector<std::uint8_t> data, byte_enables;
};

/// Starts the transactions of one initiator at the steps in their file.
class PlayingInitiator final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<PlayingInitiator> socket;

  SC_HAS_PROCESS(PlayingInitiator);
  PlayingInitiator(const sc_core::sc_module_name& name, Play& play, std::vector<std::size_t> numbers,
                   const TransactionPlatform::Parts& parts)
      : sc_module(name),
        socket("socket"),
        play_(play),
        numbers_(std::move(numbers)),
        period_(parts.period.value()),
        until_(parts.until) {
    socket.register_nb_transport_bw(this, &PlayingInitiator::nb_transport_bw);
    SC_METHOD(make);
  }

 private:
  void make() {
    for (; next_ < numbers_.size(); ++next_) {
      const Transaction& requested = play_.transactions[numbers_[next_]];
      if (until_ != no_step && requested.time + 1 >= until_) return;
      const auto at = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(requested.time) * period_);
      if (at > sc_core::sc_time_stamp()) return next_trigger(at - sc_core::sc_time_stamp());
      auto* const payload = new PlayedPayload(this, numbers_[next_], requested);
      payload->acquire();
      play_.played[payload->number].issued = requested.time;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      if (socket->nb_transport_fw(*payload, phase, delay) == tlm::TLM_COMPLETED) answer(*payload);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answer(static_cast<PlayedPayload&>(payload));
    return tlm::TLM_COMPLETED;
  }
  void answer(PlayedPayload& payload) {
    play_.answered(payload.number, payload, static_cast<Step>(sc_core::sc_time_stamp().value() / period_),
                   std::move(payload.data));
    payload.release();
  }
  void free(tlm::tlm_generic_payload* payload) override { delete static_cast<PlayedPayload*>(payload); }

  Play& play_;
  const std::vector<std::size_t> numbers_;  ///< of its transactions, by time
  const sc_dt::uint64 period_;
  const Step until_;
  std::size_t next_ = 0;
};

/// A memory of any size that begins with zeros, and responds immediately.
class SparseMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<SparseMemory> socket;

  explicit SparseMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &SparseMemory::nb_transport_fw);
  }

 private:
  static constexpr std::uint64_t page_bytes = 4096;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; payload.get_command() != tlm::TLM_IGNORE_COMMAND && i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == 0) continue;
      unsigned char& data = payload.get_data_ptr()[i];
      const std::uint64_t address = payload.get_address() + i;
      if (payload.is_write()) pages_[address / page_bytes][address % page_bytes] = data;
      else data = byte(address);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  unsigned char byte(std::uint64_t address) const {
    const auto page = pages_.find(address / page_bytes);
    return page == pages_.end() ? 0 : page->second[address % page_bytes];
  }

  std::map<std::uint64_t, std::array<unsigned char, page_bytes>> pages_;
};

/// [initiator] the numbers of its transactions, by time, then in the order of the file.
std::vector<std::vector<std::size_t>> by_initiator(const TransactionPlan& plan) {
  std::vector<std::vector<std::size_t>> numbers(plan.initiators.size());
  for (std::size_t i = 0; i < plan.transactions->size(); ++i)
    numbers[static_cast<std::size_t>((*plan.transactions)[i].initiator)].push_back(i);
  for (std::vector<std::size_t>& list : numbers)
    std::stable_sort(list.begin(), list.end(), [&plan](std::size_t a, std::size_t b) {
      return (*plan.transactions)[a].time < (*plan.transactions)[b].time;
    });
  return numbers;
}

TransactionNetworkOptions options_of(const TransactionPlan& plan, const TransactionPlatform::Parts& parts) {
  TransactionNetworkOptions options;
  options.view = plan.view;
  options.initiators = plan.initiators;
  options.targets = plan.targets;
  options.period = parts.period;
  options.flit_bytes = plan.flit_bytes;
  options.patience = 0;  // the run has a watchdog of its own
  options.on_packet = parts.on_packet;
  options.contents = parts.contents;
  return options;
}

}  // namespace

struct TransactionPlatform::Modules {
  Modules(const TransactionPlan& plan, const Parts& parts)
      : play{*plan.transactions, std::vector<PlayedTransaction>(plan.transactions->size()), plan.transactions->size(),
             parts.on_end} {
    const TransactionNetworkOptions options = options_of(plan, parts);
    sockets = parts.hardware != nullptr
                  ? std::make_unique<TransactionNetwork>("transactions", *parts.hardware, *parts.algorithm, options)
                  : std::make_unique<TransactionNetwork>("transactions", *parts.network, *parts.algorithm, options);
    auto numbers = by_initiator(plan);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      initiators.push_back(std::make_unique<PlayingInitiator>(("initiator_" + std::to_string(i)).c_str(), play,
                                                              std::move(numbers[i]), parts));
      initiators.back()->socket.bind(sockets->target_socket[i]);
    }
    for (std::size_t j = 0; j < plan.targets.size(); ++j) {
      memories.push_back(std::make_unique<SparseMemory>(("memory_" + std::to_string(j)).c_str()));
      sockets->initiator_socket[j].bind(memories.back()->socket);
    }
  }

  Play play;
  std::unique_ptr<TransactionNetwork> sockets;
  std::vector<std::unique_ptr<PlayingInitiator>> initiators;
  std::vector<std::unique_ptr<SparseMemory>> memories;
};

TransactionPlatform::TransactionPlatform(const TransactionPlan& plan, const Parts& parts)
    : modules_(std::make_unique<Modules>(plan, parts)) {}

TransactionPlatform::~TransactionPlatform() = default;

bool TransactionPlatform::pending() const { return modules_->play.left > 0; }

const std::vector<PlayedTransaction>& TransactionPlatform::played() const { return modules_->play.played; }

std::vector<std::string> unanswered(const TransactionPlan& plan, const std::vector<PlayedTransaction>& played,
                                    std::size_t most) {
  std::vector<std::string> lines;
  std::size_t left = 0;
  for (std::size_t i = 0; i < played.size(); ++i) {
    if (played[i].completed != no_step || ++left >= most) continue;
    const Transaction& requested = (*plan.transactions)[i];
    lines.push_back("transaction " + std::to_string(i) + " of initiator " + std::to_string(requested.initiator) +
                    (played[i].issued == no_step ? " was not issued" : " has no response"));
  }
  if (left > lines.size()) lines.push_back(std::to_string(left) + " transactions without a response in total");
  return lines;
}

}  // namespace starloom::links
