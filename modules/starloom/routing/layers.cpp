// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/layers.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <starloom/routing/acyclic_edges.hpp>
#include <starloom/support/error.hpp>

namespace starloom::routing {
namespace {

constexpr std::size_t most_layers = 256;

std::uint8_t checked(std::size_t layer) {
  if (layer >= most_layers) throw InputError("layered needs more than 256 channels here; use up-down or legal-ways");
  return static_cast<std::uint8_t>(layer);
}

/// A layer of lash: the edges of its paths.
class LashLayer {
 public:
  explicit LashLayer(std::size_t links) : edges_(links) {}

  /// False, and no change, if the path would close a cycle.
  bool add(const LinkPath& path) {
    std::vector<LinkEdge> added;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const LinkEdge edge{path[i - 1], path[i]};
      if (edges_.contains(edge)) continue;
      const bool known = closing_.count(edge) > 0;
      if (!known && edges_.add(edge)) {
        added.push_back(edge);
        continue;
      }
      for (const LinkEdge& one : added) edges_.remove(one);
      if (known) return false;
      if (edges_.add(edge)) edges_.remove(edge);
      else closing_.insert(edge);
      return false;
    }
    return true;
  }

 private:
  AcyclicEdges edges_;
  std::set<LinkEdge> closing_;  ///< edges that close a cycle with those that are there
};

Layers by_lash(std::size_t links, std::size_t pairs, const std::function<LinkPath(std::size_t)>& path) {
  Layers found{std::vector<std::uint8_t>(pairs, 0), {}};
  std::vector<LashLayer> layers;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const LinkPath own = path(pair);
    if (own.empty()) continue;
    std::size_t layer = 0;
    while (layer < layers.size() && !layers[layer].add(own)) ++layer;
    found.of_pair[pair] = checked(layer);
    if (layer == layers.size()) {
      layers.emplace_back(links);
      layers.back().add(own);
      found.pairs.push_back(0);
    }
    ++found.pairs[layer];
  }
  return found;
}

/// The edges of the paths of one layer, with their pairs.
class LayerEdges {
 public:
  explicit LayerEdges(std::size_t links) : next_(links) {}

  void add(std::size_t pair, const LinkPath& path) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      Use& use = edge(path[i - 1], path[i]);
      use.pairs.push_back(pair);
      ++use.count;
    }
  }
  void remove(const LinkPath& path) {
    for (std::size_t i = 1; i < path.size(); ++i) --edge(path[i - 1], path[i]).count;
  }
  /// All that were ever added.
  const std::vector<std::size_t>& pairs_over(const LinkEdge& given) { return edge(given.first, given.second).pairs; }

  /// The edge that breaks the first cycle; empty: there is none.
  std::optional<LinkEdge> weakest_of_cycle() {
    enum State : std::uint8_t { fresh, open, done };
    std::vector<State> state(next_.size(), fresh);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // links, and the number of the edge over which it goes on
    for (std::size_t start = 0; start < next_.size(); ++start) {
      if (state[start] != fresh) continue;
      path = {{start, 0}};
      state[start] = open;
      while (!path.empty()) {
        const std::size_t link = path.back().first;
        std::size_t& at = path.back().second;
        while (at < next_[link].size() && next_[link][at].count == 0) ++at;
        if (at == next_[link].size()) {
          state[link] = done;
          path.pop_back();
          if (!path.empty()) ++path.back().second;
          continue;
        }
        const std::size_t next = next_[link][at].to;
        if (state[next] == open) return weakest(path, next);
        if (state[next] == done) ++at;
        else {
          state[next] = open;
          path.emplace_back(next, 0);
        }
      }
    }
    return std::nullopt;
  }

 private:
  struct Use {
    std::size_t to;
    std::int64_t count = 0;
    std::vector<std::size_t> pairs{};
  };

  Use& edge(std::size_t from, std::size_t to) {
    std::vector<Use>& list = next_[from];
    const auto place =
        std::lower_bound(list.begin(), list.end(), to, [](const Use& use, std::size_t link) { return use.to < link; });
    return place != list.end() && place->to == to ? *place : *list.insert(place, Use{to});
  }
  /// \param path ends with the edge back to `first`.
  LinkEdge weakest(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t first) const {
    auto at = std::find_if(path.begin(), path.end(), [first](const auto& step) { return step.first == first; });
    const Use* least = nullptr;
    std::size_t from = first;
    for (; at != path.end(); ++at) {
      const Use& use = next_[at->first][at->second];
      if (least != nullptr && use.count >= least->count) continue;
      least = &use;
      from = at->first;
    }
    return {from, least->to};
  }

  std::vector<std::vector<Use>> next_;  ///< [link] by `to`
};

Layers by_dfsssp(std::size_t links, std::size_t pairs, const std::function<LinkPath(std::size_t)>& path) {
  Layers found{std::vector<std::uint8_t>(pairs, 0), {}};
  std::vector<std::size_t> here;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    if (!path(pair).empty()) here.push_back(pair);
  for (std::size_t layer = 0; !here.empty(); ++layer) {
    LayerEdges edges(links);
    for (const std::size_t pair : here) edges.add(pair, path(pair));
    std::vector<std::size_t> moved;
    while (const auto weakest = edges.weakest_of_cycle())
      for (const std::size_t pair : edges.pairs_over(*weakest)) {
        if (found.of_pair[pair] != layer) continue;  // moved earlier
        found.of_pair[pair] = checked(layer + 1);
        edges.remove(path(pair));
        moved.push_back(pair);
      }
    found.pairs.push_back(static_cast<std::int64_t>(here.size() - moved.size()));
    std::sort(moved.begin(), moved.end());
    here = std::move(moved);
  }
  return found;
}

}  // namespace

Layers layers_of(Layering layering, std::size_t links, std::size_t pairs,
                 const std::function<LinkPath(std::size_t)>& path) {
  Layers found = layering == Layering::lash ? by_lash(links, pairs, path) : by_dfsssp(links, pairs, path);
  if (found.pairs.empty()) found.pairs.push_back(0);
  return found;
}

}  // namespace starloom::routing
