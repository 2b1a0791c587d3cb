// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The search for the load at which a network saturates, without the runs that it asks for.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace starloom {

/// What counts as saturated. Both are usual: Dally and Towles, Principles and Practices of Interconnection Networks (2004),
/// chapter 23, read the load off the curve of latencies where it turns upright, or off accepted against offered traffic.
enum class SaturationDefinition { three_times_lightest, accepted_below_offered };
inline constexpr std::array<std::string_view, 2> saturation_definition_names = {"three-times-lightest",
                                                                                "accepted-below-offered"};

/// What the runs at one load found.
struct LoadFigures {
  double load = 0;
  std::int64_t runs = 0;
  std::int64_t lost = 0;          ///< of them, those that saturated
  std::optional<double> latency;  ///< steps, the mean over the runs; nothing: no packet arrived
  double offered = 0;             ///< flits per processor and step
  double accepted = 0;            ///< the same
};

/// Bisection between 0 and 1. Which loads decide follows from what was learned about loads alone, never from how many were
/// measured at the same time.
class SaturationSearch {
 public:
  /// Loads at which latency is the lightest, and from which on nothing is offered.
  static constexpr double lightest_load = 0.01, greatest_load = 1;

  /// \param within how far the answer may be from the true load; above 0.
  SaturationSearch(SaturationDefinition definition, double within) : definition_(definition), within_(within) {}

  /// The loads to measure next: the one that decides (at first: the lightest and the greatest), then those that may after
  /// it, `most` at the most. None if the search is over.
  std::vector<double> wanted(std::size_t most) const;
  void learn(const LoadFigures& figures);
  /// The experiment does not admit this load, nor any above it.
  void refuse(double load);

  bool is_over() const { return wanted(1).empty(); }
  /// Nothing saturated; the greatest load that was measured is `low`.
  bool is_unsaturated() const { return is_over() && !saturates_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double load() const { return (low_ + high_) / 2; }
  double within() const { return (high_ - low_) / 2; }
  /// Of the loads that decided.
  std::int64_t runs() const;
  /// Of the loads that decided, ascending.
  std::vector<LoadFigures> loads() const;

 private:
  struct Load {
    bool refused = false;
    LoadFigures figures;
  };
  bool is_beyond(const LoadFigures& figures) const;
  void settle();

  SaturationDefinition definition_;
  double within_;
  double low_ = 0, high_ = greatest_load;
  bool saturates_ = false;        ///< at `high`, that is to say
  std::map<double, Load> known_;  ///< what was measured, what decided nothing (yet) included
  std::vector<double> decided_;
};

}  // namespace starloom
