// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Plans from files instead of planners.
#include <starloom/algorithms/schedule_player/schedule_player.hpp>

namespace starloom::links {

/// The key `plan`.
KeySpec plan_key();

/// The plan that the key `plan` names, to be replayed for the packets of the context.
/// \param scheme  the paths with which the plan is compared; empty: any path
/// \param places  number of packets that may stay in a node, one number or one per node; the network enforces it
/// \throws InputError if the file cannot be read as a plan, is for another network or other packets, or lets packets
/// stay in a node in which none may.
SchedulePlayer::Setup load_plan(const AlgorithmContext& context, const std::string& file, const std::string& algorithm,
                                std::optional<PathScheme> scheme, const std::vector<std::int64_t>& residents = {0});

}  // namespace starloom::links
