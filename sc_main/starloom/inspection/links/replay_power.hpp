// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The power of routers and links over time, in the form that the page of a replay reads.
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/replay_page.hpp>

namespace starloom::links {

/// Adds `power`, the number of windows, and the section `power`: for each window its first step, as a difference to the
/// end of the window before, and its steps; then in nW, as differences to the window before, the power of each node
/// and of each link. Nothing is added to a page of a run without energy.
/// \throws InputError for damage
void add_power(const RunFiles& run, Step from, Step to, ReplayContent& content);

}  // namespace starloom::links
