// SPDX-License-Identifier: Apache-2.0
/// \file A program of one's own that calls a topology by a name that is taken.
#include <starloom/commands/program.hpp>

int sc_main(int argc, char** argv) {
  starloom::Catalogue catalogue = starloom::standard_catalogue();
  starloom::TopologyEntry own;
  own.name = "mesh";
  catalogue.add(own);
  return starloom::run_program(catalogue, argc, argv);
}
