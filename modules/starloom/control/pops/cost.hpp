// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What an algorithm of POPS networks takes for a permutation of the whole network. Computed in
/// planning/pops/optics.hpp; units of time and energy come from the optical parts there.

namespace starloom::pops {

struct Cost {
  double data_slots = 0;
  double ack_slots = 0;
  double data_drives = 0;  ///< of couplers, for each packet
  double ack_drives = 0;   ///< for each packet

  double slots() const { return data_slots + ack_slots; }
};

}  // namespace starloom::pops
