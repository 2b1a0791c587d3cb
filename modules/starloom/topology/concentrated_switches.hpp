// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Switches with several processors at each, as concentrated meshes and flattened butterflies have them.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

/// Switches with the coordinates of a mesh, and c processors at each of them. c is the concentration. Arithmetic, no
/// tables.
///
/// Numbers. With s switches, processor j of switch w is node w*c + j, and switch w, numbered as the node of the mesh,
/// is node s*c + w.
///
/// Ports of a switch: those to other switches, then `terminal0`, ... to its processors. A processor has one port, to
/// its switch.
class ConcentratedSwitches {
 public:
  /// The mesh whose node w has the coordinates of switch w.
  const Grid& mesh() const { return mesh_; }
  std::int32_t concentration() const { return concentration_; }
  NodeId processors() const { return mesh_.nodes() * concentration_; }
  NodeId nodes() const { return processors() + mesh_.nodes(); }
  int ports() const { return ports_to_switches_ + concentration_; }
  int ports_to_switches() const { return ports_to_switches_; }

  bool is_switch(NodeId node) const { return node >= processors(); }
  NodeId switch_at(NodeId number) const { return processors() + number; }
  /// The number in the mesh of a switch, or of the switch of a processor.
  NodeId number(NodeId node) const { return is_switch(node) ? node - processors() : node / concentration_; }
  /// The out-port to a processor, at its switch.
  Port terminal_port(NodeId processor) const { return ports_to_switches_ + processor % concentration_; }

 protected:
  /// The texts of errors.
  struct Words {
    std::string family;  ///< `a concentrated mesh`
    std::string sized;   ///< `a concentrated mesh of 2 dimensions`: what the number of ports to switches depends on
  };
  /// \param ports_to_switches may exceed the limit, for any shape.
  /// \throws InputError if the shape is not that of a mesh, the concentration is below 1, a switch has more ports than
  /// a node can have, or there are more nodes than a graph can number.
  ConcentratedSwitches(const Words& words, const std::vector<std::int64_t>& shape, std::int64_t concentration,
                       double ports_to_switches);
  /// Links on a shortest path, with this number of links between the two switches.
  std::int32_t with_terminals(NodeId from, NodeId to, std::int32_t between_switches) const;

 private:
  /// Throws before anything is allocated.
  static Grid checked(const Words& words, const std::vector<std::int64_t>& shape, std::int64_t concentration,
                      double ports_to_switches);

  Grid mesh_;
  std::int32_t concentration_;
  std::int32_t ports_to_switches_;
};

/// The size of a network of such switches with these links between them, for any numbers.
NetworkSize concentrated_size(const std::vector<std::int64_t>& shape, std::int64_t concentration,
                              double links_between_switches);

/// A builder with the nodes, with the links between processors and their switches, and with the arrangement: a mesh of
/// the processors, which has c times as many columns (in other dimensions: c times as many along dimension 1), and in
/// which the processors of a switch are neighbours. Names `switch_r03_c07`, `proc_r03_c07_p01`, and as grids have them
/// in other dimensions.
/// \param port_names of the ports to other switches.
/// \param link_latency of these links, in steps. \throws InputError if it is below 1.
NetworkGraphBuilder with_switches_and_processors(const ConcentratedSwitches& switches,
                                                 std::vector<std::string> port_names, std::int32_t link_latency);

}  // namespace starloom
