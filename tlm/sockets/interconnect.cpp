#include <starloom/sockets/interconnect.hpp>

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace starloom {
namespace {

void check_node(const NetworkGraph& graph, const char* what, std::size_t number, NodeId node) {
  const std::string place = std::string(what) + " " + std::to_string(number) + " sits at ";
  if (node < 0 || node >= graph.nodes())
    throw std::invalid_argument(place + "node " + std::to_string(node) + ", but the nodes are 0 to " +
                                std::to_string(graph.nodes() - 1));
  if (graph.role(node) == NodeRole::switch_node)
    throw std::invalid_argument(place + graph.node_name(node) + ", which is a switch, not a processor");
}

/// [node] the least sum of latencies on a way from a node; -1 where no way leads.
std::vector<std::int64_t> fastest_ways(const NetworkGraph& graph, NodeId from) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(graph.nodes()), -1);
  using Reached = std::pair<std::int64_t, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  next.emplace(0, from);
  while (!next.empty()) {
    const auto [at, node] = next.top();
    next.pop();
    if (steps[static_cast<std::size_t>(node)] >= 0) continue;
    steps[static_cast<std::size_t>(node)] = at;
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      next.emplace(at + graph.latency(node, port), graph.far_end(node, port).node);
    }
  }
  return steps;
}

}  // namespace

AddressMap Interconnect::checked_map(const NetworkGraph& graph, const InterconnectOptions& options) {
  std::vector<AddressRange> ranges;
  try {
    if (options.flit_bytes < 1) throw std::invalid_argument("a flit has less than 1 byte");
    for (std::size_t i = 0; i < options.initiators.size(); ++i)
      check_node(graph, "initiator", i, options.initiators[i]);
    for (std::size_t i = 0; i < options.targets.size(); ++i) {
      check_node(graph, "target", i, options.targets[i].node);
      ranges.push_back(options.targets[i].addresses);
    }
    return AddressMap(ranges);
  } catch (const std::invalid_argument& fault) {
    SC_REPORT_ERROR(interconnect_report, fault.what());
    throw;  // where somebody has told reports not to throw
  }
}

Interconnect::Interconnect(const sc_core::sc_module_name& name, const NetworkGraph& graph,
                           const InterconnectOptions& options)
    : sc_module(name),
      target_socket("target_socket", options.initiators.size()),
      initiator_socket("initiator_socket", options.targets.size()),
      map_(checked_map(graph, options)),
      period_(options.period),
      flit_bytes_(static_cast<std::uint64_t>(options.flit_bytes)) {
  for (std::size_t i = 0; i < target_socket.size(); ++i) {
    const int tag = static_cast<int>(i);
    target_socket[i].register_b_transport(this, &Interconnect::b_transport, tag);
    target_socket[i].register_transport_dbg(this, &Interconnect::transport_dbg, tag);
    target_socket[i].register_get_direct_mem_ptr(this, &Interconnect::get_direct_mem_ptr, tag);
    const std::vector<std::int64_t> steps = fastest_ways(graph, options.initiators[i]);
    for (const InterconnectOptions::Target& target : options.targets)
      head_steps_.push_back(steps[static_cast<std::size_t>(target.node)]);
  }
  for (std::size_t i = 0; i < initiator_socket.size(); ++i)
    initiator_socket[i].register_invalidate_direct_mem_ptr(this, &Interconnect::invalidate_direct_mem_ptr,
                                                           static_cast<int>(i));
}

std::int64_t Interconnect::steps(std::size_t initiator, std::size_t target, std::uint64_t bytes) const {
  const std::int64_t head = head_steps_[initiator * initiator_socket.size() + target];
  if (head == 0) return 0;
  const std::uint64_t flits = bytes == 0 ? 1 : (bytes - 1) / flit_bytes_ + 1;
  return head + static_cast<std::int64_t>(flits) - 1;
}

sc_core::sc_time Interconnect::time(std::size_t initiator, std::size_t target, std::uint64_t bytes) const {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(steps(initiator, target, bytes)) * period_.value());
}

void Interconnect::b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const std::uint64_t address = transaction.get_address(), bytes = transaction.get_data_length();
  // Beyond the streaming width the same addresses come again.
  const auto target = map_.find(address, std::min<std::uint64_t>(bytes, transaction.get_streaming_width()));
  if (!target) return transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const auto from = static_cast<std::size_t>(initiator);
  const std::uint64_t there = transaction.is_write() ? bytes : 0, back = transaction.is_read() ? bytes : 0;
  transaction.set_address(address - map_.range(*target).base);
  delay += time(from, *target, there);
  initiator_socket[*target]->b_transport(transaction, delay);
  delay += time(from, *target, back);
}

unsigned int Interconnect::transport_dbg(int /*initiator*/, tlm::tlm_generic_payload& transaction) {
  const auto target = map_.find(transaction.get_address(), transaction.get_data_length());
  if (!target) return 0;
  transaction.set_address(transaction.get_address() - map_.range(*target).base);
  return initiator_socket[*target]->transport_dbg(transaction);
}

bool Interconnect::get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region) {
  const std::uint64_t address = transaction.get_address();
  const auto target = map_.find(address, 0);
  if (!target) {
    const auto [first, last] = map_.gap(address);
    region.set_start_address(first);
    region.set_end_address(last);
    region.allow_none();
    return false;
  }
  const AddressRange& range = map_.range(*target);
  transaction.set_address(address - range.base);
  const bool granted = initiator_socket[*target]->get_direct_mem_ptr(transaction, region);
  // The way back to the initiator's addresses is the interconnect's duty, whether access is granted or refused.
  region.set_start_address(range.base + region.get_start_address());
  region.set_end_address(range.base + std::min<std::uint64_t>(region.get_end_address(), range.size - 1));
  const auto from = static_cast<std::size_t>(initiator);
  const sc_core::sc_time both_ways = time(from, *target, 0) + time(from, *target, 0);
  region.set_read_latency(region.get_read_latency() + both_ways);
  region.set_write_latency(region.get_write_latency() + both_ways);
  return granted;
}

void Interconnect::invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  const AddressRange& range = map_.range(static_cast<std::size_t>(target));
  if (first >= range.size) return;
  last = std::min<std::uint64_t>(last, range.size - 1);
  for (TargetSocket& socket : target_socket) socket->invalidate_direct_mem_ptr(range.base + first, range.base + last);
}

}  // namespace starloom
