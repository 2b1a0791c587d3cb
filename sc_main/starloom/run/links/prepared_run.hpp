// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A run on a network of links, prepared.
#include <memory>
#include <starloom/run/prepared_run.hpp>

namespace starloom::links {

/// \throws InputError
std::unique_ptr<PreparedRun> prepare(const Experiment& experiment);

}  // namespace starloom::links
