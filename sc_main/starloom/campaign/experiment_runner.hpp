// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs of a point, with the model that its experiment selects.
#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/runner.hpp>

namespace starloom {

/// The runner that the experiment of a point selects (`model`). Point and metrics must outlive it.
std::unique_ptr<Runner> make_runner(const Point& point, const Metrics& metrics);

}  // namespace starloom
