// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which ends of a run a campaign takes as sound.
#include <starloom/experiment/experiment.hpp>

namespace starloom {

/// Completed, saturated, or what the experiment says it expects (`expect: {outcome}`).
bool sound(Outcome outcome, const Experiment& experiment);

}  // namespace starloom
