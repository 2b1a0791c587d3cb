// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a shell offers behind `starloom` when its user presses the tabulator.
#include <starloom/experiment/catalogue.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace starloom {

inline constexpr std::string_view completion_shells[] = {"bash", "zsh"};

/// A script of one of those shells: commands, options, the values that options have, the keys and values behind
/// `--set`, the words that `explain` knows; elsewhere files.
std::string completion_script(const CLI::App& program, const Catalogue& catalogue, const std::string& shell);

}  // namespace starloom
