#pragma once
/// \file `latency.svg`: how long packets took.
#include <cstdint>
#include <string>
#include <vector>

namespace starloom {

/// A histogram with at most 48 bars, all of the same number of steps, and lines at the percentiles.
/// \param latencies in steps, from 0 on.
std::string latency_picture(std::vector<std::int64_t> latencies, const std::string& title);

}  // namespace starloom
