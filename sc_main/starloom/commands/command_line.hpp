// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs the command given on the command line.
#include <string>
#include <vector>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

/// Runs the command of the words after the program's name. The output of a command goes to stdout, everything else to
/// stderr.
/// \throws Error and the exceptions of the command.
Ending run_command(const Catalogue& catalogue, const std::vector<std::string>& words);

}  // namespace starloom
