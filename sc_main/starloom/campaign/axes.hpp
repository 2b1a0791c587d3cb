// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The axes of a campaign: keys of the experiment and their values.
#include <string>
#include <vector>

#include <starloom/config/document.hpp>

namespace starloom {

/// One key and its values, at least one.
struct Axis {
  std::string key;          ///< a path of the experiment: `network.shape`
  SourceLocation location;  ///< of the key
  std::vector<DocumentValue> values;
};

/// Axes that vary together: one axis, or several with parallel lists (`zip`). Groups are crossed.
struct AxisGroup {
  std::vector<Axis> axes;
  std::size_t size() const { return axes.front().values.size(); }
};

/// The greatest number of values of an axis, and of points of a campaign.
inline constexpr std::size_t most_points = 1'000'000;

/// Reads `axes` and `zip` of a campaign (`zip` may also be among the axes), in the order of the file. Axes with
/// errors are omitted.
std::vector<AxisGroup> read_axes(const DocumentValue& campaign, Diagnostics& diagnostics);

/// An axis that is not a key of the experiment: the number of runs of each point.
inline constexpr const char* runs_axis = "runs";

/// The keys of all axes except `runs`, in the order of the file.
std::vector<std::string> axis_keys(const std::vector<AxisGroup>& groups);

/// The number of points of the groups; numbers above `most_points` count as `most_points + 1`.
std::size_t combinations(const std::vector<AxisGroup>& groups);

/// The value of every axis, in the order of the file, in combination `number`; the last group changes fastest.
std::vector<const DocumentValue*> combination(const std::vector<AxisGroup>& groups, std::size_t number);

}  // namespace starloom
