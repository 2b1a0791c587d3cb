// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The parts that routing algorithms offer by name, as a value: a user's own program adds parts of its own.
#include <memory>
#include <vector>

#include <starloom/routing/function_entry.hpp>

namespace starloom {

/// What `greedy` and `vc-wormhole` are made of.
struct RouterParts {
  std::vector<routing::FunctionEntry> functions;
};

/// Those of Starloom.
RouterParts standard_parts();
/// \throws InputError if two parts do not go together.
void check_parts(const RouterParts& parts);

}  // namespace starloom
