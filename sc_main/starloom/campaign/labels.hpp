// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Words for axes and figures, as they stand beside a picture or above a table.
#include <string>

#include <starloom/campaign/campaign_file.hpp>

namespace starloom {

/// `mean latency` of `latency.mean`, `swaps` of `algorithm.swaps`; of a path of no known section, the path.
std::string figure_name(const std::string& path);
/// The name of a figure with its unit: `mean latency (steps)`.
std::string figure_label(const Campaign& campaign, const std::string& path);
/// The last part of an axis with its unit: `rate (flits per node and step)`.
std::string axis_label(const Campaign& campaign, const std::string& key);
/// A value of an axis, to be told from others without the axis: `8 x 8` of a shape, `fifo`, `channels 4`; of a section the
/// values of its keys.
std::string value_label(const std::string& key, const nlohmann::ordered_json& value);

}  // namespace starloom
