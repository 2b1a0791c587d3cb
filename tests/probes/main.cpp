// SPDX-License-Identifier: Apache-2.0
/// \file The program `starloom` with the probes.
#include <starloom/commands/program.hpp>

#include "probes/probe_catalogue.hpp"

int sc_main(int argc, char** argv) { return starloom::run_program(starloom::probe_catalogue(), argc, argv); }
