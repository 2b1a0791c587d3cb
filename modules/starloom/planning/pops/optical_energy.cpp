// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/optical_energy.hpp>

#include <cmath>

namespace starloom::pops {
namespace {

double length_ns(const OpticalParts& parts, const SlotTally& slots) {
  return slots.data * data_slot_ns(parts) + slots.acks * ack_slot_ns(parts);
}

double bits(const OpticalParts& parts, const SlotTally& messages) {
  return 8 * (messages.data * parts.data_bytes + messages.acks * parts.ack_bytes);
}

}  // namespace

double laser_mw(const OpticalParts& parts, const Transceivers& transceivers, std::int32_t group_size) {
  return std::pow(10, launch_power_dbm(parts, group_size) / 10) / transceivers.laser_efficiency;
}

OpticalEnergy energy_of(const OpticalParts& parts, const Transceivers& transceivers, const Pops& pops,
                        const OpticalUse& use) {
  const Parts count = parts_of(pops);
  const auto transmitters = static_cast<double>(count.transmitters), receivers = static_cast<double>(count.receivers);
  const double run_ns = length_ns(parts, use.slots);
  OpticalEnergy energy;
  energy.laser_pj = laser_mw(parts, transceivers, pops.group_size()) *
                    (transceivers.lasers_always_on ? transmitters * run_ns : length_ns(parts, use.drives));
  energy.modulators_pj = transceivers.modulator_pj_per_bit * bits(parts, use.drives);
  energy.receivers_pj = transceivers.receiver_pj_per_bit * bits(parts, use.heard);
  energy.receivers_static_pj = transceivers.receiver_mw *
                               (transceivers.receivers_always_on ? receivers * run_ns : length_ns(parts, use.listens));
  energy.tuning_pj = transceivers.tuning_mw * (transmitters + receivers) * run_ns;
  return energy;
}

}  // namespace starloom::pops
