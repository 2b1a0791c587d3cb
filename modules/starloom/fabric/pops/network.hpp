// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The netlist builder of POPS networks: any sizes, any controllers, as bound SystemC modules.
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include <starloom/fabric/pops/fabric.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>

namespace starloom::pops {

struct NetworkOptions {
  std::uint64_t seed = 1;
  /// One slot, if no clock is bound; without a value: 1 ns. An sc_time of 1 ns here would fix the time resolution.
  std::optional<sc_core::sc_time> period;
  const DeadCouplers* dead = nullptr;  ///< couplers out of service; null: none
  /// Makes a coupler; null: plain ones. (name, destination group, source group)
  std::function<std::unique_ptr<PassiveStar>(const char*, std::int32_t, std::int32_t)> make_coupler;
  // Without an effect on the result:
  std::uint64_t shuffle = 0;  ///< permutes construction and evaluation order
  int threads = 1;            ///< per slot, at most one per group
};

/// A whole network: `fabric`, a processor with its buffer for each node, a coupler for each pair of groups, a transmit
/// row and a receive column for each group, all bound. Names are those of the topology (`proc_g02_p01`,
/// `proc_g02_p01.buffer`, `coupler_to02_from05`, `row_from05`, `column_to02`). Grid and controllers must outlive it.
class Network final : public sc_core::sc_module {
 public:
  /// `destination` [packet], `no_node`: all processors.
  Network(const sc_core::sc_module_name& name, const Pops& pops, ControllerArray& controllers, const Program& program,
          std::vector<NodeId> destination, const NetworkOptions& options = {});

  Fabric fabric;

  Processor& processor(NodeId id) { return *processors_[static_cast<std::size_t>(id)]; }
  PassiveStar& coupler(std::int32_t to, std::int32_t from) {
    return *couplers_[static_cast<std::size_t>(pops_.coupler(to, from))];
  }
  /// Number of modules of the network, including itself.
  std::size_t module_count() const { return 2 + 2 * processors_.size() + couplers_.size() + 2 * rows_.size(); }

 private:
  void build_couplers(const NetworkOptions& options);

  const Pops pops_;
  std::vector<std::unique_ptr<PassiveStar>> couplers_;  ///< [Pops::coupler]
  std::vector<std::unique_ptr<TransmitRow>> rows_;      ///< [group]
  std::vector<std::unique_ptr<ReceiveColumn>> columns_;
  std::vector<std::unique_ptr<Processor>> processors_;
};

}  // namespace starloom::pops
