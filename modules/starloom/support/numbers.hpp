// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Numbers in sentences.
#include <cstdint>
#include <string>

namespace starloom {

/// `1 packet`, `2 packets`.
inline std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace starloom
