// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/product/product_planner.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <starloom/planning/completed.hpp>
#include <starloom/planning/edge_colouring.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// The axis of the first and the last phase: the shorter side. Axis 0 is along a column.
int outer_axis(const Grid& mesh) { return mesh.side(0) <= mesh.side(1) ? 0 : 1; }

/// The destination of every node in a full permutation that contains the packets.
std::vector<NodeId> full_permutation(const Grid& mesh, const std::vector<Packet>& packets) {
  const auto nodes = static_cast<std::size_t>(mesh.nodes());
  std::vector<NodeId> destination_of(nodes, no_node);
  std::vector<char> wanted(nodes);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const auto from = static_cast<std::size_t>(packets[p].source);
    const auto to = static_cast<std::size_t>(packets[p].destination);
    const auto repeated = [p](const char* what, std::size_t node) {
      return InputError("packet " + std::to_string(p) + ": node " + std::to_string(node) + " is already the " + what +
                        " of another packet; product plans only permutations, multistage any traffic");
    };
    if (destination_of[from] != no_node) throw repeated("source", from);
    if (wanted[to] != 0) throw repeated("destination", to);
    destination_of[from] = packets[p].destination;
    wanted[to] = 1;
  }
  return completed(std::move(destination_of));
}

/// A packet that passes its destination stops there.
void end_at_destination(const Grid& mesh, const Packet& packet, Journey& journey) {
  NodeId at = packet.source;
  std::size_t made = 0;
  for (; at != packet.destination; ++made)
    if (journey.moves[made] != no_port) at = mesh.neighbour(at, journey.moves[made]);
  journey.moves.resize(made);
  if (made == 0) journey.start = 0;
}

}  // namespace

std::int64_t product_bound(const Grid& mesh) {
  const int outer = outer_axis(mesh);
  return 2 * (std::int64_t{mesh.side(outer)} - 1) + mesh.side(1 - outer) - 1;
}

void check_product_mesh(const Grid& grid) {
  if (!grid.has_rows_and_columns())
    throw InputError("product needs a two-dimensional mesh; multistage with scheme any works on every grid");
}

Plan plan_product(const Grid& mesh, const std::vector<Packet>& packets) {
  check_product_mesh(mesh);
  check_packets(mesh, packets);
  const std::vector<NodeId> destination_of = full_permutation(mesh, packets);
  const int outer = outer_axis(mesh);
  const int inner = 1 - outer;

  // Lines along the outer axis are numbered by the inner coordinate. Each line has side(outer) packets to send and to
  // receive; a colour takes one from each and brings one to each, so the packets of a colour are a permutation of one
  // line along the inner axis: the line with that colour as its outer coordinate.
  std::vector<std::int32_t> from_line;
  std::vector<std::int32_t> to_line;
  for (NodeId node = 0; node < mesh.nodes(); ++node) {
    from_line.push_back(mesh.coordinate(node, inner));
    to_line.push_back(mesh.coordinate(destination_of[static_cast<std::size_t>(node)], inner));
  }
  const std::int32_t lines = mesh.side(inner);
  const std::vector<std::int32_t> classes = edge_colouring(lines, from_line, to_line);
  std::vector<std::int32_t> colour_of(destination_of.size());
  for (std::size_t i = 0; i < classes.size(); ++i)
    colour_of[static_cast<std::size_t>(classes[i])] = static_cast<std::int32_t>(i) / lines;

  struct Segment {
    int axis;
    std::int32_t offset;
  };
  std::vector<std::vector<Segment>> paths;
  Step phase_length[3] = {0, 0, 0};
  for (const Packet& packet : packets) {
    const std::int32_t turn = colour_of[static_cast<std::size_t>(packet.source)];
    const std::vector<Segment> path = {{outer, turn - mesh.coordinate(packet.source, outer)},
                                       {inner, mesh.offset(packet.source, packet.destination, inner)},
                                       {outer, mesh.coordinate(packet.destination, outer) - turn}};
    for (std::size_t phase = 0; phase < 3; ++phase)
      phase_length[phase] = std::max(phase_length[phase], Step{std::abs(path[phase].offset)});
    paths.push_back(path);
  }

  Plan plan;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const std::vector<Segment>& path = paths[p];
    Journey journey;
    Step now = 0;
    Step begin = 0;  // of the phase
    for (std::size_t phase = 0; phase < 3; begin += phase_length[phase++]) {
      if (path[phase].offset == 0) continue;
      if (journey.moves.empty()) now = journey.start = begin;
      journey.moves.insert(journey.moves.end(), static_cast<std::size_t>(begin - now), no_port);
      const auto distance = static_cast<std::size_t>(std::abs(path[phase].offset));
      journey.moves.insert(journey.moves.end(), distance, mesh.port_along(path[phase].axis, path[phase].offset));
      now = begin + static_cast<Step>(distance);
    }
    end_at_destination(mesh, packets[p], journey);
    plan.journeys.push_back(std::move(journey));
  }
  return plan;
}

}  // namespace starloom::links
