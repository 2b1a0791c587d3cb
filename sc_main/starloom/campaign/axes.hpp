// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The axes of a campaign: keys of the experiment and the values they take.
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

/// Axes that go together: one axis, or several with parallel lists (`zip`). Groups are crossed.
struct AxisGroup {
  std::vector<Axis> axes;
  std::size_t size() const { return axes.front().values.size(); }
};

/// The most values of an axis, and the most points of a campaign.
inline constexpr std::size_t most_points = 1'000'000;

/// Reads `axes` and `zip` of a campaign (`zip` may also stand among the axes), in the order of the file. Faulty axes
/// are left out.
std::vector<AxisGroup> read_axes(const DocumentValue& campaign, Diagnostics& diagnostics);

/// An axis that is no key of the experiment: how often each point is run.
inline constexpr const char* runs_axis = "runs";

/// The keys of all axes but `runs`, in the order of the file.
std::vector<std::string> axis_keys(const std::vector<AxisGroup>& groups);

/// How many points the groups span; more than `most_points` counts as `most_points + 1`.
std::size_t combinations(const std::vector<AxisGroup>& groups);

/// The value of every axis, in the order of the file, in combination `number`; the last group changes fastest.
std::vector<const DocumentValue*> combination(const std::vector<AxisGroup>& groups, std::size_t number);

}  // namespace starloom
