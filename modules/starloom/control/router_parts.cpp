// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/router_parts.hpp>

#include <starloom/routing/function_table.hpp>

namespace starloom {

RouterParts standard_parts() { return {routing::standard_functions()}; }

void check_parts(const RouterParts& parts) { routing::check_function_keys(parts.functions); }

}  // namespace starloom
