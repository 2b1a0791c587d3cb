// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The program of the ranks of Chakra execution traces (docs/chakra.md).
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <starloom/traffic/chakra/chakra_file.hpp>
#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The traces of all ranks, and what their nodes mean.
struct ChakraInput {
  std::vector<std::string> names;                           ///< [rank] of the file, in errors
  std::vector<std::vector<ChakraNode>> nodes;               ///< [rank]
  std::map<std::string, std::vector<std::int32_t>> groups;  ///< ranks by the name of their process group
  std::map<std::string, std::string> algorithms;            ///< by collective; the others have their default
  std::int32_t chunk = 0;                                   ///< of collectives
  double reduce = 0;                                        ///< steps a flit
  Units units{};
};

/// \throws DataFileError if nodes do not fit together: all faults, with their locations.
ProgramParts parts_of(const ChakraInput& input);

}  // namespace starloom
