// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom replay` on a POPS network.
#include <filesystem>

#include <starloom/inspection/replay_page.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::pops {

/// The content of a page for the slots of `window`: the drives and samples of couplers, the packets, and the waits of
/// those that took longest, with their causes. \throws InputError as for networks of links.
ReplayContent replay_content(const std::filesystem::path& folder, const DeclaredRules& rules,
                             const TraceWindow& window);

}  // namespace starloom::pops
