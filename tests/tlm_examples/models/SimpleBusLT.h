// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Found before the header of this name that the TLM examples of the SystemC distribution include, so that their
/// unchanged sources are built around the interconnect.
#include <cstdlib>

#include <starloom/sockets/interconnect.hpp>
#include <starloom/topology/grid/grid_graph.hpp>

/// The bus of the examples: target j owns the 2^28 addresses from j * 2^28 on. All sit at one node of a mesh of 2 x 2;
/// with APART set in the environment every initiator is one link away from every target, and a step takes 10 ns.
template <int initiators, int targets>
class SimpleBusLT final : public starloom::Interconnect {
 public:
  explicit SimpleBusLT(const sc_core::sc_module_name& name)
      : Interconnect(name, starloom::make_grid_graph(starloom::Grid::mesh({2, 2})), places(std::getenv("APART") != nullptr)) {}

 private:
  static starloom::InterconnectOptions places(bool apart) {
    static_assert(initiators == 2 && targets == 2, "two diagonals of a mesh of 2 x 2");
    const std::uint64_t size = std::uint64_t{1} << 28;
    starloom::InterconnectOptions options;
    options.initiators = apart ? std::vector<starloom::NodeId>{0, 3} : std::vector<starloom::NodeId>{0, 0};
    options.targets = {{apart ? 1 : 0, {0, size}}, {apart ? 2 : 0, {size, size}}};
    options.period = sc_core::sc_time(10, sc_core::SC_NS);
    return options;
  }
};
