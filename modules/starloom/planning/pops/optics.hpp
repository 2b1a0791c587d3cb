// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Properties of a POPS network before it is built: the optical power budget of its couplers, its parts, and
/// the slots and energy of each algorithm.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/pops/cost.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// A loss of every path besides that of its coupler: `count` times `db`.
struct PathLoss {
  std::string name;
  double db = 0;
  double count = 1;
};

/// The parts of transmitters and receivers, if each has an energy of its own. Sources of the values: docs/optics.md.
struct Transceivers {
  double laser_efficiency = 0.25;     ///< optical by electrical power of a laser
  bool lasers_always_on = false;      ///< all lasers in all slots; else a laser only while it drives a coupler
  double modulator_pj_per_bit = 0.1;  ///< of a bit that is driven
  double receiver_pj_per_bit = 0.4;   ///< of a bit that is heard
  double receiver_mw = 2;             ///< of a receiver, whatever it hears
  bool receivers_always_on = true;    ///< all receivers in all slots; else a receiver only while it listens
  double tuning_mw = 0;               ///< of each transmitter and each receiver in all slots
};

/// The parts of an optical path and its messages. Powers in dBm, losses in dB. Sources of the values: docs/optics.md.
struct OpticalParts {
  bool least_launch = false;     ///< the launch power is the least that leaves the margin, instead of `launch_dbm`
  double launch_dbm = 0;         ///< into the coupler, from a laser of 1 mW
  double sensitivity_dbm = -23;  ///< of the receiver, at its error rate
  double margin_db = 3;          ///< reserve for splices, ageing and temperature
  double excess_db = 0.3;        ///< of each stage of 2 x 2 couplers, beyond the splitting
  double connectors_db = 0;      ///< all connectors of a path together, if the margin does not cover them
  double bit_rate_gbps = 1;      ///< of the payload
  double data_bytes = 16;        ///< of a packet
  double ack_bytes = 2;          ///< of an acknowledgement
  double guard_ns = 77;          ///< before each message, while the burst receiver adapts to another sender
  double transmitter_mw = 500;   ///< electrical power of an active transmitter, if it has no `transceivers`
  std::vector<PathLoss> losses{};
  std::optional<Transceivers> transceivers{};
};

/// The greatest launch power.
inline constexpr double most_launch_dbm = 100;

/// The excess loss of the ceil(log2 d) stages of a coupler.
double excess_loss_db(const OpticalParts& parts, std::int32_t group_size);
/// The loss of a path through a coupler of d inputs and d outputs: 10 log10 d by splitting, the excess loss,
/// connectors, other losses.
double path_loss_db(const OpticalParts& parts, std::int32_t group_size);
/// The power from a transmitter into its coupler.
double launch_power_dbm(const OpticalParts& parts, std::int32_t group_size);
/// Received power above the receiver's sensitivity.
double power_margin_db(const OpticalParts& parts, std::int32_t group_size);
/// A network with groups of this size is legal if the power margin is at least `margin_db` and the launch power at most
/// `most_launch_dbm`.
bool is_legal(const OpticalParts& parts, std::int32_t group_size);
/// The largest legal d, 0 if no d is legal. At most 2^30.
std::int32_t largest_group_size(const OpticalParts& parts);

struct Parts {
  std::int64_t couplers = 0;      ///< g^2
  std::int64_t transmitters = 0;  ///< g per processor
  std::int64_t receivers = 0;     ///< g per processor
};
Parts parts_of(const Pops& pops);

/// Costs of a permutation of the whole network.
Cost offline_cost(const Pops& pops);
Cost comparator_sort_cost(const Pops& pops);
/// By the mean field of `mean_field.hpp`, for a uniform random permutation; `C` as in the law of participation. None
/// if neither of d, g divides the other, or if it takes more than a million cycles.
std::optional<Cost> randomized_cost(const Pops& pops, double C = 4);
/// By the mean field, for a uniform random permutation; none if couplers have more than 64 packets.
std::optional<Cost> direct_cost(const Pops& pops);
/// B, the published cost formula of the older deterministic algorithm, in slots; none unless g | d and g = 2^k.
std::optional<double> published_slots(const Pops& pops);

/// The networks of n processors with legal couplers, in ascending order of d.
std::vector<Pops> legal_networks(const OpticalParts& parts, std::int64_t nodes);

/// Length of a slot in ns: guard and message. Acknowledgements have no payload, so their slots are shorter.
double data_slot_ns(const OpticalParts& parts);
double ack_slot_ns(const OpticalParts& parts);
/// Time of a permutation, in ns.
double time_ns(const OpticalParts& parts, const Cost& cost);
/// Energy of transmitters, in pJ, which are on for one slot per drive of a coupler.
double energy_pj(const OpticalParts& parts, double data_drives, double ack_drives);

}  // namespace starloom::pops
