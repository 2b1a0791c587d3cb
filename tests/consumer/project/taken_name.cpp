// SPDX-License-Identifier: Apache-2.0
/// \file A user's program with a topology whose name is already used.
#include <starloom/commands/program.hpp>

int sc_main(int argc, char** argv) {
  starloom::Catalogue catalogue = starloom::standard_catalogue();
  starloom::TopologyEntry own;
  own.name = "mesh";
  catalogue.add(own);
  return starloom::run_program(catalogue, argc, argv);
}
