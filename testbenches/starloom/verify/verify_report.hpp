// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The results of the referee for an output folder.
#include <cstdint>
#include <string>

namespace starloom {

struct VerifyReport {
  std::int64_t rows = 0;     ///< of the trace, up to the first broken rule
  std::int64_t packets = 0;  ///< of `packets.csv`
  std::string outcome;       ///< of the run, from result.json
  std::string unchecked;     ///< checks that the folder does not allow, one sentence; empty: all were made
  std::string violation;     ///< the first broken rule, one sentence; empty if there is none

  bool ok() const { return violation.empty(); }
};

}  // namespace starloom
