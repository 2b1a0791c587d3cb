// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file From the words of the command line to a command.
#include <string>
#include <vector>

#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

/// Runs the command that the words behind the program's name ask for. What was asked for goes to stdout, all else to
/// stderr.
/// \throws Error and whatever the command throws.
Ending run_command(const Catalogue& catalogue, const std::vector<std::string>& words);

}  // namespace starloom
