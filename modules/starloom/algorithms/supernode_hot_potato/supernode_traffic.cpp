// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/supernode_traffic.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <starloom/algorithms/supernode_hot_potato/supernode_model.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// Packets by a number, in the order of the numbers.
using Numbered = std::vector<std::pair<std::int64_t, PacketId>>;

template <class NumberOf>
Numbered numbered(const std::vector<Packet>& packets, const NumberOf& number_of) {
  Numbered list;
  list.reserve(packets.size());
  for (std::size_t p = 0; p < packets.size(); ++p)
    if (packets[p].source != packets[p].destination) list.emplace_back(number_of(packets[p]), static_cast<PacketId>(p));
  std::sort(list.begin(), list.end());
  return list;
}

/// \throws InputError if two packets of one source have the same number
void check_one_of_a_source(const SupernodeMesh& mesh, const std::vector<Packet>& packets, const Numbered& by_source) {
  for (std::size_t i = 1; i < by_source.size(); ++i) {
    if (by_source[i].first != by_source[i - 1].first) continue;
    const auto p = static_cast<std::size_t>(by_source[i].second);
    throw InputError(
        "supernode-hot-potato: packets " + std::to_string(by_source[i - 1].second) + " and " + std::to_string(p) +
        " leave " + mesh.grid.node_name(packets[p].source) +
        " start at one position of their supernodes, thus in one round, in which a node sends one worm; leave one out");
  }
}

}  // namespace

std::int32_t most_to_one_supernode(const SupernodeMesh& mesh, const std::vector<Packet>& packets) {
  const std::int64_t cells = mesh.geometry.size().cells(), nodes = mesh.grid.nodes();
  check_one_of_a_source(mesh, packets, numbered(packets, [&](const Packet& packet) {
                          return packet.source * cells + mesh.cell(packet.destination);
                        }));
  // Worms of one round have sources of one cell; those for one supernode therefore have one destination.
  const Numbered by_destination =
      numbered(packets, [&](const Packet& packet) { return mesh.cell(packet.source) * nodes + packet.destination; });
  std::int32_t most = 1, run = 1;
  for (std::size_t i = 1; i < by_destination.size(); ++i) {
    run = by_destination[i].first == by_destination[i - 1].first ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

std::int32_t supersteps_of_preloaded(const SupernodeMesh& mesh, const std::vector<Packet>& packets,
                                     const SupernodeRouter& router, bool consumed_at_once, std::int32_t most_kept) {
  const std::int32_t side = mesh.side(), slots = mesh.geometry.size().slots();
  check_one_of_a_source(mesh, packets, numbered(packets, [&](const Packet& packet) {
                          return packet.source * std::int64_t{mesh.geometry.size().cells()} +
                                 mesh.cell(packet.destination);
                        }));
  const Numbered by_round = numbered(packets, [&](const Packet& packet) { return mesh.cell(packet.destination); });
  std::int32_t supersteps = 1;
  for (std::size_t begin = 0, end = 0; begin < by_round.size(); begin = end) {
    SupernodeModel model(router, side, slots);
    for (; end < by_round.size() && by_round[end].first == by_round[begin].first; ++end) {
      const Packet& packet = packets[static_cast<std::size_t>(by_round[end].second)];
      const std::int32_t index = mesh.geometry.starting_slot(mesh.cell(packet.source));
      if (index < 0)
        throw InputError("supernode-hot-potato: no slot of a storage ring begins in " +
                         mesh.grid.node_name(packet.source) + ", where packet " + std::to_string(by_round[end].second) +
                         " is; set traffic.f and routing.f to the same value");
      model.store(mesh.supernode(packet.source), index, by_round[end].second, mesh.supernode(packet.destination));
    }
    model.run_until_home(consumed_at_once);
    if (model.most_kept() > most_kept)
      throw InputError("supernode-hot-potato: supernode " + std::to_string(model.fullest()) + " has to keep " +
                       std::to_string(model.most_kept()) + " worms, and has room for " + std::to_string(most_kept) +
                       "; leave out packet " + std::to_string(model.kept_worm()));
    supersteps = std::max(supersteps, model.supersteps());
  }
  return supersteps;
}

}  // namespace starloom::links
