// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A target as a network calls it, through the interface that it has.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>

#include <starloom/sockets/mapped_sockets.hpp>

namespace starloom {

/// The target behind `initiator_socket[number]` of a network. A socket does not reveal which callbacks are
/// registered, so the interface is the one given in PlacedTarget, or the one found by the first call.
class BoundTarget {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// \param network outlives this. \param blocking as in PlacedTarget.
  BoundTarget(MappedSockets& network, std::size_t number, std::optional<bool> blocking)
      : network_(&network), number_(number), blocking_(blocking) {}

  /// True if the target has only `b_transport`; no value: not known yet.
  std::optional<bool> blocking() const { return blocking_; }
  /// Sends BEGIN_REQ and returns the target's answer; no value if the target has only `b_transport`. An error report
  /// of the first call is interpreted as that case and becomes a warning. \throws sc_core::sc_report of later calls
  std::optional<tlm::tlm_sync_enum> begin_request(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  /// Calls `b_transport` in the current process. If it is missing, an error report names the target and the option.
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  /// Calls `b_transport` in a thread of the network, then `over` with the delay that it returned. One call at a time.
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
  std::unique_ptr<sc_core::sc_event> due_{};  ///< null: the thread does not exist yet
};

}  // namespace starloom
