#pragma once
/// \file Plans from files instead of planners.
#include "controllers/replay/replay.hpp"

namespace starloom {

/// The key `plan`.
KeySpec plan_key();

/// The plan that the key `plan` names, to be replayed for the packets of the context.
/// \throws InputError if the file cannot be read as a plan, or is one for another network or other packets.
Replay::Setup load_plan(const AlgorithmContext& context, const std::string& file, const std::string& algorithm);

}  // namespace starloom
