// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `--watch packet=N`.
#include <starloom/core/ids.hpp>
#include <string>

namespace starloom {

/// N of `packet=N`. \throws InputError for other texts.
PacketId parse_watch(const std::string& text);

}  // namespace starloom
