// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/workloads/item_graph.hpp>

#include <algorithm>
#include <utility>

namespace starloom {
namespace {

/// A search for cycles follows at most this number of dependencies in total.
constexpr std::int64_t most_followed = 200'000'000;

}  // namespace

ItemGraph::ItemGraph(std::vector<Item> items, const std::vector<Dependency>& dependencies,
                     std::vector<std::string> flows)
    : items_(std::move(items)),
      first_(items_.size() + 1, 0),
      dependants_(dependencies.size()),
      flows_(std::move(flows)) {
  for (const Dependency& dependency : dependencies) ++first_[dependency.awaited + std::size_t{1}];
  for (std::size_t item = 0; item < items_.size(); ++item) first_[item + 1] += first_[item];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Dependency& dependency : dependencies)
    dependants_[next[dependency.awaited]++] = {dependency.waiting, dependency.place};
  for (std::size_t item = 0; item < items_.size(); ++item)
    std::stable_sort(dependants_.begin() + static_cast<std::ptrdiff_t>(first_[item]),
                     dependants_.begin() + static_cast<std::ptrdiff_t>(first_[item + 1]),
                     [](const Dependant& a, const Dependant& b) { return a.item < b.item; });
}

std::string ItemGraph::flow(const Item& item) const {
  if (item.flow >= 0) return flows_[static_cast<std::size_t>(item.flow)];
  return std::to_string(item.source) + "->" + std::to_string(item.destination);
}

/// Items of which none waits for a later one. Those that are on or behind a cycle are missing; `waits_for` counts the
/// missing items for which each item waits.
std::vector<ItemNumber> ItemGraph::in_order(std::vector<std::uint32_t>& waits_for) const {
  waits_for.assign(items_.size(), 0);
  for (const Dependant& dependant : dependants_) ++waits_for[dependant.item];
  std::vector<ItemNumber> order;
  order.reserve(items_.size());
  for (ItemNumber item = 0; item < items_.size(); ++item)
    if (waits_for[item] == 0) order.push_back(item);
  for (std::size_t at = 0; at < order.size(); ++at)
    for (const Dependant& dependant : dependants(order[at]))
      if (--waits_for[dependant.item] == 0) order.push_back(dependant.item);
  return order;
}

std::int64_t ItemGraph::depth() const {
  std::vector<std::uint32_t> waits_for;
  std::vector<std::int64_t> depth(items_.size(), 1);
  std::int64_t greatest = 0;
  for (const ItemNumber item : in_order(waits_for)) {
    greatest = std::max(greatest, depth[item]);
    for (const Dependant& dependant : dependants(item))
      depth[dependant.item] = std::max(depth[dependant.item], depth[item] + 1);
  }
  return greatest;
}

std::vector<ItemNumber> ItemGraph::shortest_cycle() const {
  std::vector<std::uint32_t> waits_for;
  if (in_order(waits_for).size() == items_.size()) return {};
  // From each item that may be on a cycle, breadth first along its dependants, until the search comes back.
  constexpr ItemNumber none = ~ItemNumber{0};
  std::vector<ItemNumber> best, from(items_.size(), none);
  std::vector<std::pair<ItemNumber, std::size_t>> reached;  // with the length of the way
  std::int64_t followed = 0;
  for (ItemNumber start = 0; start < items_.size() && (best.empty() || followed < most_followed); ++start) {
    if (waits_for[start] == 0) continue;
    reached.assign(1, {start, 0});
    bool found = false;
    for (std::size_t at = 0; at < reached.size() && !found; ++at) {
      const auto [item, length] = reached[at];
      if (!best.empty() && length + 1 >= best.size()) break;
      for (const Dependant& dependant : dependants(item)) {
        ++followed;
        if (dependant.item == start) {
          best.assign(1, start);
          for (ItemNumber back = item; back != start; back = from[back]) best.push_back(back);
          found = true;
          break;
        }
        if (waits_for[dependant.item] == 0 || from[dependant.item] != none) continue;
        from[dependant.item] = item;
        reached.emplace_back(dependant.item, length + 1);
      }
    }
    for (const auto& [item, length] : reached) from[item] = none;
    if (best.size() == 1) break;
  }
  std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
  return best;
}

}  // namespace starloom
