// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `critical_path.csv`: the chain of messages that ends with the last delivery of a run (docs/critical-path.md).
#include <cstdint>
#include <filesystem>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// A message of the chain, which the one before it released. The sum of all steps is the step of the last delivery.
struct CriticalMessage {
  std::int64_t message = 0;  ///< its number
  Step compute = 0;          ///< from the delivery of the one before it, or else from step 0, to its creation
  Step ideal = 0;            ///< from its creation to its delivery if no packet met another one
  Step contention = 0;       ///< the rest
};

/// \throws OutputError
void write_critical_path(const std::filesystem::path& file, const std::vector<CriticalMessage>& chain);

/// Strict: every line is complete. \throws InputError `file:line:column: text`
std::vector<CriticalMessage> read_critical_path(const std::filesystem::path& file);

}  // namespace starloom::links
