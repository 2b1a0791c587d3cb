// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The list `network.links` of an experiment (docs/links.md).
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <starloom/topology/link_changes.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Errors are added to `diagnostics`.
std::vector<LinkChange> read_links(const DocumentValue& list, Diagnostics& diagnostics);

/// `link_*_east, latency 2, width 1/4`
std::string link_change_text(const LinkChange& change);
/// As in an experiment.
nlohmann::ordered_json links_json(const std::vector<LinkChange>& changes);

}  // namespace starloom
