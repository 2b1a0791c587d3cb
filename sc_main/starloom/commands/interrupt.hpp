// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Ctrl-C: a run ends as `interrupted`, with everything written; what cannot stop so is ended.
#include <starloom/support/stop_flag.hpp>

namespace starloom {

/// From now on SIGINT, SIGTERM and, unless it is ignored, SIGHUP set `interrupt_flag`. A second one ends the process,
/// unless it comes at the same moment, and so does the first one after a second, unless the work has looked at the flag
/// by then.
void catch_interrupts();
const StopFlag& interrupt_flag();
/// The work is over: a first signal waits until what it has found is written down.
void let_finish();
/// As if the signal had come, for work that will look.
void request_interrupt();

}  // namespace starloom
