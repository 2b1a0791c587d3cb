// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What people are told while a command works, on stderr. If that is closed or full, the text is lost and nothing
/// else: neither a result nor an exit status depends on who listens.
#include <string_view>

namespace starloom {

/// Writes a message of one line or more, each of at most 600 bytes. What is not printable UTF-8 is escaped, whatever
/// file it comes from.
void print_message(std::string_view message);

/// Puts a line of progress in place of the last one, on a terminal. An empty one wipes it.
void print_progress(std::string_view line);

}  // namespace starloom
