#pragma once
/// \file The section `reference` of a campaign.
#include <starloom/campaign/campaign_file.hpp>

namespace starloom {

/// Reads the references and finds the point of each. `groups`: the axes that `campaign.points` come from.
void read_references(const DocumentValue& section, const std::vector<AxisGroup>& groups, Campaign& campaign,
                     Faults& faults);

}  // namespace starloom
