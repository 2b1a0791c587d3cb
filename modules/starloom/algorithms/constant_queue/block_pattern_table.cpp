// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/constant_queue/block_patterns.hpp>

namespace starloom::patterns {
namespace {

AlgorithmPattern fixed(const char* name, const char* old_name, const char* meaning,
                       Destinations (*rule)(const Processors&)) {
  const auto make = [rule](const Processors& processors, std::uint64_t /*seed*/, const KeyValues& /*keys*/) {
    return rule(processors);
  };
  return {name, meaning, {}, make, old_name};
}

/// With subsquares of the side given by a key, 0 if the key is not given.
AlgorithmPattern against_subsquares(const char* name, const char* old_name, const char* meaning, const char* by_default,
                                    Destinations (*rule)(const Processors&, std::int32_t s)) {
  const KeySpec side = integer_key("s", std::string("side of the attacked subsquares; default: ") + by_default)
                           .within(1, 1 << 15)
                           .measured_in("nodes");
  const auto make = [rule](const Processors& processors, std::uint64_t /*seed*/, const KeyValues& keys) {
    return rule(processors, static_cast<std::int32_t>(keys.has("s") ? keys.integer("s") : 0));
  };
  return {name, meaning, {side}, make, old_name};
}

}  // namespace

std::vector<AlgorithmPattern> block_patterns() {
  const char* const of_router = "that of constant-queue";
  return {
      fixed("corner", "", "the corner supersquares (n/8 x n/8 nodes) send to the opposite ones, rotated", corner),
      fixed("corner-shift", "cornershift", "the corner supersquares send to the opposite ones, node by node",
            corner_shift),
      fixed("corner-critical", "cornerreconly",
            "the packets of corner that are critical in every nested level of constant-queue", corner_critical),
      fixed("cross", "", "the two middle block rows and the two middle block columns exchange their packets", cross),
      fixed("cross-corner", "cross2", "cross and corner combined", cross_corner),
      fixed("specials", "", "the corner supersquares send to the middle of the first and last block row", specials),
      fixed("into-middle", "intoI", "every fourth node of a row sends to the middle columns, so all of these are full",
            into_middle),
      against_subsquares("queue-middle", "advI", "constant-queue: the longest queue found in a middle column",
                         of_router, queue_middle),
      against_subsquares("queue-outside", "advII",
                         "constant-queue: the longest queue found in a column outside the middle", of_router,
                         queue_outside),
      against_subsquares("queue-snake", "advIs",
                         "constant-queue with order snake: the longest queue found in a middle column", of_router,
                         queue_snake),
      against_subsquares("late-rows", "advRow",
                         "constant-queue: a link of a row is busy for long, so packets reach columns late", of_router,
                         late_rows),
      against_subsquares("late-rows-alone", "advRow0", "late-rows without the packets of corner", of_router,
                         late_rows_alone),
      fixed("queue-crossed", "advCross",
            "constant-queue with s = 1: a whole row waits in one node that other packets cross", queue_crossed),
      against_subsquares("queue-asap", "advAsap",
                         "constant-queue, column asap: packets wait in one node behind a stream of others", of_router,
                         queue_asap),
      against_subsquares("queue-kunde", "advKunde", "kunde: a queue nearly as long as its bound allows", "n/24",
                         queue_kunde),
      {"structured",
       "a random mixture of supersquares, corners, columns, adversaries and gaps",
       {},
       [](const Processors& processors, std::uint64_t seed, const KeyValues& /*keys*/) {
         return structured(processors, seed);
       }},
  };
}

}  // namespace starloom::patterns
