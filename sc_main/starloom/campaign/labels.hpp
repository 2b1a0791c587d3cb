// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Labels of axes and metrics for pictures and tables.
#include <map>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>

namespace starloom {

/// `mean latency` for `latency.mean`, `swaps` for `algorithm.swaps`; for a path of no known section, the path.
std::string metric_name(const std::string& path);
/// The name of a metric with its unit: `mean latency (steps)`.
std::string metric_label(const Campaign& campaign, const std::string& path);
/// The last part of an axis with its unit: `rate (flits per processor and step)`.
std::string axis_label(const Campaign& campaign, const std::string& key);
/// Texts for the values of axes, each different from all others of its axis.
class ValueLabels {
 public:
  explicit ValueLabels(const Campaign& campaign);
  /// The text of a value: `8 x 8` for a shape, `fifo`, `channels 4`, `targets 0, 5`; for a section the values of its
  /// keys, without those that all values of the axis share.
  /// \param axis as in Campaign::axes. \param value of one of the campaign's points.
  const std::string& of(std::size_t axis, const nlohmann::ordered_json& value) const {
    return labels_[axis].at(value.dump());
  }

 private:
  std::vector<std::map<std::string, std::string>> labels_;  ///< [axis], by the value as JSON
};

}  // namespace starloom
