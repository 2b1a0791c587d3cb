// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The locations of the project and its program. In one small file, so that the others compile to the same
/// bytes in every location of the project.
#include <filesystem>

namespace starloom {

/// The folder of the sources.
std::filesystem::path project();
/// The program starloom, for tests that depend on it.
std::filesystem::path program();
/// The same program with the probes (tests/probes), for those tests as well.
std::filesystem::path probe_program();

inline std::filesystem::path testbenches() { return project() / "testbenches"; }
inline std::filesystem::path docs() { return project() / "docs"; }

}  // namespace starloom
