// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pictures of a report.
#include <vector>

#include <starloom/campaign/gnuplot.hpp>
#include <starloom/campaign/report.hpp>

namespace starloom {

/// A script for every picture that the campaign requests (`plot:`), or for every metric if it requests none: means
/// with their 95 % confidence intervals as curves over an axis of numbers or a metric, as bars over an axis of words;
/// references as squares. Pictures without data are omitted.
std::vector<PlotScript> plot_scripts(const Campaign& campaign, const Report& report);

}  // namespace starloom
