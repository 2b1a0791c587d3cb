// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/acyclic_edges.hpp>

#include <algorithm>
#include <numeric>

namespace starloom::routing {
namespace {

void erase_one(std::vector<std::size_t>& list, std::size_t link) {
  *std::find(list.begin(), list.end(), link) = list.back();
  list.pop_back();
}

}  // namespace

AcyclicEdges::AcyclicEdges(std::size_t links) : next_(links), previous_(links), place_(links), seen_(links, 0) {
  std::iota(place_.begin(), place_.end(), std::size_t{0});
}

bool AcyclicEdges::contains(const LinkEdge& edge) const {
  const std::vector<std::size_t>& next = next_[edge.first];
  return std::find(next.begin(), next.end(), edge.second) != next.end();
}

bool AcyclicEdges::add(const LinkEdge& edge) {
  const auto [from, to] = edge;
  if (const std::size_t first = place_[to], last = place_[from]; first <= last) {
    std::vector<std::size_t> behind = reached(to, next_, first, last);
    if (seen_[from] == search_) return false;
    std::vector<std::size_t> moved = reached(from, previous_, first, last), places;
    const auto by_place = [this](std::size_t one, std::size_t other) { return place_[one] < place_[other]; };
    std::sort(moved.begin(), moved.end(), by_place);
    std::sort(behind.begin(), behind.end(), by_place);
    moved.insert(moved.end(), behind.begin(), behind.end());
    for (const std::size_t link : moved) places.push_back(place_[link]);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < moved.size(); ++i) place_[moved[i]] = places[i];
  }
  next_[from].push_back(to);
  previous_[to].push_back(from);
  return true;
}

void AcyclicEdges::remove(const LinkEdge& edge) {
  erase_one(next_[edge.first], edge.second);
  erase_one(previous_[edge.second], edge.first);
}

std::vector<std::size_t> AcyclicEdges::reached(std::size_t from, const Lists& lists, std::size_t first,
                                               std::size_t last) {
  ++search_;
  std::vector<std::size_t> list = {from};
  seen_[from] = search_;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const std::size_t link : lists[list[i]])
      if (place_[link] >= first && place_[link] <= last && seen_[link] != search_) {
        seen_[link] = search_;
        list.push_back(link);
      }
  return list;
}

}  // namespace starloom::routing
