#pragma once
/// \file Ctrl-C: a run ends as `interrupted`, with everything written; what cannot stop so is ended.
#include <atomic>

namespace starloom {

/// From now on SIGINT and SIGTERM set `interrupt_flag`. A second one ends the process at once, and so does the first one
/// after a second, unless the work has looked at the flag by then and `obey_interrupt` was called.
void catch_interrupts();
const std::atomic<bool>& interrupt_flag();
/// True if the flag is set. The work has stopped: there is all the time to write down what it has found.
bool obey_interrupt();
/// As if the signal had come, for work that will look.
void request_interrupt();

}  // namespace starloom
