// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/why.hpp>

#include <fmt/format.h>

namespace starloom {

Ending explain_waiting(const RunFolder& run, const WhyOptions& options) {
  if (options.program) {
    const MessageChain chain = run.message_chain();
    fmt::print("{}", options.json ? chain_json(chain) : chain_text(chain));
    return {};
  }
  if (options.packet) {
    const PacketHistory history = run.histories({*options.packet}).front();
    fmt::print("{}", options.json ? history_json(history) : history_text(history, run.clock()));
    return {};
  }
  const WaitingOverview overview = run.waiting();
  fmt::print("{}", options.json ? overview_json(overview) : overview_text(overview, run.clock()));
  return {};
}

}  // namespace starloom
