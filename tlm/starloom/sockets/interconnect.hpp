// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as a loosely timed TLM-2.0 interconnect (IEEE 1666-2011).
#include <starloom/sockets/mapped_sockets.hpp>

namespace starloom {

/// Carries transactions of the base protocol from any initiator to the target that owns the address.
///
/// Addresses and errors: MappedSockets. Time: `b_transport` adds, without waiting, the steps of the request to the
/// target and those of the response back, as if the network were empty. A packet of L flits takes the latencies of
/// the links of its fastest path and L - 1 steps, 0 if initiator and target share a node; it has one flit for each
/// `flit_bytes` bytes of data that it carries (written data in the request, read data in the response), and one if
/// there are none. Latencies of direct memory access grow by the round trip of packets of one flit. Initiators that
/// call `nb_transport_fw` are served by the same `b_transport`, which the socket calls for them.
class Interconnect : public MappedSockets {
 public:
  /// Error report if a node is not a processor of the network, ranges are empty or overlap, or a number is below 1.
  Interconnect(const sc_core::sc_module_name& name, const NetworkGraph& graph, const InterconnectOptions& options);

  /// Steps of `bytes` bytes of data from an initiator to a target, or back, in the empty network.
  std::int64_t steps(std::size_t initiator, std::size_t target, std::uint64_t bytes) const;

 private:
  sc_core::sc_time time(std::size_t initiator, std::size_t target, std::uint64_t bytes) const;

  void b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
  sc_core::sc_time both_ways(std::size_t initiator, std::size_t target) const override {
    return time(initiator, target, 0) + time(initiator, target, 0);
  }

  std::vector<std::int64_t> head_steps_;  ///< [initiator * targets + target]: link latencies on the path
  sc_core::sc_time period_;
  std::uint64_t flit_bytes_;
};

}  // namespace starloom
