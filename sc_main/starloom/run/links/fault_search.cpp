// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <starloom/run/links/fault_verdict.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

using Kind = FaultSets::Kind;

/// The cables of which a link is alive.
std::vector<Cable> living_cables(const Faults& given) {
  std::vector<Cable> cables = cables_of(given.graph());
  cables.erase(
      std::remove_if(cables.begin(), cables.end(), [&](const Cable& cable) { return given.cable_is_dead(cable); }),
      cables.end());
  return cables;
}

/// The nodes with a router that is alive.
std::vector<NodeId> living_routers(const Faults& given) {
  std::vector<NodeId> routers;
  for (NodeId node = 0; node < given.graph().nodes(); ++node)
    if (!given.graph().is_terminal(node) && !given.router_is_dead(node)) routers.push_back(node);
  return routers;
}

class Search final : public FaultSearch {
 public:
  Search(const Faults& given, const FaultSets& sets, std::uint64_t seed,
         std::function<std::unique_ptr<Algorithm>(const Faults&)> make)
      : given_(given),
        asked_(sets),
        seed_(seed),
        make_(std::move(make)),
        // Random sets are those of `faults.random.cables`, which draws from all cables.
        cables_(sets.kind == Kind::random_cables ? cables_of(given.graph()) : living_cables(given)),
        routers_(living_routers(given)) {
    if (given.graph().nodes() > most_nodes_for_pairs)
      throw InputError(
          fmt::format("starloom faults: the pairs of more than {} nodes are not counted; choose a smaller "
                      "network",
                      most_nodes_for_pairs));
    if (const auto most = static_cast<std::int64_t>(cables_.size()); asked_.cables > most)
      throw InputError(
          fmt::format("starloom faults: --random {}: the network has {}", asked_.cables, counted(most, "cable")));
    if (sets_of() == 0)
      throw InputError(fmt::format("starloom faults: the network has no {} alive",
                                   asked_.kind == Kind::single_routers    ? "router"
                                   : asked_.kind == Kind::pairs_of_cables ? "two cables"
                                                                          : "cable"));
    if (sets_of() > most_sets)
      throw InputError(
          fmt::format("starloom faults: {} are more than {}; take random ones, such as --random 2 "
                      "--runs 10000",
                      counted(sets_of(), "set"), most_sets));
    if (asked_.kind == Kind::pairs_of_cables)
      for (std::uint32_t one = 0; one < cables_.size(); ++one)
        for (std::uint32_t other = one + 1; other < cables_.size(); ++other) pairs_.emplace_back(one, other);
  }

  std::int64_t sets() const override { return sets_of(); }

  std::vector<std::string> dead(std::int64_t set) const override {
    std::vector<std::string> names;
    if (asked_.kind == Kind::single_routers)
      names.push_back(given_.graph().node_name(routers_[static_cast<std::size_t>(set)]));
    else
      for (const Cable& cable : cables_in(set))
        names.push_back(given_.graph().link_name(cable.lower.node, cable.lower.port));
    return names;
  }

  std::optional<std::uint64_t> seed(std::int64_t set) const override {
    return asked_.kind == Kind::random_cables ? std::optional(seed_ + static_cast<std::uint64_t>(set)) : std::nullopt;
  }

  FaultVerdict verdict(std::int64_t set) const override {
    Faults faults = given_;
    if (asked_.kind == Kind::single_routers) faults.kill_router(routers_[static_cast<std::size_t>(set)]);
    else
      for (const Cable& cable : cables_in(set)) faults.kill_cable(cable);
    return verdict_with(faults);
  }
  FaultVerdict verdict_before() const override { return verdict_with(given_); }

 private:
  std::int64_t sets_of() const {
    const auto cables = static_cast<std::int64_t>(cables_.size());
    switch (asked_.kind) {
      case Kind::single_cables: return cables;
      case Kind::single_routers: return static_cast<std::int64_t>(routers_.size());
      case Kind::pairs_of_cables: return cables * (cables - 1) / 2;
      case Kind::random_cables: break;
    }
    return asked_.sets;
  }

  std::vector<Cable> cables_in(std::int64_t set) const {
    const auto number = static_cast<std::size_t>(set);
    switch (asked_.kind) {
      case Kind::single_cables: return {cables_[number]};
      case Kind::pairs_of_cables: return {cables_[pairs_[number].first], cables_[pairs_[number].second]};
      case Kind::random_cables: return random_cables(cables_, asked_.cables, *seed(set));
      case Kind::single_routers: break;
    }
    return {};
  }

  FaultVerdict verdict_with(const Faults& faults) const {
    if (faults.processors() == 0) return {0, 0, true, 0.0};
    const std::unique_ptr<Algorithm> algorithm = make_(faults);
    return verdict_of(Unreachable(faults, algorithm->without_path()), *algorithm);
  }

  const Faults& given_;
  const FaultSets asked_;
  const std::uint64_t seed_;
  const std::function<std::unique_ptr<Algorithm>(const Faults&)> make_;
  const std::vector<Cable> cables_;
  const std::vector<NodeId> routers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< [set] places in `cables_`
};

}  // namespace

std::unique_ptr<FaultSearch> search_faults(const Faults& given, const FaultSets& sets, std::uint64_t seed,
                                           std::function<std::unique_ptr<Algorithm>(const Faults&)> make) {
  return std::make_unique<Search>(given, sets, seed, std::move(make));
}

}  // namespace starloom::links
