// SPDX-License-Identifier: Apache-2.0
/// \file The program `starloom`.
#include <starloom/commands/program.hpp>

int sc_main(int argc, char** argv) { return starloom::run_program(starloom::standard_catalogue(), argc, argv); }
