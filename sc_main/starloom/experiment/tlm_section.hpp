// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The section `tlm` of an experiment: the initiators of transactions, and their targets.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <string>
#include <vector>

namespace starloom {

struct TlmConfig {
  struct Target {
    std::int64_t node = 0;
    std::uint64_t base = 0, size = 0;  ///< bytes
  };
  std::string view;
  std::vector<std::int64_t> initiators;  ///< nodes
  std::vector<Target> targets;

  /// As result.json repeats it.
  nlohmann::ordered_json json() const;
};

/// Errors are added to `diagnostics`.
TlmConfig read_tlm(const DocumentValue& section, Diagnostics& diagnostics);

}  // namespace starloom
