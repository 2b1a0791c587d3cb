// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>
#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

StepperResult run_kunde(const Grid& mesh, const std::string& name, const std::map<std::string, KeyValue>& keys,
                        const std::vector<Packet>& packets) {
  ListSource source(packets);
  return run_stepper(mesh, *named_algorithm(name, mesh, keys, &packets), source);
}

/// Permutations that look for long queues: of whole rows into columns, of subsquares into columns, of everything to the
/// other side; and random ones.
std::vector<std::vector<Packet>> permutations(const Grid& mesh, NodeId s) {
  const NodeId rows = mesh.side(0), columns = mesh.side(1), nodes = mesh.nodes();
  std::vector<NodeId> reversed, by_column, by_square;
  for (NodeId node = 0; node < nodes; ++node) reversed.push_back(nodes - 1 - node);
  for (NodeId node = 0; node < nodes; ++node) by_column.push_back(node % rows * columns + node / rows);
  // Subsquare by subsquare, node by node, the destinations of column after column.
  by_square.resize(static_cast<std::size_t>(nodes));
  NodeId next = 0;
  for (NodeId top = 0; top < rows; top += s)
    for (NodeId left = 0; left < columns; left += s)
      for (NodeId i = 0; i < s * s; ++i, ++next)
        by_square[static_cast<std::size_t>((top + i / s) * columns + left + i % s)] =
            (rows - 1 - next % rows) * columns + next / rows;
  std::vector<std::vector<Packet>> lists;
  for (const auto& order : {reversed, by_column, by_square}) lists.push_back(permutation_packets(order));
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    lists.push_back(permutation_packets(random_permutation(nodes, seed)));
  // Half of a permutation is one, too.
  std::vector<Packet> partial;
  for (const Packet& packet : lists.back())
    if (packet.source % 3 != 0) partial.push_back(packet);
  lists.push_back(partial);
  return lists;
}

const std::map<NodeId, std::vector<std::int64_t>> meshes = {{1, {6, 5}},  {2, {8, 6}},   {3, {12, 12}},
                                                            {4, {16, 8}}, {5, {15, 20}}, {8, {24, 24}}};

TEST(Kunde, KeepsItsPromises) {
  for (const auto& [s, shape] : meshes) {
    const Grid mesh = Grid::mesh(shape);
    const std::int32_t rows = mesh.side(0), columns = mesh.side(1);
    const Step sort = MeshSortProgram::fastest(s).steps();
    for (const std::vector<Packet>& packets : permutations(mesh, s)) {
      const auto algorithm = named_algorithm("kunde", mesh, {{"s", std::int64_t{s}}}, &packets);
      EXPECT_EQ(algorithm->declaration().bound, (rows + columns) / s);
      EXPECT_EQ(algorithm->bounds(packets).at("steps"), rows + columns - 2 + sort);
      EXPECT_EQ(algorithm->bounds(packets).at("queue"), (rows + columns) / s);
      ListSource source(packets);
      const StepperResult result = run_stepper(mesh, *algorithm, source);
      ASSERT_FALSE(result.violation) << result.violation->text;
      ASSERT_EQ(result.end, StepperEnd::all_delivered);
      for (const Step delivered : result.record.delivered) ASSERT_LE(delivered, rows + columns - 2 + sort);
    }
  }
}

// After the sort packets move in every step until they are in their columns, and in these until they are delivered,
// unless another one, with a farther destination, takes their link.
TEST(Kunde, QueuesInColumnsOnlyAndForThoseThatGoFurther) {
  for (const auto& [s, shape] : meshes) {
    const Grid mesh = Grid::mesh(shape);
    const Step sort = MeshSortProgram::fastest(s).steps();
    std::int64_t waits = 0;
    for (const std::vector<Packet>& packets : permutations(mesh, s)) {
      const StepperResult result = run_kunde(mesh, "kunde", {{"s", std::int64_t{s}}}, packets);
      std::vector<NodeId> at;
      std::vector<Step> since(result.record.packets.size(), sort);
      std::map<std::pair<Step, std::pair<NodeId, Port>>, PacketId> link;
      for (const Packet& packet : result.record.packets) at.push_back(packet.source);
      for (const TraceRow& row : result.rows)
        if (row.event == TraceEvent::hop && row.step >= sort) link[{row.step, {row.node, row.port}}] = row.packet;
      for (const TraceRow& row : result.rows) {
        if (row.event != TraceEvent::hop) continue;
        const auto p = static_cast<std::size_t>(row.packet);
        if (row.step >= sort) {
          const NodeId to = result.record.packets[p].destination;
          ASSERT_EQ(row.port, mesh.dimension_order_port(at[p], to));
          ASSERT_TRUE(mesh.axis_of(row.port) == 0 || row.step == since[p]);
          for (Step step = since[p]; step < row.step; ++step, ++waits) {
            const auto other = link.find({step, {row.node, row.port}});
            ASSERT_TRUE(other != link.end());
            const NodeId end = result.record.packets[static_cast<std::size_t>(other->second)].destination;
            ASSERT_GT(mesh.distance(row.node, end), mesh.distance(row.node, to));
          }
          since[p] = row.step + 1;
        }
        at[p] = row.to;
      }
    }
    EXPECT_GT(waits, 0) << "s " << s;
  }
}

TEST(Kunde, IsGreedyWithSubsquaresOfOneNode) {
  const Grid mesh = Grid::mesh({7, 9});
  for (const std::vector<Packet>& packets : permutations(mesh, 1)) {
    const StepperResult kunde = run_kunde(mesh, "kunde", {{"s", std::int64_t{1}}}, packets);
    EXPECT_EQ(kunde.rows, run_kunde(mesh, "greedy", {}, packets).rows);
    EXPECT_FALSE(kunde.rows.empty());
  }
}

TEST(Kunde, MakesSubsquaresAsWideAsQueuesOf48Need) {
  const std::map<std::vector<std::int64_t>, double> sides = {{{192, 192}, 8}, {{240, 240}, 10}, {{24, 24}, 1},
                                                             {{25, 25}, 5},   {{100, 100}, 5},  {{53, 53}, 53},
                                                             {{96, 32}, 4},   {{60, 7}, 1}};
  const std::vector<Packet> none;
  for (const auto& [shape, side] : sides) {
    const Grid mesh = Grid::mesh(shape);
    EXPECT_EQ(named_algorithm("kunde", mesh, {}, &none)->metrics().at("s"), side) << shape[0];
  }
}

TEST(Kunde, PromisesNothingForOtherFunctions) {
  const Grid mesh = Grid::mesh({4, 4});
  const std::vector<Packet> packets = {{0, 5, 1, 0}, {1, 5, 1, 0}};
  const auto algorithm = named_algorithm("kunde", mesh, {{"s", std::int64_t{4}}}, &packets);
  EXPECT_EQ(algorithm->declaration().bound, 0);
  EXPECT_THAT(algorithm->bounds(packets), testing::IsEmpty());
  EXPECT_THAT(algorithm->metrics(), testing::UnorderedElementsAre(testing::Key("s"), testing::Key("sort_steps")));
  EXPECT_EQ(run_kunde(mesh, "kunde", {{"s", std::int64_t{4}}}, packets).end, StepperEnd::all_delivered);
}

TEST(Kunde, RefusesWhatItCannotServe) {
  const auto refuses = [](const std::vector<std::int64_t>& shape, const std::vector<Packet>& packets,
                          const KeyValue& s) {
    const Grid mesh = Grid::mesh(shape);
    EXPECT_THROW(named_algorithm("kunde", mesh, {{"s", s}}, &packets), InputError);
  };
  refuses({4, 4, 4}, {}, {});
  refuses({4, 6}, {}, std::int64_t{4});
  refuses({4, 4}, {{1, 2, 1, 0}, {1, 3, 1, 0}}, {});
  refuses({4, 4}, {{1, 2, 1, 3}}, {});
  EXPECT_THROW(named_algorithm("kunde", Grid::mesh({4, 4})), InputError) << "of packets without an end";
}

}  // namespace
}  // namespace starloom::links
