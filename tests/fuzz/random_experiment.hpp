// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Experiment files drawn at random from the tables of algorithms, patterns and keys.
#include <string>

#include "fuzz/dice.hpp"

namespace starloom {

/// An experiment on a network of at most 64 nodes in which every key is legal by itself; algorithm, pattern, shape and
/// lengths may still not fit each other. Data files are called `permutation.txt`, `packets.csv`,
/// `rates.csv` and `graph.yaml`.
std::string random_experiment(Dice& dice);

/// Valid data files for a network of this number of nodes.
std::string random_permutation_file(Dice& dice, std::int64_t nodes);
std::string random_packet_file(Dice& dice, std::int64_t nodes);
std::string random_rates_file(Dice& dice, std::int64_t nodes);
std::string random_graph_file(Dice& dice, std::int64_t nodes);
std::string random_program_file(Dice& dice, std::int64_t nodes);
/// The section, whose table may be `table.yaml`.
std::string random_energy_section(Dice& dice);
/// A sound section `optics`.
std::string random_optics_section(Dice& dice);
std::string random_energy_table(Dice& dice);

}  // namespace starloom
