// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Faults as an experiment describes them: by names, and at random (docs/faults.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/link_errors.hpp>

namespace starloom {

/// An entry of `faults.dead`.
struct DeadItem {
  enum class Kind {
    named,      ///< the cable of a link, or a router, whichever has the name
    cable,      ///< of a link
    link,       ///< this direction only
    router,     ///< a node, by name or number
    processor,  ///< by the name of its node, or by number
    channel,    ///< `number` of a link
    places      ///< this number of places of the buffer behind a channel of a link
  };
  Kind kind = Kind::named;
  std::string name;
  int number = 0;  ///< of a channel
  int places = 0;
  // Not of channels and places, which are dead throughout a run.
  Step at = 0;           ///< it dies at the beginning of this step
  Step until = no_step;  ///< it is repaired at the beginning of this step, which is later; no_step: never
};

/// `faults.errors` of an experiment.
struct ErrorKeys {
  struct At {
    std::string link;
    Step step = 0;
  };
  std::optional<double> flit{}, bit{};  ///< probabilities that a crossing is corrupt, and that a bit of it is wrong
  std::vector<At> at{};                 ///< corrupt crossings
  LinkErrors::Recovery recovery = LinkErrors::Recovery::retry;
  int replay = 0;                       ///< as LinkErrors::Rules
  LinkErrors::Repetition repetition{};  ///< the same
};

/// `faults` of an experiment.
struct FaultKeys {
  std::vector<DeadItem> dead;
  // `random`
  std::optional<std::int64_t> cables{}, routers{};    ///< this number of them
  std::optional<double> cable_rate{}, router_rate{};  ///< each of them with this probability
  Step at = 0, until = no_step;                       ///< of the random ones, as in DeadItem
  std::optional<Lifetimes> lifetimes{};               ///< of all cables
  std::optional<ErrorKeys> errors{};
  std::optional<std::uint64_t> seed{};  ///< of all that is random; empty: that of the run
};

/// The hardware that these keys name, and that they draw.
/// \param channels of a link. \param seed of the run.
/// \throws ConfigError with the keys `dead.I` and `random.NAME`: names that the network does not have, the same thing
/// twice at the same time, more than there are, a channel of a terminal, an end before the beginning, and if no
/// processor is left.
FaultTimeline faults_of(const NetworkGraph& graph, const FaultKeys& keys, int channels, std::uint64_t seed);

/// The crossings that the keys make corrupt. \param flit_bytes size of a flit. \param seed of the draws.
/// \throws ConfigError with the keys `errors.at.I`: links that the network does not have.
LinkErrors errors_of(const NetworkGraph& graph, const ErrorKeys& keys, std::int64_t flit_bytes, std::uint64_t seed);

}  // namespace starloom
