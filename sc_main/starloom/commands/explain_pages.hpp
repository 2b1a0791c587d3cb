// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom explain --markdown`: reference pages from the tables that also read and write the files.
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// The page `docs/keys.md`.
std::string keys_markdown(const Catalogue& catalogue);
/// The tables of metrics in `docs/output.md`.
std::string metrics_markdown(const Catalogue& catalogue);

}  // namespace starloom
