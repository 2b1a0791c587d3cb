// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Program files (YAML, docs/collectives.md).
#include <string>
#include <vector>

#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// A program as its file has it.
struct ProgramFile {
  std::int32_t ranks = 0;
  std::vector<Operation> operations;
  std::vector<ProgramStatement> statements;
  std::string mapping_rule = "row-major";  ///< empty: `mapping` is given
  std::vector<std::int64_t> mapping;       ///< [rank] its processor
};

/// \throws ConfigError if the file cannot be read; DataFileError with all its errors: not YAML; unknown, repeated,
/// missing or mistyped keys; unknown operations, algorithms, groups and names; ranks outside the program, or twice in a
/// list; more ranks than processors; operations that do not fit their ranks; more than 2^26 operations of ranks.
ProgramFile read_program(const TrafficContext& context, const std::string& name);

}  // namespace starloom
