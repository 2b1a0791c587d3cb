// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of dead hardware that are judged without a run (docs/faults.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starloom {

/// The sets of a search. The faults of the experiment are dead in each of them.
struct FaultSets {
  enum class Kind { single_cables, single_routers, pairs_of_cables, random_cables };
  Kind kind = Kind::single_cables;
  // of `random_cables`
  std::int64_t cables = 0;  ///< of a set
  std::int64_t sets = 0;    ///< drawn by as many consecutive seeds, of which the first is that of the experiment
};

/// The network that a set of dead hardware leaves.
struct FaultVerdict {
  std::int32_t parts = 0;
  std::int64_t unreachable = 0;   ///< ordered pairs of living processors
  std::optional<bool> acyclic{};  ///< true if no traffic can end in a deadlock; empty: not known
  /// That of the busiest link if each pair with a path sends one flit; empty: not known.
  std::optional<double> load{};
};

/// Sets with numbers from 0 on.
class FaultSearch {
 public:
  /// At most this number of sets is searched.
  static constexpr std::int64_t most_sets = 500'000;

  virtual ~FaultSearch() = default;
  FaultSearch(const FaultSearch&) = delete;
  FaultSearch& operator=(const FaultSearch&) = delete;

  virtual std::int64_t sets() const = 0;
  /// The names of the dead hardware, besides that of the experiment: of cables the lower link, or nodes.
  virtual std::vector<std::string> dead(std::int64_t set) const = 0;
  /// The seed that draws the set; empty: it is not random.
  virtual std::optional<std::uint64_t> seed(std::int64_t set) const = 0;
  /// May be called by several threads. \throws InputError: the algorithm refuses these faults.
  virtual FaultVerdict verdict(std::int64_t set) const = 0;
  /// With the faults of the experiment only.
  virtual FaultVerdict verdict_before() const = 0;

 protected:
  FaultSearch() = default;
};

}  // namespace starloom
