// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `operations.csv`: when each rank of a program entered and finished its operations (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// The part of a rank in an instance of an operation.
struct OperationRow {
  std::string name;
  std::int64_t instance = 0;  ///< among those of its name
  std::string op;             ///< of a collective, or `compute` or `send`
  std::int32_t rank = 0;
  NodeId node = no_node;  ///< its processor
  Step start = no_step;   ///< the rank enters; no_step: it has not
  Step finish = no_step;  ///< the rank finishes; no_step: it has not
};

/// \throws OutputError
void write_operations(const std::filesystem::path& file, const std::vector<OperationRow>& rows);

/// Strict: every line is complete, and a part that has finished has been entered before.
/// \throws InputError `file:line:column: text`
std::vector<OperationRow> read_operations(const std::filesystem::path& file);

}  // namespace starloom::links
