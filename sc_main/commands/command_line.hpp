#pragma once
/// \file From the words of the command line to a command.
#include <string>
#include <vector>

#include <starloom/commands/ending.hpp>

namespace starloom {

/// Runs the program with the words behind its name. What was asked for goes to stdout, all else to stderr.
/// \throws Error and whatever the command throws.
Ending run_program(const std::vector<std::string>& words);

}  // namespace starloom
