// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A traffic pattern that belongs to one algorithm, most often one that attacks it. It is in the folder of the
/// algorithm and sees only processors; `traffic` makes packets of it (`pattern_entry`) and does not know the
/// algorithm.
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/processors.hpp>

namespace starloom {

/// The destination of each processor. `keys` has passed the checks of the pattern's own keys.
/// \throws InputError, without a location in the text, if the network or its size does not suit the pattern.
/// \throws ConfigError if a key does not suit the network.
using MakeDestinations =
    std::function<Destinations(const Processors& processors, std::uint64_t seed, const KeyValues& keys)>;

/// Packets between processors that the network stores when the run begins; `keys` also contains their length in
/// flits, `flits`. Throws as above.
using MakeStoredPackets =
    std::function<std::vector<Packet>(const Processors& processors, std::uint64_t seed, const KeyValues& keys)>;

struct AlgorithmPattern {
  std::string name;
  std::string meaning;        ///< one clause
  std::vector<KeySpec> keys;  ///< its own keys, below `traffic:`; lengths of packets and open loop have others
  std::variant<MakeDestinations, MakeStoredPackets> make;
  std::string old_name{};  ///< accepted in files, but not listed; empty: none
};

}  // namespace starloom
