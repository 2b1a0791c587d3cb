// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom replay` on a network of links.
#include <filesystem>

#include <starloom/inspection/replay_page.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::links {

/// What a page shows of the steps of `window`: the network, the packets under way in it, all their flits' rows, where
/// each was when it begins, and the waits of the packets that took longest, with their causes. Reads what `verify`
/// reads.
/// \throws InputError for files that cannot be read as their format, a damaged trace, a window in which nothing is, and
/// for more rows than a page takes.
ReplayContent replay_content(const std::filesystem::path& folder, const KnownEntries& known, const TraceWindow& window);

}  // namespace starloom::links
