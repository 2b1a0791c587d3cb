// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom replay` on a network of links.
#include <filesystem>

#include <starloom/inspection/replay_page.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::links {

/// The content of a page for the steps of `window`: the network, the packets in flight in it, all their flits' rows,
/// the position of each when it begins, and the waits of the packets that took longest, with their causes. Reads the
/// same files as `verify`.
/// \throws InputError for files that cannot be read as their format, a damaged trace, a window without packets, and
/// for more rows than a page supports.
ReplayContent replay_content(const std::filesystem::path& folder, const KnownEntries& known, const TraceWindow& window);

}  // namespace starloom::links
