// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs of a point, on the model that its experiment asks for.
#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/runner.hpp>

namespace starloom {

/// The runner that the experiment of a point asks for (`model`). Point and figures must outlive it.
std::unique_ptr<Runner> make_runner(const Point& point, const Metrics& metrics);

}  // namespace starloom
