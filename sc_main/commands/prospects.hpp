#pragma once
/// \file What `starloom check` says beyond the experiment itself: what follows for a run without simulating it.
#include <string>
#include <vector>

#include <starloom/experiment/experiment.hpp>

namespace starloom {

/// Of a run on a grid, lines on bounds, the load of the links, deadlock, memory and time.
/// \param packets all of the run; null: sources never end.
std::string prospects_text(const Experiment& experiment, const Setup& setup, const std::vector<Packet>* packets);

/// Of a run on a POPS network, lines on memory and time.
std::string star_prospects_text(const Experiment& experiment, const pops::Algorithm& algorithm);

}  // namespace starloom
