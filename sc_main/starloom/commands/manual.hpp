// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The manual pages, in the language of man(7).
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace CLI {
class App;
}

namespace starloom {

/// starloom(1): the commands and their options.
std::string commands_manual(const CLI::App& program);
/// starloom(5): the keys of experiments and campaigns.
std::string keys_manual(const Catalogue& catalogue);

}  // namespace starloom
