// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages that made a program as long as it was: `starloom why --program` (docs/critical-path.md).
#include <filesystem>
#include <starloom/trace_io/links/critical_path_csv.hpp>
#include <starloom/trace_io/links/messages_csv.hpp>
#include <starloom/verify/result_document.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Each message was released by the one before it, and the last one was delivered last of all.
struct MessageChain {
  struct Entry {
    links::CriticalMessage steps;
    links::MessageRow message;
  };
  std::vector<Entry> entries;  ///< empty: no message was delivered
  Step end = 0;                ///< last delivery or event of the run

  /// Step of the last delivery: the sum of all steps.
  Step steps() const { return entries.empty() ? 0 : entries.back().message.delivered; }
};

/// From `messages.csv` and `critical_path.csv`. \throws InputError if they are missing, cannot be read as their format,
/// or do not fit each other.
MessageChain read_message_chain(const std::filesystem::path& folder, const ResultDocument& result);

/// A line for each message; of a long chain those at both ends.
std::string chain_text(const MessageChain& chain);
std::string chain_json(const MessageChain& chain);

}  // namespace starloom
