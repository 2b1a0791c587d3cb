// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/mapped_sockets.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace starloom {
namespace {

AddressMap map_of(const NetworkGraph& graph, const InterconnectOptions& options) {
  try {
    if (options.flit_bytes < 1) throw std::invalid_argument("a flit needs at least 1 byte");
    return checked_map(graph, options.initiators, options.targets);
  } catch (const std::invalid_argument& error) {
    SC_REPORT_ERROR(interconnect_report, error.what());
    throw;  // if the program has set reports not to throw
  }
}

std::optional<TransactionCommand> command_of(const tlm::tlm_generic_payload& payload) {
  switch (payload.get_command()) {
    case tlm::TLM_READ_COMMAND: return TransactionCommand::read;
    case tlm::TLM_WRITE_COMMAND: return TransactionCommand::write;
    case tlm::TLM_IGNORE_COMMAND: return TransactionCommand::ignore;
  }
  return std::nullopt;
}

TransactionRequest asked_by(const tlm::tlm_generic_payload& payload) {
  return {command_of(payload),           payload.get_data_ptr() != nullptr,        payload.get_data_length(),
          payload.get_streaming_width(), payload.get_byte_enable_ptr() != nullptr, payload.get_byte_enable_length()};
}

tlm::tlm_response_status response_to(TransactionError error) {
  switch (error) {
    case TransactionError::none: return tlm::TLM_INCOMPLETE_RESPONSE;
    case TransactionError::command: return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case TransactionError::burst: return tlm::TLM_BURST_ERROR_RESPONSE;
    case TransactionError::byte_enable: return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    case TransactionError::generic: break;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

std::string described(const tlm::tlm_generic_payload& transaction, std::uint64_t address) {
  char text[96];
  std::snprintf(text, sizeof text, "%s of %u bytes at 0x%llx",
                transaction.is_read()    ? "read"
                : transaction.is_write() ? "write"
                                         : "ignored command",
                transaction.get_data_length(), static_cast<unsigned long long>(address));
  return text;
}

MappedSockets::MappedSockets(const sc_core::sc_module_name& name, const NetworkGraph& graph,
                             const InterconnectOptions& options)
    : sc_module(name),
      target_socket("target_socket", options.initiators.size()),
      initiator_socket("initiator_socket", options.targets.size()),
      map_(map_of(graph, options)),
      strict_(options.strict) {
  for (std::size_t i = 0; i < target_socket.size(); ++i) {
    const int tag = static_cast<int>(i);
    target_socket[i].register_b_transport(this, &MappedSockets::b_transport, tag);
    target_socket[i].register_transport_dbg(this, &MappedSockets::transport_dbg, tag);
    target_socket[i].register_get_direct_mem_ptr(this, &MappedSockets::get_direct_mem_ptr, tag);
  }
  for (std::size_t i = 0; i < initiator_socket.size(); ++i)
    initiator_socket[i].register_invalidate_direct_mem_ptr(this, &MappedSockets::invalidate_direct_mem_ptr,
                                                           static_cast<int>(i));
}

std::optional<MappedSockets::Destination> MappedSockets::destination_of(int initiator,
                                                                        tlm::tlm_generic_payload& transaction) {
  const TransactionRequest request = asked_by(transaction);
  LooseAttribute loose = LooseAttribute::none;
  if (!is_plain(request)) {
    if (const TransactionError error = error_of(request, strict_); error != TransactionError::none) {
      transaction.set_response_status(response_to(error));
      return std::nullopt;
    }
    loose = loose_attribute_of(request);
  }
  const std::uint64_t width = loose == LooseAttribute::no_streaming_width ? request.length : request.streaming_width;
  const auto target = map_.find(transaction.get_address(), std::min(request.length, width));
  if (!target) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return std::nullopt;
  }
  if (loose != LooseAttribute::none) warn_of(loose, initiator, transaction);
  return Destination{*target, {*request.command, request.length, request.has_byte_enables}};
}

void MappedSockets::warn_of(LooseAttribute loose, int initiator, const tlm::tlm_generic_payload& transaction) {
  bool& warned = warned_[static_cast<std::size_t>(loose)];
  if (warned) return;
  warned = true;
  struct Words {
    const char *what, *taken, *response;
  };
  constexpr Words words[] = {
      {},
      {"data length 0", "is taken as an access that moves no data", "TLM_BURST_ERROR_RESPONSE"},
      {"streaming width 0", "is taken as the data length", "TLM_BURST_ERROR_RESPONSE"},
      {"byte enables longer than the data", "are taken up to the data length", "TLM_BYTE_ENABLE_ERROR_RESPONSE"}};
  const auto& [what, taken, response] = words[static_cast<std::size_t>(loose)];
  const std::string text = std::string(name()) + ": initiator " + std::to_string(initiator) + " makes a " +
                           described(transaction, transaction.get_address()) + " with " + what + ", which " + taken +
                           ", here and later; set `strict` of the options to answer " + response;
  SC_REPORT_WARNING(interconnect_report, text.c_str());
}

void MappedSockets::translate(tlm::tlm_generic_payload& transaction, std::size_t target) const {
  transaction.set_address(transaction.get_address() - map_.range(target).base);
  const unsigned length = transaction.get_data_length();
  if (transaction.get_command() == tlm::TLM_IGNORE_COMMAND || length == 0) return;
  if (transaction.get_streaming_width() == 0) transaction.set_streaming_width(length);
  if (transaction.get_byte_enable_length() > length) transaction.set_byte_enable_length(length);
}

unsigned int MappedSockets::transport_dbg(int /*initiator*/, tlm::tlm_generic_payload& transaction) {
  const std::uint64_t address = transaction.get_address();
  const auto target = map_.find(address, 0);
  if (!target) return 0;
  const AddressRange& range = map_.range(*target);
  const RestoredAttributes restored(transaction);
  const std::uint64_t behind = range.last() - address;  // bytes of the range after the first
  if (transaction.get_data_length() > behind) transaction.set_data_length(static_cast<unsigned>(behind + 1));
  transaction.set_address(address - range.base);
  return initiator_socket[*target]->transport_dbg(transaction);
}

bool MappedSockets::get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region) {
  const std::uint64_t address = transaction.get_address();
  const auto target = map_.find(address, 0);
  const auto refuse = [&region](std::uint64_t first, std::uint64_t last) {
    region.set_start_address(first);
    region.set_end_address(last);
    region.allow_none();
    return false;
  };
  if (!target) {
    const auto [first, last] = map_.gap(address);
    return refuse(first, last);
  }
  if (!lets_direct_access()) return refuse(map_.range(*target).base, map_.range(*target).last());
  const AddressRange& range = map_.range(*target);
  const RestoredAttributes restored(transaction);
  transaction.set_address(address - range.base);
  const bool granted = initiator_socket[*target]->get_direct_mem_ptr(transaction, region);
  // Translation back to the initiator's addresses is the interconnect's duty, whether access is granted or refused.
  region.set_start_address(range.base + region.get_start_address());
  region.set_end_address(range.base + std::min<std::uint64_t>(region.get_end_address(), range.size - 1));
  const sc_core::sc_time more = both_ways(static_cast<std::size_t>(initiator), *target);
  region.set_read_latency(region.get_read_latency() + more);
  region.set_write_latency(region.get_write_latency() + more);
  return granted;
}

void MappedSockets::invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  const AddressRange& range = map_.range(static_cast<std::size_t>(target));
  if (first >= range.size) return;
  last = std::min<std::uint64_t>(last, range.size - 1);
  for (TargetSocket& socket : target_socket) socket->invalidate_direct_mem_ptr(range.base + first, range.base + last);
}

}  // namespace starloom
