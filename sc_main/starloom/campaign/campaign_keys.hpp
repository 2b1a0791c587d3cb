// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The keys of a campaign file as data.
#include <starloom/experiment/sections.hpp>
#include <vector>

namespace starloom {

/// Keys with a plain value.
const std::vector<KeySpec>& plain_campaign_keys();
/// `runs`, which is also an axis.
KeySpec runs_key();
/// All others. Sections without keys have their own syntax (docs/campaigns.md).
const std::vector<SectionSpec>& campaign_sections();

}  // namespace starloom
