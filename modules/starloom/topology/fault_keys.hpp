// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Faults as an experiment describes them: by names, and at random (docs/faults.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/faults.hpp>

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
};

/// `faults` of an experiment.
struct FaultKeys {
  std::vector<DeadItem> dead;
  // `random`
  std::optional<std::int64_t> cables{}, routers{};    ///< this number of them
  std::optional<double> cable_rate{}, router_rate{};  ///< each of them with this probability
  std::optional<std::uint64_t> seed{};                ///< of the random ones; empty: that of the run
};

/// The hardware that these keys name, and that they draw.
/// \param channels of a link. \param seed of the run.
/// \throws ConfigError with the keys `dead.I` and `random.NAME`: names that the network does not have, the same thing
/// twice, more than there are, a channel of a terminal, and if no processor is left.
Faults faults_of(const NetworkGraph& graph, const FaultKeys& keys, int channels, std::uint64_t seed);

}  // namespace starloom
