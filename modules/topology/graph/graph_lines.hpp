#pragma once
/// \file The plainest YAML that a graph is written in, read quickly.
#include <string>

namespace YAML {
class EventHandler;
}

namespace starloom {

/// Sends the events that yaml-cpp would send for a text of `nodes:` and `links:` with an entry in braces on every line, of
/// plain words only: what programs write, millions of lines long. yaml-cpp takes six times as long.
/// \return false if the text has anything else; nothing was sent then.
bool send_plain_lines(const std::string& text, YAML::EventHandler& events);

}  // namespace starloom
