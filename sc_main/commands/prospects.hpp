#pragma once
/// \file What `starloom check` says beyond the experiment itself: what follows for a run on a grid without simulating
/// it.
#include <string>
#include <vector>

#include "experiment/experiment.hpp"

namespace starloom {

/// Lines on bounds, the load of the links, deadlock, memory and time.
/// \param packets all of the run; null: sources never end.
std::string prospects_text(const Experiment& experiment, const Setup& setup, const std::vector<Packet>* packets);

}  // namespace starloom
