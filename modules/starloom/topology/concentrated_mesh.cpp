// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/concentrated_mesh.hpp>

#include <string>
#include <utility>

#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

ConcentratedMesh::ConcentratedMesh(const std::vector<std::int64_t>& shape, std::int64_t concentration)
    : ConcentratedSwitches({"a concentrated mesh", "a concentrated mesh of " + std::to_string(shape.size()) +
                                                       (shape.size() == 1 ? " dimension" : " dimensions")},
                           shape, concentration, 2.0 * static_cast<double>(shape.size())) {}

NetworkSize ConcentratedMesh::size() const { return concentrated_mesh_size(mesh().shape(), concentration()); }

std::int32_t ConcentratedMesh::distance(NodeId from, NodeId to) const {
  return with_terminals(from, to, mesh().distance(number(from), number(to)));
}

std::int32_t ConcentratedMesh::diameter() const { return processors() == 1 ? 0 : 2 + mesh().diameter(); }

NetworkSize concentrated_mesh_size(const std::vector<std::int64_t>& shape, std::int64_t concentration) {
  double switches = 1, mesh_links = 0;
  for (const std::int64_t side : shape) {
    const auto n = static_cast<double>(side);
    mesh_links = mesh_links * n + 2 * (n - 1) * switches;
    switches *= n;
  }
  return concentrated_size(shape, concentration, mesh_links);
}

NetworkGraph make_concentrated_mesh(const ConcentratedMesh& concentrated, std::int32_t link_latency) {
  const Grid& mesh = concentrated.mesh();
  std::vector<std::string> names;
  for (Port port = 0; port < mesh.ports(); ++port) names.push_back(mesh.port_name(port));
  NetworkGraphBuilder builder = with_switches_and_processors(concentrated, std::move(names), link_latency);
  for (NodeId number = 0; number < mesh.nodes(); ++number)
    for (Port port = 0; port < mesh.ports(); ++port) {
      const NodeId next = mesh.neighbour(number, port);
      if (next != no_node)
        builder.add_link({concentrated.switch_at(number), port}, {concentrated.switch_at(next), mesh.reverse(port)},
                         {link_latency});
    }
  builder.set_distance([concentrated](NodeId from, NodeId to) { return concentrated.distance(from, to); },
                       concentrated.diameter());
  return builder.build();
}

}  // namespace starloom
