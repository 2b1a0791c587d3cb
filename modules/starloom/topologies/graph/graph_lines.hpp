// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The plainest YAML that a graph is written in, read quickly.
#include <string>

namespace YAML {
class EventHandler;
}

namespace starloom {

/// Whether a text has `nodes:` and `links:` with an entry in braces on every line, of plain words only: what programs
/// write, millions of lines long.
bool has_plain_lines(const std::string& text);
/// Sends the events that yaml-cpp would send for such a text, which takes it six times as long.
void send_plain_lines(const std::string& text, YAML::EventHandler& events);

}  // namespace starloom
