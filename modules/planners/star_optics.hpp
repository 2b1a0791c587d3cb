#pragma once
/// \file Before a POPS network is built: the optical power budget of its couplers, its parts, the slots and the energy
/// that each algorithm will take.
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/pops.hpp"

namespace starloom {

/// Powers in dBm, losses in dB.
struct OpticalParts {
  double launch_dbm = 0;         ///< into the coupler, from a laser of 1 mW
  double sensitivity_dbm = -23;  ///< of the receiver, at its error rate
  double margin_db = 3;          ///< that must be left for ageing and temperature
  double excess_db = 0.3;        ///< of each stage of 2 x 2 couplers, beyond the splitting
  double connectors_db = 0;      ///< all connectors of a path together
};

/// What a coupler of d inputs and d outputs loses: 10 log10 d by splitting, the excess of ceil(log2 d) stages,
/// connectors.
double coupler_loss_db(const OpticalParts& parts, std::int32_t group_size);
/// Received power above the receiver's sensitivity; the network is legal if this is at least `margin_db`.
double power_margin_db(const OpticalParts& parts, std::int32_t group_size);
/// The largest legal d, 0 if there is none. At most 2^30.
std::int32_t largest_group_size(const OpticalParts& parts);

struct StarParts {
  std::int64_t couplers = 0;      ///< g^2
  std::int64_t transmitters = 0;  ///< g a processor
  std::int64_t receivers = 0;     ///< g a processor
};
StarParts parts_of(const Pops& pops);

/// Slots for a permutation of the whole network.
struct ExpectedSlots {
  std::int64_t offline = 0;
  std::int64_t comparator_sort = 0;
  std::optional<double> randomized;  ///< by the mean field; none if neither of d, g divides the other
  std::optional<double>
      published;  ///< B, the published cost formula of the older deterministic algorithm: g | d, g = 2^k
};
/// `C` as in the law of participation of `randomized`, whose mean over uniform permutations is met within 2 % for d >=
/// g and g >= 32, and up to a fifth too low for d < g.
ExpectedSlots expected_slots(const Pops& pops, double C = 4);

/// The networks of n processors, d ascending, whose couplers are legal.
std::vector<Pops> legal_networks(const OpticalParts& parts, std::int64_t nodes);

/// Durations in ns. Acknowledgements carry no payload, so their slots may be shorter.
struct SlotTimes {
  double data_ns = 0;
  double ack_ns = 0;
  double guard_ns = 0;  ///< between slots: tuning, synchronization
};
/// A cycle of `randomized`: three data slots, two acknowledgements, five guards.
double cycle_time_ns(const SlotTimes& times);
/// Energy of a delivered packet: drives of couplers times energy a drive, by kind. \throws std::invalid_argument if no
/// packet was delivered.
double energy_per_packet(std::int64_t data_drives, double data_energy, std::int64_t ack_drives, double ack_energy,
                         std::int64_t delivered);

}  // namespace starloom
