// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A worker process: takes batches, runs them, sends rows back.
#include <starloom/campaign/channel.hpp>
#include <starloom/campaign/runner.hpp>

namespace starloom {

/// The whole life of a worker; returns when the parent hangs up or the process is spent. Never throws.
void work(int socket, WorkerSlot& slot, const RunnerFactory& make);

}  // namespace starloom
