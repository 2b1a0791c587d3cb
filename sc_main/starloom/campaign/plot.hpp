// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pictures of a report.
#include <vector>

#include <starloom/campaign/gnuplot.hpp>
#include <starloom/campaign/report.hpp>

namespace starloom {

/// A script for every picture that the campaign asks for (`plot:`), or for every figure if it asks for none: means
/// with their 95 % intervals as curves over an axis of numbers or a figure, as bars over an axis of words; references
/// as squares. Those without anything to show are left out.
std::vector<PlotScript> plot_scripts(const Campaign& campaign, const Report& report);

}  // namespace starloom
