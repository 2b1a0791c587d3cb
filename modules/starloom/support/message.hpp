// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Messages and progress on stderr while a command works. If stderr is closed or full, the text is lost,
/// without an effect on results or the exit status.
#include <string_view>

namespace starloom {

/// Writes a message of one line or more, each of at most 600 bytes. Bytes that are not printable UTF-8 are escaped.
void print_message(std::string_view message);

/// Replaces the last line of progress, on a terminal. An empty one removes it.
void print_progress(std::string_view line);

}  // namespace starloom
