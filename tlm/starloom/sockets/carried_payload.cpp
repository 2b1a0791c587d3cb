// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/carried_payload.hpp>

#include <algorithm>

namespace starloom {

CarriedPayload::CarriedPayload(tlm::tlm_generic_payload& caller) : caller_(&caller) {
  set_mm(this);
  set_command(caller.get_command());
  set_address(caller.get_address());
  set_data_length(caller.get_data_length());
  set_streaming_width(caller.get_streaming_width());
  set_byte_enable_length(caller.get_byte_enable_length());
  set_response_status(caller.get_response_status());
  set_dmi_allowed(caller.is_dmi_allowed());
  set_gp_option(caller.get_gp_option());
  // Including the initial buffer of a read, because byte enables leave some of it unchanged.
  if (const unsigned char* const data = caller.get_data_ptr(); data != nullptr) {
    data_.assign(data, data + caller.get_data_length());
    set_data_ptr(data_.data());
  }
  if (const unsigned char* const enables = caller.get_byte_enable_ptr(); enables != nullptr) {
    byte_enables_.assign(enables, enables + caller.get_byte_enable_length());
    set_byte_enable_ptr(byte_enables_.data());
  }
  caller.resize_extensions();  // payloads that are made before `main` may have fewer slots
  for (unsigned number = 0; number < tlm::max_num_extensions(); ++number) {
    lent_.push_back(caller.get_extension(number));
    if (lent_.back() != nullptr) set_extension(number, lent_.back());
  }
}

template <class Replace>
void CarriedPayload::replace_borrowed(Replace replace) {
  for (unsigned number = 0; number < lent_.size(); ++number)
    if (lent_[number] != nullptr && get_extension(number) == lent_[number])
      set_extension(number, replace(lent_[number]));
  lent_.clear();
  caller_ = nullptr;
}

void CarriedPayload::copy_back() {
  caller_->set_response_status(get_response_status());
  caller_->set_dmi_allowed(is_dmi_allowed());
  caller_->set_gp_option(get_gp_option());
  if (!is_write()) std::copy(data_.begin(), data_.end(), caller_->get_data_ptr());
  const bool last = get_ref_count() == 1;
  for (unsigned number = 0; last && caller_->has_mm() && number < lent_.size(); ++number)
    if (get_extension(number) != nullptr && caller_->get_extension(number) == nullptr)
      caller_->set_auto_extension(number, set_extension(number, nullptr));
  if (last) abandon_caller();
  else leave_caller();
}

void CarriedPayload::leave_caller() {
  replace_borrowed([](const tlm::tlm_extension_base* extension) { return extension->clone(); });
}

void CarriedPayload::abandon_caller() {
  replace_borrowed([](const tlm::tlm_extension_base*) { return static_cast<tlm::tlm_extension_base*>(nullptr); });
}

}  // namespace starloom
