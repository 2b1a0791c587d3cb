// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The whole program as a function.
#include <starloom/run/standard_catalogue.hpp>

/// As SystemC declares it: its library contains `main`, and calls this function by its C name.
extern "C" int sc_main(int argc, char* argv[]);

namespace starloom {

/// Runs the program on the entries of a catalogue with the words of a command line, `arguments[0]` its name, and
/// returns its exit status. A user's program is
///
///     int sc_main(int argc, char** argv) {
///       return starloom::run_program(starloom::standard_catalogue(), argc, argv);
///     }
///
/// The output of a command goes to stdout, and everything else to stderr, including errors and the reports of the
/// SystemC library, whose banner is not printed. Does not throw. Commands that simulate end early by SIGINT, SIGTERM
/// and SIGHUP with all files written. Ends the process instead of returning if a network is too large to be
/// destroyed.
int run_program(const Catalogue& catalogue, int count, const char* const* arguments);

}  // namespace starloom
