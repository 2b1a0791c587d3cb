// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/round_timetable.hpp>

#include <limits>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

constexpr std::int32_t rotations = 4;        ///< of a superstep
constexpr std::int32_t death_rotations = 2;  ///< both rings are joined to one of twice the length
/// Numbers of steps up to this one are exact in all formats.
constexpr std::int64_t most_steps = std::int64_t{1} << 53;

}  // namespace

RoundTimetable::RoundTimetable(const SupernodeGeometry& geometry, std::int32_t supersteps, std::int32_t first_consuming)
    : rotation_(geometry.rotation()),
      lead_(geometry.lead()),
      head_start_(geometry.head_start()),
      cells_(geometry.size().cells()),
      supersteps_(supersteps),
      by_superstep_(first_consuming != no_superstep),
      first_superstep_(lead_ + rotation_),
      superstep_steps_((by_superstep_ ? rotations + death_rotations : rotations) * rotation_),
      death_steps_(death_rotations * rotation_ + geometry.longest_access()) {
  const std::int64_t all = std::int64_t{superstep_steps_} * supersteps;
  const std::int64_t end = by_superstep_ ? 0 : death_rotations * rotation_;
  const std::int64_t round = first_superstep_ + all + end + geometry.longest_access() + geometry.size().k + 2;
  rounds_ = std::int64_t{cells_} * cells_;
  if (round > std::numeric_limits<std::int32_t>::max() / 2 || round > most_steps / rounds_)
    throw InputError("supernode-hot-potato: " + std::to_string(rounds_) + " rounds of " + std::to_string(round) +
                     " steps overflow the step counter; choose a smaller mesh, or smaller f and k");
  round_steps_ = static_cast<std::int32_t>(round);
  const std::int64_t waits =
      by_superstep_ ? std::int64_t{superstep_steps_} * first_consuming + rotations * rotation_ : all;
  death_from_ = static_cast<std::int32_t>(first_superstep_ + waits);
  death_period_ = by_superstep_ ? superstep_steps_ : round_steps_;
}

RingMoment RoundTimetable::at(std::int32_t tau, std::int32_t position) const {
  const std::int32_t since = tau - first_superstep_ - position;
  if (since < 0) return {-1, Rotation::creation, ((since % rotation_) + rotation_) % rotation_};
  const std::int32_t number = since / superstep_steps_, turn = since % superstep_steps_ / rotation_;
  const bool death = number >= supersteps_ || turn >= rotations;
  constexpr auto first = static_cast<std::int32_t>(Rotation::review);
  return {number, death ? Rotation::death : static_cast<Rotation>(first + turn), since % rotation_};
}

}  // namespace starloom::links
