// SPDX-License-Identifier: Apache-2.0
#include "support/places.hpp"

namespace starloom {

std::filesystem::path project() { return STARLOOM_PROJECT; }
std::filesystem::path program() { return STARLOOM_PROGRAM; }
std::filesystem::path probe_program() { return STARLOOM_PROBE_PROGRAM; }

}  // namespace starloom
