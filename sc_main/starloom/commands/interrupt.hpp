// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Ctrl-C: a run ends as `interrupted`, with all files written; work that cannot stop in this way is ended.
#include <starloom/support/stop_flag.hpp>

namespace starloom {

/// From now on SIGINT, SIGTERM and, unless it is ignored, SIGHUP set `interrupt_flag`. A second one ends the process,
/// unless it comes at the same moment, and so does the first one after a second, unless the work has checked the flag
/// by then.
void catch_interrupts();
const StopFlag& interrupt_flag();
/// The work is over: a first signal waits until its results are written.
void let_finish();
/// Acts as the signal does, for work that checks the flag.
void request_interrupt();

}  // namespace starloom
