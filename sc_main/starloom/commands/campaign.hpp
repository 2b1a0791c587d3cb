// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom campaign` and `starloom campaign merge`.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/campaign/work.hpp>
#include <starloom/commands/ending.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

struct CampaignOptions {
  std::filesystem::path file;
  std::optional<std::filesystem::path> store;  ///< empty: `out/<file stem>.sqlite`
  int jobs = 1;
  std::optional<Shard> shard;
  bool dry_run = false;
};

/// Carries out the runs that are missing in the store. Status 0; 3 if a run broke the contract; 4 if a run ended
/// without delivering, its worker failed, or the campaign was interrupted.
Ending run_campaign(const Catalogue& catalogue, const CampaignOptions& options);

Ending merge_campaign(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& into);

/// `out/<file stem>.sqlite`; for a shard `out/<file stem>.shard-<i>-of-<n>.sqlite`.
std::filesystem::path default_store(const std::filesystem::path& file, const std::optional<Shard>& shard);

}  // namespace starloom
