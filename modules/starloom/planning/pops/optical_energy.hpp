// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy of the parts of transmitters and receivers of a POPS network (docs/optics.md).
#include <starloom/planning/pops/optics.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// A number of slots, or of messages that last one slot each, by the kind of message.
struct SlotTally {
  double data = 0;
  double acks = 0;
};

/// The use of transmitters and receivers in a run.
struct OpticalUse {
  SlotTally slots;    ///< of the run
  SlotTally drives;   ///< of couplers, each by one transmitter
  SlotTally listens;  ///< of receivers, in silence and collisions too
  SlotTally heard;    ///< of these, with a message
};

/// In pJ.
struct OpticalEnergy {
  double laser_pj = 0;
  double modulators_pj = 0;
  double receivers_pj = 0;         ///< of the bits that are heard
  double receivers_static_pj = 0;  ///< of receivers that are on
  double tuning_pj = 0;

  double total_pj() const { return laser_pj + modulators_pj + receivers_pj + receivers_static_pj + tuning_pj; }
};

/// Electrical power of a laser that is on, in mW.
double laser_mw(const OpticalParts& parts, const Transceivers& transceivers, std::int32_t group_size);

/// A laser or a receiver is on for whole slots, guard times included.
OpticalEnergy energy_of(const OpticalParts& parts, const Transceivers& transceivers, const Pops& pops,
                        const OpticalUse& use);

}  // namespace starloom::pops
