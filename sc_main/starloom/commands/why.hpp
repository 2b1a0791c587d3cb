// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom why`: the waiting times of a packet and their causes, or the packets and locations with the
/// longest waiting times, or the messages that made a program long.
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/inspection/run_folder.hpp>

namespace starloom {

struct WhyOptions {
  std::optional<PacketId> packet{};  ///< empty: the run as a whole
  bool program = false;              ///< the messages that made the run as long as it was
  bool json = false;                 ///< for programs
};

/// Prints the answer. \throws InputError if the folder lacks a file that it needs.
Ending explain_waiting(const RunFolder& run, const WhyOptions& options);

}  // namespace starloom
