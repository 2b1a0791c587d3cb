// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload, and the operations of a program, in a page.
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/replay_page.hpp>

namespace starloom::links {

/// Adds the fact `workload` and the sections `messages`, `chain` and `operations`: messages that were under way in
/// steps [from, to), those of the critical path, and those that released them, one after the other.
/// \param run with messages. Reads flows.csv, critical_path.csv and, of a program, operations.csv.
/// \throws InputError if one of them is missing, cannot be read as its format, or names a message or node that does not
/// exist
void add_workload(const RunFiles& run, Step from, Step to, ReplayContent& content);

}  // namespace starloom::links
