// SPDX-License-Identifier: Apache-2.0
/// \file Algorithms by name, and what is said when name or keys are wrong.
#include <starloom/algorithms/table/make_algorithm.hpp>

#include <gtest/gtest.h>

#include <starloom/support/error.hpp>

#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

const Grid mesh = Grid::mesh({4, 4});

std::string error(const std::string& name, const std::map<std::string, KeyValue>& keys = {},
                  const Grid& topology = mesh) {
  try {
    make_algorithm(name, {&network_of(topology)}, keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(MakeAlgorithm, KeysNotGivenHaveTheirDefaults) {
  EXPECT_EQ(make_algorithm("greedy", {&network_of(mesh)})->declaration().bound, 0);
  const auto bounded =
      make_algorithm("greedy", {&network_of(mesh)}, {{"bound", std::int64_t{3}}, {"discipline", "fifo"}});
  EXPECT_EQ(bounded->declaration().bound, 3);
}

TEST(MakeAlgorithm, WrongNamesAndValuesAreSaid) {
  EXPECT_EQ(error("gredy"), "unknown algorithm gredy (did you mean greedy?)");
  EXPECT_EQ(error("greedy", {{"disciplin", "fifo"}}), "greedy: unknown key disciplin (did you mean discipline?)");
  EXPECT_EQ(error("greedy", {{"discipline", "fif"}}),
            "greedy: discipline: unknown discipline fif (did you mean fifo?); known: furthest-destination, "
            "furthest-origin, fifo");
  EXPECT_EQ(error("greedy", {{"bound", std::int64_t{-1}}}), "greedy: bound: -1 is out of range (0 to 1073741824)");
  EXPECT_EQ(error("greedy", {{"bound", 1.5}}), "greedy: bound: an integer is expected, not 1.5");
  EXPECT_EQ(error("product", {}, Grid::torus({4, 4})), "product does not run on a torus");
  EXPECT_EQ(error("product"), "product plans before the run; give it the packets in AlgorithmContext::packets");
}

TEST(MakeAlgorithm, RefusesNodesOfMorePortsThanAnAlgorithmServes) {
  const auto made = [](const std::string& name, const LinkNetwork& network) {
    try {
      make_algorithm(name, {&network});
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(made("nearest-ancestor", fat_tree(16, 2)), "");
  EXPECT_EQ(made("nearest-ancestor", fat_tree(17, 2)),
            "nearest-ancestor serves nodes of at most 32 ports, but there are nodes of 34 ports; choose an algorithm "
            "for more, such as vc-wormhole or greedy, or smaller nodes");
}

}  // namespace
}  // namespace starloom::links
