// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The section `reference` of a campaign.
#include <starloom/campaign/campaign_file.hpp>

namespace starloom {

/// Reads the references and finds the point of each. `groups`: the axes of `campaign.points`; `known`: the metrics of
/// their results.
void read_references(const DocumentValue& section, const std::vector<AxisGroup>& groups, const KnownMetrics& known,
                     Campaign& campaign, Diagnostics& diagnostics);

}  // namespace starloom
