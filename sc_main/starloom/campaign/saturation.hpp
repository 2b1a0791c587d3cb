// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The search for the load at which a network saturates, without the runs that it requires.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace starloom {

/// The definition of saturation. Both are common: Dally and Towles, Principles and Practices of Interconnection
/// Networks (2004), chapter 23, take the load from the latency curve where it becomes vertical, or from accepted
/// against offered traffic.
enum class SaturationDefinition { three_times_lightest, accepted_below_offered };
inline constexpr std::array<std::string_view, 2> saturation_definition_names = {"three-times-lightest",
                                                                                "accepted-below-offered"};

/// The results of the runs at one load.
struct LoadMetrics {
  double load = 0;
  std::int64_t runs = 0;
  std::int64_t lost = 0;          ///< of them, those that saturated
  std::optional<double> latency;  ///< steps, the mean over the runs; empty: no packet arrived
  double offered = 0;             ///< flits per processor and step
  double accepted = 0;            ///< the same
};

/// The loads between which saturation is searched.
struct LoadRange {
  double full = 1;  ///< at which a link or local port is full, or `most`; above 0
  double most = 1;  ///< that sources may offer
};

/// Bisection between 0 and a load that the network does not carry. The loads that decide depend only on the results
/// at loads, never on the number measured in parallel.
class SaturationSearch {
 public:
  /// \param within greatest distance of the result from the true load; above 0. nullopt: 0.005 of the most that sources
  /// may offer, or 2 % of the load at which a link is full if that is less.
  SaturationSearch(SaturationDefinition definition, const LoadRange& range, std::optional<double> within);

  /// The load with the least latency: 0.01 of the most that sources may offer, or a fiftieth of the greatest load if
  /// that is less, and half of it as long as a run at it does not complete. If half of the runs do not, the load
  /// becomes the greatest one.
  double lightest() const { return lightest_; }

  /// The loads to measure next: the one that decides (at first: the lightest, then the greatest), then those that may
  /// decide after it, at most `most`. None if the search is over.
  std::vector<double> wanted(std::size_t most) const;
  void learn(const LoadMetrics& metrics);
  /// Called if the experiment does not allow this load, or a greater one.
  void refuse(double load);

  bool is_over() const { return wanted(1).empty(); }
  /// True if no load saturated; the greatest measured load is `low`.
  bool is_unsaturated() const { return is_over() && !saturates_ && !at_bound_; }
  /// True if no load up to the greatest one, below the most that sources may offer, saturated, but a load
  /// above it does: the result is that greatest load.
  bool is_at_bound() const { return is_over() && at_bound_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double load() const { return (low_ + high_) / 2; }
  double within() const { return (high_ - low_) / 2; }
  /// Over the loads that decided.
  std::int64_t runs() const;
  /// The loads that decided, ascending.
  std::vector<LoadMetrics> loads() const;

 private:
  struct Load {
    bool refused = false;
    LoadMetrics metrics;
  };
  bool is_beyond(const LoadMetrics& metrics) const;
  void settle();

  double most_within() const;
  /// The load to try if no load up to a lower bound saturates, to find out whether these runs can saturate at all.
  double beyond_bound() const { return std::min(most_, 1.25 * greatest_); }
  bool measures_beyond_bound() const { return ends_known_ && low_ == greatest_ && greatest_ < most_; }

  SaturationDefinition definition_;
  std::optional<double> requested_within_;
  double most_, greatest_, lightest_;
  double low_ = 0, high_ = greatest_;
  bool ends_known_ = false;       ///< the lightest and the greatest load have decided
  bool saturates_ = false;        ///< at `high`, that is to say
  bool at_bound_ = false;         ///< beyond the bound, and at no load up to it
  std::map<double, Load> known_;  ///< all measured loads, including those that have not decided
  std::vector<double> decided_;
};

}  // namespace starloom
