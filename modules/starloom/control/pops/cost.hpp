// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The cost of an algorithm of POPS networks, which it returns for estimates. Those of the built-in algorithms
/// are computed in planning/pops/optics.hpp.

namespace starloom::pops {

/// Slots and drives of couplers for one permutation of the whole network.
struct Cost {
  double data_slots = 0;
  double ack_slots = 0;
  double data_drives = 0;  ///< of couplers, for each packet
  double ack_drives = 0;   ///< for each packet

  double slots() const { return data_slots + ack_slots; }
};

}  // namespace starloom::pops
