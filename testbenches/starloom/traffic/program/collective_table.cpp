// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/collective_table.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Items = std::vector<PlanItem>;
using Pieces = std::vector<Items>;  ///< [piece] the items for which it waits
using Ranks = std::vector<std::int32_t>;

/// S flits as P blocks: block b has floor(S/P) flits, one more if b < S mod P.
struct Blocks {
  std::int64_t flits;
  std::int64_t count;
  std::int64_t size(std::int64_t block) const { return flits / count + (block < flits % count ? 1 : 0); }
  std::int64_t size(std::int64_t first, std::int64_t blocks) const {
    std::int64_t sum = 0;
    for (std::int64_t block = first; block < first + blocks; ++block) sum += size(block);
    return sum;
  }
};

void append(Items& to, const Items& items) { to.insert(to.end(), items.begin(), items.end()); }

/// Each piece of a block waits for the item that brings it, and for those of `also`.
Pieces forwarded(const Items& there, const Items& also) {
  Pieces after;
  for (const PlanItem item : there) {
    after.push_back(also);
    after.back().push_back(item);
  }
  return after;
}

/// One item that completes with all of them, so that pieces do not wait for each other one by one.
Items joined(OperationPlan& plan, std::int64_t rank, Items items) {
  if (items.size() < 2) return items;
  return {plan.event(static_cast<std::int32_t>(rank), 0, items, false)};
}

bool reduces(const Collective& collective) { return collective.op == "all-reduce" || collective.op == "reduce"; }
bool scatters(const Collective& collective) {
  return collective.op == "all-reduce" || collective.op == "reduce-scatter";
}
bool gathers(const Collective& collective) { return collective.op == "all-reduce" || collective.op == "all-gather"; }

// -- Rings --

/// A ring of ranks: each of `ranks` sends to the next one, and the last one to the first.
struct Ring {
  OperationPlan& plan;
  Ranks ranks;
  Blocks blocks;
  std::int32_t first_block = 0;           ///< the number of its block 0 among those of the collective
  bool reversed = false;                  ///< `ranks` is the reversed ring: block -i belongs to index i
  Pieces entered = Pieces(ranks.size());  ///< [index] items for which all messages of the rank wait
  Pieces there = Pieces(ranks.size());    ///< [index] the items that bring the pieces of the last block
  Pieces come = Pieces(ranks.size());     ///< [index] the items that bring the pieces of all blocks

  std::int64_t block(std::int64_t i) const {
    const auto count = static_cast<std::int64_t>(ranks.size());
    return ((reversed ? -i : i) % count + count) % count;
  }
  /// Each index i sends block i - shift to the next one, once it has come.
  /// \param begins the ranks have their blocks at the beginning.
  void round(std::int64_t shift, bool reduced, bool begins) {
    Pieces next(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const std::size_t to = (i + 1) % ranks.size();
      const std::int64_t sent = block(static_cast<std::int64_t>(i) - shift);
      const auto number = first_block + static_cast<std::int32_t>(sent);
      const std::int64_t flits = blocks.size(sent);
      next[to] = begins
                     ? plan.send(ranks[i], ranks[to], number, flits, reduced, entered[i])
                     : plan.send_pieces(ranks[i], ranks[to], number, flits, reduced, forwarded(there[i], entered[i]));
      append(come[to], next[to]);
    }
    there = std::move(next);
  }
  std::int64_t rounds() const { return static_cast<std::int64_t>(ranks.size()) - 1; }
  /// Ends with the block of each index at that index.
  void scatter() {
    for (std::int64_t t = 0; t < rounds(); ++t) round(t + 1, true, t == 0);
  }
  /// Begins with these blocks.
  void gather(bool begins) {
    for (std::int64_t t = 0; t < rounds(); ++t) round(t, false, begins && t == 0);
  }
};

Ranks all_ranks(const OperationPlan& plan) {
  Ranks ranks(static_cast<std::size_t>(plan.ranks()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

void plan_ring(const Collective& collective, Ring ring) {
  if (scatters(collective)) ring.scatter();
  if (gathers(collective)) ring.gather(!scatters(collective));
}

void plan_one_ring(OperationPlan& plan, const Collective& collective) {
  plan_ring(collective, {plan, all_ranks(plan), {collective.flits, plan.ranks()}});
}

/// The second half of the data goes round in the other direction.
void plan_bidirectional_ring(OperationPlan& plan, const Collective& collective) {
  const std::int64_t backward = collective.flits / 2;
  plan_ring(collective, {plan, all_ranks(plan), {collective.flits - backward, plan.ranks()}});
  Ranks reversed = all_ranks(plan);
  std::reverse(reversed.begin() + 1, reversed.end());
  plan_ring(collective, {plan, reversed, {backward, plan.ranks()}, plan.ranks(), true});
}

/// In each row of the grid a reduce-scatter, in each column an all-reduce of the block that its ranks have then, and in
/// each row an all-gather.
void plan_hierarchical(OperationPlan& plan, const Collective& collective) {
  const std::int64_t rows = collective.rows, columns = collective.columns;
  const Blocks blocks{collective.flits, columns};
  std::vector<Ring> in_rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    Ranks ranks(static_cast<std::size_t>(columns));
    std::iota(ranks.begin(), ranks.end(), static_cast<std::int32_t>(row * columns));
    in_rows.push_back({plan, ranks, blocks});
    in_rows.back().scatter();
  }
  for (std::int64_t column = 0; column < columns; ++column) {
    const auto at = static_cast<std::size_t>(column);
    Ranks ranks;
    for (std::int64_t row = 0; row < rows; ++row) ranks.push_back(static_cast<std::int32_t>(row * columns + column));
    Ring in_column{plan, ranks, {blocks.size(column), rows}, static_cast<std::int32_t>(columns + column * rows)};
    for (std::size_t row = 0; row < in_rows.size(); ++row)
      in_column.entered[row] = joined(plan, ranks[row], in_rows[row].there[at]);
    in_column.come = in_column.entered;
    in_column.scatter();
    in_column.gather(false);
    for (std::size_t row = 0; row < in_rows.size(); ++row)
      in_rows[row].entered[at] = joined(plan, ranks[row], in_column.come[row]);
  }
  for (Ring& row : in_rows) row.gather(true);
}

// -- Other algorithms --

/// Half of the blocks in each round, with partners that come nearer; back the other way.
void plan_halving_doubling(OperationPlan& plan, const Collective& collective) {
  const std::int64_t ranks = plan.ranks();
  const Blocks blocks{collective.flits, ranks};
  const auto count = static_cast<std::size_t>(ranks);
  Pieces come(count);
  const auto exchange = [&](std::int64_t distance, bool scatter) {
    Pieces next(count);
    for (std::int64_t i = 0; i < ranks; ++i) {
      const std::int64_t partner = i ^ distance;
      // The blocks of the partner after the round, or those of the rank before it.
      const std::int64_t first = (scatter ? partner : i) / distance * distance;
      append(
          next[static_cast<std::size_t>(partner)],
          plan.send(static_cast<std::int32_t>(i), static_cast<std::int32_t>(partner), static_cast<std::int32_t>(first),
                    blocks.size(first, distance), scatter, come[static_cast<std::size_t>(i)]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      // The halving waits for the round before only, the doubling for all rounds.
      Items all = scatter ? Items() : come[i];
      append(all, next[i]);
      come[i] = joined(plan, static_cast<std::int64_t>(i), std::move(all));
    }
  };
  if (scatters(collective))
    for (std::int64_t distance = ranks / 2; distance >= 1; distance /= 2) exchange(distance, true);
  if (gathers(collective))
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) exchange(distance, false);
}

void plan_direct(OperationPlan& plan, const Collective& collective) {
  const std::int32_t ranks = plan.ranks();
  const Blocks blocks{collective.flits, ranks};
  for (std::int32_t i = 0; i < ranks; ++i)
    for (std::int32_t k = 1; k < ranks; ++k) {
      const std::int32_t to = (i + k) % ranks, block = collective.op == "all-gather" ? i : to;
      plan.send(i, to, block, blocks.size(block), collective.op == "reduce-scatter", {});
    }
}

/// In round t each rank passes on what is for the ranks behind the next one.
void plan_ring_all_to_all(OperationPlan& plan, const Collective& collective) {
  const std::int64_t ranks = plan.ranks();
  Pieces come(static_cast<std::size_t>(ranks));
  for (std::int64_t t = 1; t < ranks; ++t) {
    Pieces next(come.size());
    for (std::int64_t i = 0; i < ranks; ++i) {
      const std::int64_t to = (i + 1) % ranks;
      Items there =
          plan.send(static_cast<std::int32_t>(i), static_cast<std::int32_t>(to), static_cast<std::int32_t>(t - 1),
                    (ranks - t) * (collective.flits / ranks), false, come[static_cast<std::size_t>(i)]);
      next[static_cast<std::size_t>(to)] = joined(plan, to, std::move(there));
    }
    come = std::move(next);
  }
}

/// A heap: the children of place x are 2x+1 and 2x+2, and place x is that of rank root + x.
void plan_tree(OperationPlan& plan, const Collective& collective) {
  const std::int32_t ranks = plan.ranks();
  const auto rank = [&](std::int32_t place) { return (collective.root + place) % ranks; };
  const auto pieces = static_cast<std::size_t>(plan.pieces_of(collective.flits));
  std::vector<Pieces> come(static_cast<std::size_t>(ranks), Pieces(pieces));  // [place][piece] what brings it
  if (reduces(collective))
    for (std::int32_t place = ranks - 1; place > 0; --place) {
      const Items there = plan.send_pieces(rank(place), rank((place - 1) / 2), 0, collective.flits, true,
                                           come[static_cast<std::size_t>(place)]);
      // Places are taken from the last one on, but children have their order.
      Pieces& parent = come[static_cast<std::size_t>((place - 1) / 2)];
      for (std::size_t piece = 0; piece < pieces; ++piece) parent[piece].insert(parent[piece].begin(), there[piece]);
    }
  if (collective.op == "reduce") return;
  for (std::int32_t place = 0; place < ranks; ++place) {
    std::int64_t left = collective.flits;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::int64_t size = collective.chunk == 0 ? left : std::min<std::int64_t>(left, collective.chunk);
      left -= size;
      for (std::int64_t child = 2 * std::int64_t{place} + 1; child <= 2 * std::int64_t{place} + 2; ++child)
        if (child < ranks)
          come[static_cast<std::size_t>(child)][piece] = {plan.send_piece(
              rank(place), rank(static_cast<std::int32_t>(child)), {0, static_cast<std::int32_t>(piece)},
              static_cast<std::int32_t>(size), false, come[static_cast<std::size_t>(place)][piece])};
    }
  }
}

void plan_chain(OperationPlan& plan, const Collective& collective) {
  const std::int32_t ranks = plan.ranks();
  Pieces after(static_cast<std::size_t>(plan.pieces_of(collective.flits)));
  for (std::int32_t place = 0; place + 1 < ranks; ++place)
    after = forwarded(plan.send_pieces((collective.root + place) % ranks, (collective.root + place + 1) % ranks, 0,
                                       collective.flits, false, after),
                      {});
}

void plan_binomial(OperationPlan& plan, const Collective& collective) {
  const std::int32_t ranks = plan.ranks();
  const auto rank = [&](std::int32_t place) { return (collective.root + place) % ranks; };
  std::vector<Pieces> come(static_cast<std::size_t>(ranks),
                           Pieces(static_cast<std::size_t>(plan.pieces_of(collective.flits))));
  for (std::int32_t distance = 1; distance < ranks; distance *= 2)
    for (std::int32_t place = 0; place < distance && place + distance < ranks; ++place)
      come[static_cast<std::size_t>(place + distance)] =
          forwarded(plan.send_pieces(rank(place), rank(place + distance), 0, collective.flits, false,
                                     come[static_cast<std::size_t>(place)]),
                    {});
}

/// The network copies the pieces where the paths to their receivers part.
void plan_multicast(OperationPlan& plan, const Collective& collective) {
  if (plan.ranks() == 1) return;
  const std::int32_t to = plan.ranks() == 2 ? 1 - collective.root : OperationPlan::everyone;
  plan.send(collective.root, to, 0, collective.flits, false, {});
}

/// A flit in each round, with no data.
void plan_barrier(OperationPlan& plan, const Collective& /*collective*/) {
  const std::int64_t ranks = plan.ranks();
  Pieces come(static_cast<std::size_t>(ranks));
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    Pieces next = come;
    for (std::int64_t i = 0; i < ranks; ++i) {
      const std::int64_t to = (i + distance) % ranks;
      append(next[static_cast<std::size_t>(to)],
             plan.send(static_cast<std::int32_t>(i), static_cast<std::int32_t>(to), OperationPlan::no_block, 1, false,
                       come[static_cast<std::size_t>(i)]));
    }
    come = std::move(next);
  }
}

// -- Refusals --

std::string flits_text(const Collective& collective) {
  return std::to_string(collective.flits) + (collective.flits == 1 ? " flit" : " flits");
}
std::string ranks_text(std::int64_t ranks) { return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"); }

std::string refuse_none(const Collective& /*collective*/, std::int32_t /*ranks*/) { return ""; }
/// Each rank has a block, or `blocks` of them.
std::string refuse_less(const Collective& collective, std::int32_t ranks, std::int64_t blocks) {
  if (collective.flits >= ranks * blocks) return "";
  return collective.algorithm + " needs at least " + std::to_string(ranks * blocks) + " flits among " +
         ranks_text(ranks) + ", not " + std::to_string(collective.flits);
}
std::string refuse_blocks(const Collective& collective, std::int32_t ranks) {
  return refuse_less(collective, ranks, 1);
}
std::string refuse_two_rings(const Collective& collective, std::int32_t ranks) {
  return refuse_less(collective, ranks, 2);
}
std::string refuse_halves(const Collective& collective, std::int32_t ranks) {
  if ((ranks & (ranks - 1)) != 0) return collective.algorithm + " needs a power of two, not " + ranks_text(ranks);
  return refuse_blocks(collective, ranks);
}
std::string refuse_fractions(const Collective& collective, std::int32_t ranks) {
  if (collective.flits % ranks == 0) return refuse_blocks(collective, ranks);
  return "ring needs a multiple of " + ranks_text(ranks) + ", not " + flits_text(collective);
}
std::string refuse_grid(const Collective& collective, std::int32_t ranks) {
  if (collective.rows == 0) return "hierarchical needs the key grid: [rows, columns]";
  if (collective.rows * collective.columns != ranks)
    return "a grid of " + std::to_string(collective.rows) + " x " + std::to_string(collective.columns) +
           " does not have " + ranks_text(ranks);
  return refuse_blocks(collective, ranks);
}

// Estimates: a latency and a step for each flit, one message after the other.

/// The logarithm to base 2, rounded up.
std::int64_t rounds_of(std::int32_t ranks) {
  std::int64_t rounds = 0;
  while ((std::int64_t{1} << rounds) < ranks) ++rounds;
  return rounds;
}
/// A collective that is both a reduce-scatter and an all-gather takes twice the steps of one of them.
int phases_of(const Collective& collective) { return collective.op == "all-reduce" ? 2 : 1; }
/// The share of the data that a rank sends to the others.
double sent_to_others(const Collective& collective, std::int32_t ranks) {
  return static_cast<double>(collective.flits) * (ranks - 1) / ranks;
}
double model_ring(const Collective& collective, std::int32_t ranks, Step latency) {
  const double block = static_cast<double>(collective.flits) / ranks;
  return phases_of(collective) * (ranks - 1) * (static_cast<double>(latency) + block);
}
double model_halving_doubling(const Collective& collective, std::int32_t ranks, Step latency) {
  return phases_of(collective) * (static_cast<double>(latency * rounds_of(ranks)) + sent_to_others(collective, ranks));
}
double model_direct(const Collective& collective, std::int32_t ranks, Step latency) {
  return static_cast<double>(latency * (ranks - 1)) + sent_to_others(collective, ranks);
}
double model_tree(const Collective& collective, std::int32_t ranks, Step latency) {
  const std::int64_t piece =
      collective.chunk == 0 ? collective.flits : std::min<std::int64_t>(collective.chunk, collective.flits);
  const std::int64_t pieces = (collective.flits + piece - 1) / piece;
  return static_cast<double>(2 * (rounds_of(ranks) + pieces - 1) * (latency + piece));
}

}  // namespace

bool Collective::operator==(const Collective& other) const {
  const auto parts = [](const Collective& one) {
    return std::tie(one.op, one.algorithm, one.flits, one.chunk, one.root, one.rows, one.columns, one.reduce);
  };
  return parts(*this) == parts(other);
}

const std::vector<CollectiveAlgorithm>& collective_table() {
  static const std::vector<CollectiveAlgorithm> table = {
      {"ring", {"all-reduce", "reduce-scatter", "all-gather"}, refuse_blocks, plan_one_ring, model_ring},
      {"bidirectional-ring", {"all-reduce", "reduce-scatter", "all-gather"}, refuse_two_rings, plan_bidirectional_ring},
      {"halving-doubling",
       {"all-reduce", "reduce-scatter", "all-gather"},
       refuse_halves,
       plan_halving_doubling,
       model_halving_doubling},
      {"direct", {"all-to-all", "reduce-scatter", "all-gather"}, refuse_blocks, plan_direct, model_direct},
      {"ring", {"all-to-all"}, refuse_fractions, plan_ring_all_to_all},
      {"tree", {"reduce", "broadcast"}, refuse_none, plan_tree},
      {"tree", {"all-reduce"}, refuse_none, plan_tree, model_tree},
      {"chain", {"broadcast"}, refuse_none, plan_chain},
      {"binomial", {"broadcast"}, refuse_none, plan_binomial},
      {"multicast", {"broadcast"}, refuse_none, plan_multicast},
      {"hierarchical", {"all-reduce"}, refuse_grid, plan_hierarchical},
      {"dissemination", {"barrier"}, refuse_none, plan_barrier}};
  return table;
}

std::vector<std::string> collective_ops() {
  std::vector<std::string> ops;
  for (const CollectiveAlgorithm& entry : collective_table())
    for (const std::string& op : entry.ops)
      if (!contains(ops, op)) ops.push_back(op);
  return ops;
}

std::vector<std::string> algorithms_of(const std::string& op) {
  std::vector<std::string> names;
  for (const CollectiveAlgorithm& entry : collective_table())
    if (contains(entry.ops, op)) names.push_back(entry.name);
  return names;
}

const CollectiveAlgorithm* find_collective(const std::string& op, const std::string& algorithm) {
  for (const CollectiveAlgorithm& entry : collective_table())
    if (entry.name == algorithm && contains(entry.ops, op)) return &entry;
  return nullptr;
}

std::string refusal_of(const Collective& collective, std::int32_t ranks) {
  const std::string error = find_collective(collective.op, collective.algorithm)->refuse(collective, ranks);
  if (!error.empty() || collective.root < ranks) return error;
  return "root " + std::to_string(collective.root) + " is not in a list of " + std::to_string(ranks) +
         (ranks == 1 ? " rank" : " ranks");
}

std::optional<double> bus_factor(const std::string& op, std::int32_t ranks) {
  if (op == "barrier") return std::nullopt;
  if (op == "broadcast" || op == "reduce") return 1;
  const double others = static_cast<double>(ranks - 1) / ranks;
  return op == "all-reduce" ? 2 * others : others;
}

OperationPlan plan_of(const Collective& collective, std::int32_t ranks) {
  OperationPlan plan(ranks, collective.chunk, collective.reduce);
  find_collective(collective.op, collective.algorithm)->plan(plan, collective);
  plan.close();
  return plan;
}

}  // namespace starloom
