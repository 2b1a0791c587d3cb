// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/bound_target.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace starloom {

/// A target without nb_transport_fw reports an error, which must not end a design that works with `b_transport`.
std::optional<tlm::tlm_sync_enum> BoundTarget::begin_request(Payload& payload, tlm::tlm_phase& phase,
                                                             sc_core::sc_time& delay) {
  if (blocking_ == true) return std::nullopt;
  const bool first = !std::exchange(asked_, true);
  try {
    return network_->initiator_socket[number_]->nb_transport_fw(payload, phase, delay);
  } catch (const sc_core::sc_report& report) {
    if (blocking_ || !first) throw;
    blocking_ = true;
    const std::string text = std::string(network_->name()) + ": the first nb_transport_fw of " + name() +
                             " ends in an error report (" + report.get_msg() +
                             "); its b_transport is called, here and later. Set `blocking` of the target to true if it "
                             "has no nb_transport_fw, else to false";
    SC_REPORT_WARNING(interconnect_report, text.c_str());
    return std::nullopt;
  }
}

void BoundTarget::b_transport(Payload& payload, sc_core::sc_time& delay) {
  try {
    network_->initiator_socket[number_]->b_transport(payload, delay);
  } catch (const sc_core::sc_report& report) {
    // From a convenience socket, not from the model behind it.
    if (std::string_view(report.get_msg_type()).substr(0, 12) != "/OSCI_TLM-2/") throw;
    const std::string text = std::string(network_->name()) + ": b_transport of " + name() +
                             " ends in an error report of a socket (" + report.get_msg() +
                             "); set `blocking` of the target to false if it has nb_transport_fw alone";
    SC_REPORT_ERROR(interconnect_report, text.c_str());
  }
}

void BoundTarget::call_in_thread(Payload& payload, std::function<void(const sc_core::sc_time&)> over) {
  payload_ = &payload;
  over_ = std::move(over);
  const bool first = due_ == nullptr;
  if (first) due_ = std::make_unique<sc_core::sc_event>();
  due_->notify(sc_core::SC_ZERO_TIME);
  if (!first) return;
  sc_core::sc_spawn_options options;
  options.dont_initialize();
  options.set_sensitivity(due_.get());
  sc_core::sc_spawn([this] { serve(); }, sc_core::sc_gen_unique_name("serve"), &options);
}

void BoundTarget::serve() {
  for (;; sc_core::wait()) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    b_transport(*payload_, delay);
    over_(delay);
  }
}

std::string BoundTarget::name() const {
  const auto& socket = network_->initiator_socket[number_];
  const auto* const interface = dynamic_cast<const void*>(socket.get_interface());
  std::string name = std::string("bound to ") + socket.name();
  std::vector<sc_core::sc_object*> left = sc_core::sc_get_top_level_objects();
  while (!left.empty()) {
    sc_core::sc_object* const object = left.back();
    left.pop_back();
    const auto* const bound = dynamic_cast<const sc_core::sc_export_base*>(object);
    if (bound != nullptr && dynamic_cast<const void*>(bound->get_interface()) == interface) name = object->name();
    left.insert(left.end(), object->get_child_objects().begin(), object->get_child_objects().end());
  }
  return "target " + std::to_string(number_) + " (" + name + ")";
}

}  // namespace starloom
