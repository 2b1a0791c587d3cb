// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Small sound traces, one for each storage model, made without fabric and controllers.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/topology/grid/grid_graph.hpp>

namespace starloom::links {

struct SampleRun {
  Grid topology;
  RefereeRules rules{};
  std::int32_t latency = 1;  ///< of all links
  std::vector<Packet> packets{};
  std::vector<Step> delivered{};
  std::vector<TraceRow> rows{};

  PacketId add(Packet packet) {
    packets.push_back(packet);
    delivered.push_back(packet.source == packet.destination && !rules.routes_own ? packet.created : no_step);
    return static_cast<PacketId>(packets.size() - 1);
  }
  void row(Step step, TraceEvent event, PacketId packet, std::int32_t flit, NodeId node, Port port = no_port) {
    rows.push_back({step, event, packet, flit, node, port, port == no_port ? no_node : topology.neighbour(node, port)});
  }
  /// A flit is consumed: `eject` at its destination, else `store`.
  void consume(Step step, PacketId packet, std::int32_t flit, NodeId node) {
    const bool home = packets[packet].destination == node;
    row(step, home ? TraceEvent::eject : TraceEvent::store, packet, flit, node);
    if (home && flit == packets[packet].flits - 1) delivered[packet] = step;
  }
  void sort() { std::sort(rows.begin(), rows.end()); }
};

/// The referee's message: empty if it accepts.
inline std::string verdict(const SampleRun& run, bool complete = true) {
  Referee referee(make_grid_graph(run.topology, run.latency), run.rules);
  referee.packets(run.packets);
  std::vector<TraceRow> batch;
  for (std::size_t i = 0; i < run.rows.size();) {
    batch.clear();
    do batch.push_back(run.rows[i++]);
    while (i < run.rows.size() && run.rows[i].step == batch.front().step);
    referee.rows(batch);
  }
  referee.finish(run.delivered, complete);
  return referee.ok() ? "" : referee.violation().text;
}

/// A random permutation in dimension order, lower packet numbers first; every packet is accepted in step 0.
/// `most_staying`: the tightest bound that it keeps.
inline SampleRun store_and_forward_sample(Grid topology, std::uint64_t seed, std::int32_t latency,
                                          std::int32_t* most_staying = nullptr) {
  SampleRun run{std::move(topology)};
  run.latency = latency;
  const NodeId nodes = run.topology.nodes();
  std::vector<NodeId> destination(static_cast<std::size_t>(nodes));
  for (NodeId i = 0; i < nodes; ++i) destination[i] = i;
  RandomStream random(seed, Purpose::permutation, 0, 0);
  for (NodeId i = nodes - 1; i > 0; --i) std::swap(destination[i], destination[random.bounded(i + 1)]);

  struct Place {
    NodeId node;
    Step ready;
    bool here;
  };
  std::vector<Place> residents;
  std::int32_t left = 0;
  for (NodeId i = 0; i < nodes; ++i) {
    const PacketId packet = run.add({i, destination[i], 1, 0});
    residents.push_back({i, 0, i != destination[i]});
    if (!residents.back().here) continue;
    ++left;
    run.row(0, TraceEvent::inject, packet, 0, i);
  }
  std::int32_t most = 0;
  for (Step step = 0; left > 0; ++step) {
    std::set<std::pair<NodeId, Port>> used;
    std::vector<std::int32_t> stay(static_cast<std::size_t>(nodes), 0);
    for (PacketId packet = 0; packet < nodes; ++packet) {
      Place& at = residents[packet];
      if (!at.here || at.ready > step) continue;
      const Port port = run.topology.dimension_order_port(at.node, destination[packet]);
      if (port == no_port) {
        run.consume(step, packet, 0, at.node);
        at.here = false;
        --left;
      } else if (used.emplace(at.node, port).second) {
        run.row(step, TraceEvent::hop, packet, 0, at.node, port);
        at = {run.topology.neighbour(at.node, port), step + latency, true};
      } else {
        most = std::max(most, ++stay[at.node]);
      }
    }
  }
  if (most_staying != nullptr) *most_staying = most;
  run.sort();
  return run;
}

/// The first such permutation of a 6x6 mesh that makes two packets stay in one node; bounded as tightly as it can be.
inline SampleRun bounded_sample() {
  std::int32_t most = 0;
  std::uint64_t seed = 1;
  SampleRun run = store_and_forward_sample(Grid::mesh({6, 6}), seed, 1, &most);
  while (most < 2) run = store_and_forward_sample(Grid::mesh({6, 6}), ++seed, 1, &most);
  run.rules.bound = most;
  return run;
}

/// Adds the rows of a worm that starts in `node` in step `start`, takes `ports` and is consumed behind the last; it
/// does not move in the steps of `holds`. Returns the step of its last row.
inline Step add_worm(SampleRun& run, PacketId packet, NodeId node, const std::vector<Port>& ports, Step start,
                     const std::set<Step>& holds = {}) {
  std::vector<NodeId> path{node};
  for (const Port port : ports) path.push_back(run.topology.neighbour(path.back(), port));
  const auto length = static_cast<std::int32_t>(ports.size());
  const std::int32_t flits = run.packets[packet].flits;
  Step step = start;
  for (std::int32_t move = 0; move < length + flits; ++move, ++step) {
    while (holds.count(step) != 0) ++step;
    for (std::int32_t flit = 0; flit < flits; ++flit) {
      const std::int32_t at = move - flit;
      if (at == 0) run.row(step, TraceEvent::inject, packet, flit, path[0]);
      if (at >= 0 && at < length) run.row(step, TraceEvent::hop, packet, flit, path[at], ports[at]);
      if (at == length) run.consume(step, packet, flit, path[at]);
    }
  }
  return step - 1;
}

/// On a 3x5 mesh: packet 0 moves along row 0 with three flits and holds in steps 3 and 4; packet 1 turns twice;
/// packet 2 is stored on its path and starts again; packet 3 is for its own node; packet 4 enters registers as packet
/// 0 leaves them. A token and a key cross links of their own.
inline SampleRun links_only_sample() {
  SampleRun run{Grid::mesh({3, 5})};
  run.rules.storage = RefereeRules::Storage::links_only;
  run.add({0, 4, 3, 0});
  run.add({10, 4, 2, 0});
  run.add({11, 14, 2, 0});
  run.add({3, 3, 1, 0});
  run.add({0, 2, 2, 2});
  const Port north = 0, east = 1;
  add_worm(run, 0, 0, {east, east, east, east}, 0, {3, 4});
  add_worm(run, 1, 10, {north, east, east, east, east, north}, 1);
  const Step stored = add_worm(run, 2, 11, {east, east}, 0);
  add_worm(run, 2, 13, {east}, stored + 1);
  // Packet 0 makes moves 0, 1, 2 in steps 0, 1, 2 and move 3 in step 5, when its tail leaves the first link.
  add_worm(run, 4, 0, {east, east}, 5);
  run.row(2, TraceEvent::token, no_packet, -1, 14, north);
  run.row(2, TraceEvent::key, no_packet, -1, 12, north);
  run.sort();
  return run;
}

/// On a ring of six nodes: worms of one to three flits that never wait; packet 1 passes its destination once.
inline SampleRun never_standing_sample() {
  SampleRun run{Grid::torus({6})};
  run.rules.storage = RefereeRules::Storage::never_standing;
  run.add({0, 3, 3, 0});
  run.add({3, 4, 1, 0});
  run.add({4, 1, 2, 1});
  run.add({2, 0, 2, 6});
  const Port plus = 0, minus = 1;
  add_worm(run, 0, 0, {plus, plus, plus}, 0);
  add_worm(run, 1, 3, {plus, plus, plus, plus, plus, plus, plus}, 0);
  add_worm(run, 2, 4, {minus, minus, minus}, 1);
  add_worm(run, 3, 2, {minus, minus}, 7);
  run.sort();
  return run;
}

/// Packets of three flits that share links of a 2x5 mesh alternately, with two channels of two slots; and one that is
/// routed to its own node.
inline SampleRun virtual_channels_sample() {
  SampleRun run{Grid::mesh({2, 5})};
  run.rules.storage = RefereeRules::Storage::virtual_channels;
  run.rules.channels = 2;
  run.rules.capacity = 2;
  run.rules.routes_own = true;
  run.add({0, 4, 3, 0});
  run.add({0, 9, 3, 0});
  run.add({1, 9, 3, 0});
  run.add({6, 4, 3, 1});
  run.add({7, 7, 2, 2});

  struct Train {
    std::vector<NodeId> path;
    std::vector<std::size_t> hops;
    std::vector<Step> ready;  ///< no_step: in the memory
    std::int32_t consumed = 0;
  };
  std::vector<Train> trains;
  for (const Packet& packet : run.packets) {
    Train train{{packet.source}, std::vector<std::size_t>(packet.flits, 0), std::vector<Step>(packet.flits, no_step)};
    while (train.path.back() != packet.destination) {
      const Port port = run.topology.dimension_order_port(train.path.back(), packet.destination);
      train.path.push_back(run.topology.neighbour(train.path.back(), port));
    }
    trains.push_back(train);
  }
  std::vector<std::int32_t> over(static_cast<std::size_t>(run.topology.nodes()) * 4, 0);  // flits behind a link
  const auto link = [&](const Train& train, std::size_t hop) {
    return train.path[hop] * 4 + run.topology.dimension_order_port(train.path[hop], train.path.back());
  };
  std::size_t left = trains.size();
  for (Step step = 0; left > 0; ++step) {
    std::set<std::int32_t> used;
    std::set<NodeId> consumed;
    std::vector<std::int32_t> freed;
    for (std::size_t turn = 0; turn < trains.size(); ++turn) {
      const auto packet = static_cast<PacketId>((turn + static_cast<std::size_t>(step)) % trains.size());
      Train& train = trains[packet];
      if (run.packets[packet].created > step) continue;
      bool injected = false;  // one flit per step leaves the memory, and can move on at once
      for (std::int32_t flit = 0; flit < run.packets[packet].flits; ++flit) {
        Step& ready = train.ready[flit];
        std::size_t& hops = train.hops[flit];
        if (ready == no_step) {
          if (injected) break;
          injected = true;
          run.row(step, TraceEvent::inject, packet, flit, train.path[0]);
          ready = step;
        }
        if (ready > step || flit < train.consumed) continue;
        const bool last = hops + 1 == train.path.size();
        if (last) {
          if (flit != train.consumed || !consumed.insert(train.path.back()).second) continue;
          run.consume(step, packet, flit, train.path.back());
          if (++train.consumed == run.packets[packet].flits) --left;
        } else {
          const std::int32_t next = link(train, hops);
          const bool in_order = flit == 0 || train.hops[flit - 1] > hops;
          if (!in_order || over[next] == 4 || !used.insert(next).second) continue;
          ++over[next];
          run.row(step, TraceEvent::hop, packet, flit, train.path[hops], next % 4);
          ready = step + 1;
        }
        if (hops > 0) freed.push_back(link(train, hops - 1));
        if (!last) ++hops;
      }
    }
    for (const std::int32_t place : freed) --over[place];
  }
  run.sort();
  return run;
}

}  // namespace starloom::links
