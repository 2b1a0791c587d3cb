// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/watch.hpp>

#include <fmt/format.h>

#include <limits>

#include <starloom/config/document.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

PacketId parse_watch(const std::string& text) {
  const std::string form = "packet=";
  const auto number = text.rfind(form, 0) == 0 ? parse_integer(text.substr(form.size())) : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<PacketId>::max())
    throw InputError(fmt::format("--watch {}: the form is --watch packet=N, with N from 0", text));
  return static_cast<PacketId>(*number);
}

}  // namespace starloom
