// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The catalogue of the program `starloom`.
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

/// All entries that Starloom brings, in the order of `starloom list`.
Catalogue standard_catalogue();

}  // namespace starloom
