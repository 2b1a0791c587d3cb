// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom why`: what a packet waited for, or which packets and places waited most.
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/inspection/run_folder.hpp>

namespace starloom {

struct WhyOptions {
  std::optional<PacketId> packet{};  ///< nothing: the run as a whole
  bool json = false;                 ///< for programs
};

/// Prints the answer. \throws InputError if the folder does not have what it takes.
Ending explain_waiting(const RunFolder& run, const WhyOptions& options);

}  // namespace starloom
