// SPDX-License-Identifier: Apache-2.0
// Conjectures II.13 and II.14 of Mei and Rizzi on the smallest network, POPS(2,2): deterministic online algorithms
// without collisions, all of them, as a formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include <starloom/search/solver.hpp>

namespace starloom::pops {
namespace {

using links::Literal;

constexpr int d = 2, g = 2, n = d * g, nobody = n;
using Destination = std::array<int, n>;  ///< [source]
/// A processor's knowledge before a slot: its number, the destination of its packet, and for each slot before the
/// number of the packet heard, and its destination.
using View = std::vector<int>;
using Heard = std::vector<int>;  ///< [slot] source of the packet, or `nobody`

View view_of(int node, const Destination& to, const Heard& heard) {
  View view = {node, to[static_cast<std::size_t>(node)]};
  for (const int packet : heard) {
    view.push_back(packet);
    view.push_back(packet == nobody ? nobody : to[static_cast<std::size_t>(packet)]);
  }
  return view;
}

/// A processor sends one of the packets that it has heard of, or its own, to groups that depend on its view, and
/// samples the coupler from a group that depends on its view. All permutations are routed in `slots` slots, and no
/// two processors of a group drive one coupler.
class Algorithms {
 public:
  explicit Algorithms(int slots) : slots_(slots) {
    Destination to{};
    std::iota(to.begin(), to.end(), 0);
    do route(to);
    while (std::next_permutation(to.begin(), to.end()));
  }
  links::Solution solve() const { return links::solve(formula_); }
  /// True in the solution: the processor with this view sends the packet to the group.
  Literal sends(const View& view, int packet, int group) { return known({0, packet, group}, view); }
  /// True: it samples the coupler from group 1; false: from group 0.
  Literal samples(const View& view) { return known({1, 0, 0}, view); }

 private:
  Literal known(std::vector<int> key, const View& view) {
    key.insert(key.end(), view.begin(), view.end());
    Literal& literal = known_[key];
    if (literal == 0) literal = formula_.new_variable();
    return literal;
  }
  Literal both(Literal a, Literal b) {
    const Literal all = formula_.new_variable();
    formula_.add({-all, a});
    formula_.add({-all, b});
    formula_.add({all, -a, -b});
    return all;
  }
  Literal any(std::vector<Literal> of) {
    const Literal one = formula_.new_variable();
    for (const Literal literal : of) formula_.add({one, -literal});
    of.push_back(-one);
    formula_.add(of);
    return one;
  }

  /// The messages that a processor may have heard before a slot, with its literal.
  using Pasts = std::vector<std::pair<Heard, Literal>>;

  void route(const Destination& to) {
    std::vector<Pasts> pasts(n);  // [node]
    const Literal always = formula_.new_variable();
    formula_.add({always});
    for (Pasts& past : pasts) past = {{{}, always}};
    std::vector<std::vector<Literal>> arrived(n);  // [node]
    for (int slot = 0; slot < slots_; ++slot) {
      // [node][packet][group] and [node][group]
      std::vector<std::vector<std::vector<Literal>>> drives(
          n, std::vector<std::vector<Literal>>(n, std::vector<Literal>(g)));
      std::vector<std::vector<Literal>> listens(n, std::vector<Literal>(g));
      for (int node = 0; node < n; ++node) act(node, to, pasts[at(node)], drives[at(node)], listens[at(node)]);
      for (int group = 0; group < g; ++group)
        for (int to_group = 0; to_group < g; ++to_group)
          for (int p = 0; p < n; ++p)
            for (int q = 0; q < n; ++q)
              formula_.add(
                  {-drives[at(group * d)][at(p)][at(to_group)], -drives[at(group * d + 1)][at(q)][at(to_group)]});
      std::vector<Pasts> next(n);
      for (int node = 0; node < n; ++node) {
        std::vector<Literal> hears(n + 1);
        for (int packet = 0; packet < n; ++packet) {
          std::vector<Literal> paths;
          for (int from = 0; from < n; ++from)
            paths.push_back(both(drives[at(from)][at(packet)][at(node / d)], listens[at(node)][at(from / d)]));
          hears[at(packet)] = any(paths);
          if (to[at(packet)] == node) arrived[at(node)].push_back(hears[at(packet)]);
        }
        hears[nobody] = -any({hears.begin(), hears.end() - 1});
        for (const auto& [heard, literal] : pasts[at(node)])
          for (int packet = 0; packet <= nobody; ++packet) {
            Heard more = heard;
            more.push_back(packet);
            next[at(node)].push_back({more, both(literal, hears[at(packet)])});
          }
      }
      pasts.swap(next);
    }
    for (int node = 0; node < n; ++node)
      if (to[at(node)] != node) formula_.add(arrived[at(node)]);
  }

  void act(int node, const Destination& to, const Pasts& pasts, std::vector<std::vector<Literal>>& drives,
           std::vector<Literal>& listens) {
    std::vector<std::vector<std::vector<Literal>>> driving(n, std::vector<std::vector<Literal>>(g));
    std::vector<std::vector<Literal>> listening(g);
    for (const auto& [heard, literal] : pasts) {
      const View view = view_of(node, to, heard);
      std::vector<int> held = {node};
      for (const int packet : heard)
        if (packet != nobody && std::count(held.begin(), held.end(), packet) == 0) held.push_back(packet);
      for (const int packet : held)
        for (int group = 0; group < g; ++group) {
          driving[at(packet)][at(group)].push_back(both(literal, sends(view, packet, group)));
          for (const int other : held)
            for (int other_group = 0; other < packet && other_group < g; ++other_group)
              formula_.add({-sends(view, packet, group), -sends(view, other, other_group)});
        }
      listening[0].push_back(both(literal, -samples(view)));
      listening[1].push_back(both(literal, samples(view)));
    }
    for (int group = 0; group < g; ++group) {
      for (int packet = 0; packet < n; ++packet) drives[at(packet)][at(group)] = any(driving[at(packet)][at(group)]);
      listens[at(group)] = any(listening[at(group)]);
    }
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int slots_;
  links::Formula formula_;
  std::map<std::vector<int>, Literal> known_;
};

TEST(PopsConflictFree, TwoSlotsAreEnoughOnTheSmallestNetwork) {
  // A coupler carries one packet per slot, so two packets from one group to another need two slots.
  EXPECT_EQ(Algorithms(1).solve().found, links::Answer::no);
  Algorithms algorithms(2);
  const links::Solution found = algorithms.solve();
  ASSERT_EQ(found.found, links::Answer::yes);
  // Follows the algorithm that was found.
  Destination to{};
  std::iota(to.begin(), to.end(), 0);
  do {
    std::array<Heard, n> heard;
    for (int slot = 0; slot < 2; ++slot) {
      std::array<std::array<std::vector<int>, g>, g> coupler;  // [to][from] packets
      std::array<int, n> sampled{};
      for (std::size_t node = 0; node < n; ++node) {
        const View view = view_of(static_cast<int>(node), to, heard[node]);
        std::vector<int> held = heard[node];
        held.push_back(static_cast<int>(node));
        std::sort(held.begin(), held.end());
        held.erase(std::unique(held.begin(), held.end()), held.end());
        int messages = 0;
        for (const int packet : held) {
          if (packet == nobody) continue;
          bool driven = false;
          for (int group = 0; group < g; ++group)
            if (found.is_true(algorithms.sends(view, packet, group))) {
              coupler[static_cast<std::size_t>(group)][node / d].push_back(packet);
              driven = true;
            }
          messages += driven ? 1 : 0;
        }
        EXPECT_LE(messages, 1);
        sampled[node] = found.is_true(algorithms.samples(view)) ? 1 : 0;
      }
      for (std::size_t node = 0; node < n; ++node) {
        const std::vector<int>& carried = coupler[node / d][static_cast<std::size_t>(sampled[node])];
        EXPECT_LE(carried.size(), 1u);
        heard[node].push_back(carried.empty() ? nobody : carried.front());
      }
    }
    for (std::size_t source = 0; source < n; ++source) {
      const auto last = static_cast<std::size_t>(to[source]);
      EXPECT_TRUE(last == source || std::count(heard[last].begin(), heard[last].end(), static_cast<int>(source)) > 0);
    }
  } while (std::next_permutation(to.begin(), to.end()));
}

}  // namespace
}  // namespace starloom::pops
