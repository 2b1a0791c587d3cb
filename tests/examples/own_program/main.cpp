// SPDX-License-Identifier: Apache-2.0
/// \file A program of one's own: all of Starloom, and a topology, an algorithm and a traffic pattern besides.
#include <starloom/commands/program.hpp>

#include "across_first.hpp"
#include "spidergon.hpp"
#include "strided.hpp"

int sc_main(int argc, char** argv) {
  starloom::Catalogue catalogue = starloom::standard_catalogue();
  catalogue.add(own::spidergon_entry());
  catalogue.add(own::across_first_entry());
  catalogue.add(own::strided_entry());
  return starloom::run_program(catalogue, argc, argv);
}
