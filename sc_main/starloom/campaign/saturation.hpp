// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The search for the load at which a network saturates, without the runs that it asks for.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace starloom {

/// What counts as saturated. Both are usual: Dally and Towles, Principles and Practices of Interconnection Networks
/// (2004), chapter 23, read the load off the curve of latencies where it turns upright, or off accepted against
/// offered traffic.
enum class SaturationDefinition { three_times_lightest, accepted_below_offered };
inline constexpr std::array<std::string_view, 2> saturation_definition_names = {"three-times-lightest",
                                                                                "accepted-below-offered"};

/// What the runs at one load found.
struct LoadMetrics {
  double load = 0;
  std::int64_t runs = 0;
  std::int64_t lost = 0;          ///< of them, those that saturated
  std::optional<double> latency;  ///< steps, the mean over the runs; nothing: no packet arrived
  double offered = 0;             ///< flits per processor and step
  double accepted = 0;            ///< the same
};

/// Bisection between 0 and a load that the network does not carry. Which loads decide follows from what was learned
/// about loads alone, never from how many were measured at the same time.
class SaturationSearch {
 public:
  /// \param greatest the load at which a link or local port is full, or 1; above 0.
  /// \param within how far the answer may be from the true load; above 0. nullopt: 0.005, or 2 % of the greatest load
  /// if
  ///     that is less.
  SaturationSearch(SaturationDefinition definition, double greatest, std::optional<double> within);

  /// The load at which latency is the lightest: 0.01, or a fiftieth of the greatest load if that is less, and half of
  /// it as long as a run there does not complete. Where half of the runs do not, the load becomes the greatest one.
  double lightest() const { return lightest_; }

  /// The loads to measure next: the one that decides (at first: the lightest, then the greatest), then those that may
  /// after it, `most` at the most. None if the search is over.
  std::vector<double> wanted(std::size_t most) const;
  void learn(const LoadMetrics& metrics);
  /// The experiment does not admit this load, nor any above it.
  void refuse(double load);

  bool is_over() const { return wanted(1).empty(); }
  /// Nothing saturated; the greatest load that was measured is `low`.
  bool is_unsaturated() const { return is_over() && !saturates_ && !at_bound_; }
  /// Nothing saturated up to the greatest load, below 1, but a load above it does: the answer is that load.
  bool is_at_bound() const { return is_over() && at_bound_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double load() const { return (low_ + high_) / 2; }
  double within() const { return (high_ - low_) / 2; }
  /// Of the loads that decided.
  std::int64_t runs() const;
  /// Of the loads that decided, ascending.
  std::vector<LoadMetrics> loads() const;

 private:
  struct Load {
    bool refused = false;
    LoadMetrics metrics;
  };
  bool is_beyond(const LoadMetrics& metrics) const;
  void settle();

  double most_within() const;
  /// The load to try if nothing saturates up to a bound below 1, to see whether these runs can saturate at all.
  double beyond_bound() const { return std::min(1.0, 1.25 * greatest_); }
  bool asks_beyond_bound() const { return ends_known_ && low_ == greatest_ && greatest_ < 1; }

  SaturationDefinition definition_;
  std::optional<double> asked_within_;
  double greatest_, lightest_;
  double low_ = 0, high_ = greatest_;
  bool ends_known_ = false;       ///< the lightest and the greatest load have decided
  bool saturates_ = false;        ///< at `high`, that is to say
  bool at_bound_ = false;         ///< beyond the bound, and nowhere up to it
  std::map<double, Load> known_;  ///< what was measured, what decided nothing (yet) included
  std::vector<double> decided_;
};

}  // namespace starloom
