// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The critical path of a workload: its run on a network in which no packet meets another one.
#include <functional>

#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

/// Runs the workload to its end. Returns the greatest step in which a message is delivered; 0 if it has no message.
/// \param latency the least number of steps from the creation of a message to its delivery.
/// \param created null, or called with each message when it is created.
Step critical_path(Workload& workload, const std::function<Step(const Item& message)>& latency,
                   const std::function<void(const Item& message, Step created, Step latency)>& created = {});

}  // namespace starloom
