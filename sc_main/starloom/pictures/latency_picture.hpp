// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `latency.svg`: the distribution of latencies.
#include <string>

#include <starloom/core/histogram.hpp>

namespace starloom {

/// A histogram with at most 48 bars of equal width, and lines at the percentiles.
/// \param latencies from 0 on, in `unit`: steps, or slots of a POPS network.
/// \param missing packets that never arrived: a note says that the picture shows the others.
std::string latency_picture(const Histogram& latencies, std::int64_t missing, const std::string& title,
                            const std::string& unit = "steps");

}  // namespace starloom
