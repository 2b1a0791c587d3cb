// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Completion of commands in a shell.
#include <starloom/experiment/catalogue.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace starloom {

inline constexpr std::string_view completion_shells[] = {"bash", "zsh"};

/// A script for the shell: commands, options, the values of options, the keys and values after `--set`, the words of
/// `explain`; elsewhere files.
std::string completion_script(const CLI::App& program, const Catalogue& catalogue, const std::string& shell);

}  // namespace starloom
