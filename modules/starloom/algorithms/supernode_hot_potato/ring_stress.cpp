// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/ring_stress.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <starloom/algorithms/supernode_hot_potato/supernode_model.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_traffic.hpp>
#include <starloom/core/random.hpp>
#include <starloom/schema/config_error.hpp>

namespace starloom::patterns {
namespace {

using links::Cell;
using links::SupernodeGeometry;
using links::SupernodeSize;

/// The least size with which supernodes fill the mesh; if there is none, the smallest of all.
SupernodeSize size_for(const Grid& mesh, std::int64_t flits, std::optional<std::int64_t> f) {
  if (f) return SupernodeSize::of(*f, flits);
  for (SupernodeSize size = SupernodeSize::of(12, flits); size.side() <= mesh.side(0);
       size = SupernodeSize::of(SupernodeSize::least_f(size.f + 1), flits))
    if (mesh.side(0) % size.side() == 0) return size;
  return SupernodeSize::of(12, flits);
}

/// A worm of one round.
struct RingWorm {
  std::int32_t supernode, index, destination;
};

/// Numbers 0 .. count-1 in random order.
std::vector<std::int32_t> shuffled(std::int32_t count, RandomStream& random) {
  std::vector<std::int32_t> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  for (std::size_t last = list.size(); last > 1; --last)
    std::swap(list[last - 1], list[random.bounded(static_cast<std::uint32_t>(last))]);
  return list;
}

/// One ring of each supernode is full except for at most one worm, the other one random.
std::vector<RingWorm> stored_worms(const SupernodeSize& size, std::int32_t side, std::uint64_t seed, Step round) {
  const std::int32_t slots = size.slots(), supernodes = side * side;
  std::vector<RingWorm> worms;
  for (std::int32_t supernode = 0; supernode < supernodes; ++supernode) {
    RandomStream random(seed, Purpose::destination, supernode, round);
    const auto fuller = static_cast<std::int32_t>(random.bounded(2));
    const auto most = slots - static_cast<std::int32_t>(random.bounded(2));
    const auto fewer = static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(size.f - 2 - most + 1)));
    for (const std::int32_t ring : {0, 1}) {
      const std::vector<std::int32_t> order = shuffled(slots, random);
      for (std::int32_t i = 0; i < (ring == fuller ? most : std::min(fewer, slots)); ++i) {
        const auto anywhere = static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(supernodes)));
        worms.push_back({supernode, ring * slots + order[static_cast<std::size_t>(i)],
                         random.bounded(2) == 0 ? supernode : anywhere});
      }
    }
  }
  return worms;
}

/// Removes worms until no supernode has to keep more than `most_kept`.
void thin_out(std::vector<RingWorm>& worms, const links::SupernodeRouter& router, std::int32_t side, std::int32_t slots,
              std::int32_t most_kept) {
  for (bool fits = false; !fits;) {
    links::SupernodeModel model(router, side, slots);
    for (std::size_t w = 0; w < worms.size(); ++w)
      model.store(worms[w].supernode, worms[w].index, static_cast<std::int32_t>(w), worms[w].destination);
    model.run_until_home();
    fits = model.most_kept() <= most_kept;
    if (!fits) worms.erase(worms.begin() + model.kept_worm());
  }
}

}  // namespace

std::vector<Packet> ring_stress(const Processors& processors, std::uint64_t seed, std::int32_t flits,
                                std::optional<std::int64_t> f, std::int64_t rounds) {
  const Grid& mesh = processors.coordinates("ring-stress");
  const SupernodeSize size = size_for(mesh, flits, f);
  const std::int32_t side = links::supernodes_of_side(mesh, size);
  if (rounds > size.cells())
    throw ConfigError("rounds", "supernodes have " + std::to_string(size.cells()) +
                                    " cells, one for each round; choose at most as many rounds");
  const SupernodeGeometry geometry(size);
  const auto router = links::row_first_router({side, 1, false});
  const links::SupernodeMesh supernodes{mesh, geometry};
  RandomStream random(seed, Purpose::permutation, 0, 0);
  const std::vector<Cell> cells = shuffled(size.cells(), random);
  std::vector<Packet> packets;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const Cell cell = cells[static_cast<std::size_t>(round)];
    std::vector<RingWorm> worms = stored_worms(size, side, seed, round);
    // A packet for its own node would never enter the network.
    const auto stays_home = [&](const RingWorm& worm) {
      return worm.destination == worm.supernode && geometry.start_of_slot(worm.index) == cell;
    };
    worms.erase(std::remove_if(worms.begin(), worms.end(), stays_home), worms.end());
    thin_out(worms, *router, side, size.slots(), size.f - 4);
    for (const RingWorm& worm : worms)
      packets.push_back({supernodes.node(worm.supernode, geometry.start_of_slot(worm.index)),
                         supernodes.node(worm.destination, cell), flits, 0});
  }
  return packets;
}

AlgorithmPattern ring_stress_pattern() {
  return {"ring-stress",
          "worms that fill the rings of supernodes from the start, almost full and unbalanced",
          {integer_key("f",
                       "number of worms that a supernode stores, as in routing.f; default: the least for which "
                       "supernodes fill the mesh")
               .measured_in("worms"),
           integer_key("rounds", "number of rounds with worms").by_default(30).at_least(1)},
          [](const Processors& processors, std::uint64_t seed, const KeyValues& keys) {
            const auto f = keys.has("f") ? std::optional(keys.integer("f")) : std::nullopt;
            const auto flits = static_cast<std::int32_t>(keys.integer("flits"));
            return ring_stress(processors, seed, flits, f, keys.integer("rounds"));
          }};
}

}  // namespace starloom::patterns
