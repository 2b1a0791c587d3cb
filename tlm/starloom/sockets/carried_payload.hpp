// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The payload that the network carries instead of that of a blocking call.
#include <tlm>
#include <vector>

namespace starloom {

/// A copy of the payload of a process that waits in `b_transport`, with data and byte enables of its own. The process
/// can be killed or reset there, which frees its payload and data; targets keep this copy as long as they need it.
/// Extensions are those of the caller while it waits, and clones of them afterwards.
///
/// On the heap only; it deletes itself when the last holder releases it.
class CarriedPayload final : public tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
 public:
  /// `caller` is not moved until `copy_back` or `leave_caller`. The new payload has no holder yet.
  explicit CarriedPayload(tlm::tlm_generic_payload& caller);

  /// Copies to the caller what its target has set: response status, DMI hint, payload option, and the data unless
  /// they were written; also extensions that a target has added, if the caller's payload has a memory manager to free
  /// them.
  void copy_back();
  /// Called when the process of the caller ends, with its payload. Clones the extensions that a target may still use.
  void leave_caller();
  /// As `leave_caller`, if the extensions may have been freed: at the end of the simulation.
  void abandon_caller();

 private:
  ~CarriedPayload() override = default;
  void free(tlm::tlm_generic_payload*) override { delete this; }
  /// Replaces each extension of the caller by the result of `replace`.
  template <class Replace>
  void replace_borrowed(Replace replace);

  tlm::tlm_generic_payload* caller_;
  std::vector<unsigned char> data_, byte_enables_;
  std::vector<tlm::tlm_extension_base*> lent_;  ///< [number of the extension] of the caller; null: none
};

}  // namespace starloom
