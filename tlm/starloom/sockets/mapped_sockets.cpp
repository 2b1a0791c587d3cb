// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/mapped_sockets.hpp>

#include <algorithm>
#include <stdexcept>

namespace starloom {
namespace {

AddressMap map_of(const NetworkGraph& graph, const InterconnectOptions& options) {
  try {
    if (options.flit_bytes < 1) throw std::invalid_argument("a flit needs at least 1 byte");
    return checked_map(graph, options.initiators, options.targets);
  } catch (const std::invalid_argument& fault) {
    SC_REPORT_ERROR(interconnect_report, fault.what());
    throw;  // where somebody has told reports not to throw
  }
}

}  // namespace

MappedSockets::MappedSockets(const sc_core::sc_module_name& name, const NetworkGraph& graph,
                             const InterconnectOptions& options)
    : sc_module(name),
      target_socket("target_socket", options.initiators.size()),
      initiator_socket("initiator_socket", options.targets.size()),
      map_(map_of(graph, options)) {
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

std::optional<std::size_t> MappedSockets::target_of(const tlm::tlm_generic_payload& transaction) const {
  return map_.find(transaction.get_address(),
                   std::min<std::uint64_t>(transaction.get_data_length(), transaction.get_streaming_width()));
}

unsigned int MappedSockets::transport_dbg(int /*initiator*/, tlm::tlm_generic_payload& transaction) {
  const auto target = map_.find(transaction.get_address(), transaction.get_data_length());
  if (!target) return 0;
  transaction.set_address(transaction.get_address() - map_.range(*target).base);
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
  transaction.set_address(address - range.base);
  const bool granted = initiator_socket[*target]->get_direct_mem_ptr(transaction, region);
  // The way back to the initiator's addresses is the interconnect's duty, whether access is granted or refused.
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
