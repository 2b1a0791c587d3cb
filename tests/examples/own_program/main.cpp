// SPDX-License-Identifier: Apache-2.0
/// \file A program of your own: all of Starloom, and a topology, an algorithm, parts of routers and a traffic pattern.
#include <starloom/commands/program.hpp>

#include "across_adaptive.hpp"
#include "across_first.hpp"
#include "emptiest.hpp"
#include "longest_unserved.hpp"
#include "spidergon.hpp"
#include "strided.hpp"

int sc_main(int argc, char** argv) {
  starloom::Catalogue catalogue = starloom::standard_catalogue();
  catalogue.add(own::spidergon_entry());
  catalogue.add(own::across_first_entry());
  catalogue.add(own::across_adaptive_entry());
  catalogue.add(own::emptiest_entry());
  catalogue.add(own::longest_unserved_entry());
  catalogue.add(own::strided_entry());
  return starloom::run_program(catalogue, argc, argv);
}
