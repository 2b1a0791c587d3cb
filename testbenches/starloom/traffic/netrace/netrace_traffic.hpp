// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pattern `netrace`: the packets of a netrace file (docs/workloads.md).
#include <memory>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

std::vector<KeySpec> netrace_keys();

/// Reads the file once. \throws ConfigError, DataFileError
std::unique_ptr<Traffic> make_netrace(const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
