// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A target as a network calls it, by the interface that it has.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>

#include <starloom/sockets/mapped_sockets.hpp>

namespace starloom {

/// What is bound to `initiator_socket[number]` of a network. No socket can be asked which callbacks are registered
/// behind it: PlacedTarget says it, or the first call shows it.
class BoundTarget {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// \param network outlives this. \param blocking as PlacedTarget has it.
  BoundTarget(MappedSockets& network, std::size_t number, std::optional<bool> blocking)
      : network_(&network), number_(number), blocking_(blocking) {}

  /// Whether it has `b_transport` alone; no value: not known yet.
  std::optional<bool> blocking() const { return blocking_; }
  /// What it returns for BEGIN_REQ. Without a value it has `b_transport` alone: a first call that ends in an error
  /// report shows that, with a warning. \throws sc_core::sc_report of the target
  std::optional<tlm::tlm_sync_enum> begin_request(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  /// Calls `b_transport` in the process that runs. Error report with this target and the remedy if it has none.
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  /// Calls `b_transport` in a thread of the network, and then `over` with the delay that it has returned. One call at a
  /// time.
  void call_in_thread(Payload& payload, std::function<void(const sc_core::sc_time&)> over);
  /// "target 2 (memory.socket)"
  std::string name() const;

 private:
  void serve();

  MappedSockets* network_;
  std::size_t number_;
  std::optional<bool> blocking_;
  bool asked_ = false;  ///< `nb_transport_fw` has been called
  // The call of the thread.
  Payload* payload_ = nullptr;
  std::function<void(const sc_core::sc_time&)> over_{};
  std::unique_ptr<sc_core::sc_event> due_{};  ///< null: there is no thread yet
};

}  // namespace starloom
