#pragma once
/// \file Ctrl-C: a run ends as `interrupted`, with everything written.
#include <atomic>

namespace starloom {

/// From now on SIGINT and SIGTERM set `interrupt_flag`; a second one ends the process at once.
void catch_interrupts();
const std::atomic<bool>& interrupt_flag();
/// As if the signal had come.
void request_interrupt();

}  // namespace starloom
