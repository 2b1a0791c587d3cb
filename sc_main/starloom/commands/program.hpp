// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The whole program as a function.
#include <starloom/run/standard_catalogue.hpp>

/// As SystemC declares it: its library, which has the `main`, calls it by this name without C++'s additions.
extern "C" int sc_main(int argc, char* argv[]);

namespace starloom {

/// Runs the program on the entries of a catalogue with the words of a command line, `arguments[0]` its name, and
/// returns its exit status; a program of one's own is
///
///     int sc_main(int argc, char** argv) {
///       return starloom::run_program(starloom::standard_catalogue(), argc, argv);
///     }
///
/// The output of a command goes to stdout, and everything else to stderr, including faults and the reports of the
/// SystemC library, whose banner is not printed. Nothing is thrown. Commands that simulate end early by SIGINT, SIGTERM
/// and SIGHUP with everything written. Does not return but ends the process where a network is too large to be
/// destroyed.
int run_program(const Catalogue& catalogue, int count, const char* const* arguments);

}  // namespace starloom
