// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom explain --markdown`: reference pages from the tables by which files are read and written.
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// The page `docs/keys.md`.
std::string keys_markdown(const Catalogue& catalogue);
/// The tables of figures in `docs/output.md`.
std::string metrics_markdown(const Catalogue& catalogue);

}  // namespace starloom
