// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the referee found in an output folder.
#include <cstdint>
#include <string>

namespace starloom {

struct VerifyReport {
  std::int64_t rows = 0;     ///< of the trace, up to the first broken rule
  std::int64_t packets = 0;  ///< of `packets.csv`
  std::string outcome;       ///< of the run, as result.json says it
  std::string unchecked;     ///< what the folder does not allow to check, one sentence; empty: everything was
  std::string violation;     ///< the first broken rule, one sentence; empty if there is none

  bool ok() const { return violation.empty(); }
};

}  // namespace starloom
