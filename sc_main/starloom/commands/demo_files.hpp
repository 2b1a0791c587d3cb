// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The files of the demo, copies of those in testbenches/ (demo_files.cpp.in).

namespace starloom {

extern const char* const demo_experiment;  ///< testbenches/scenarios/demo.yaml; its graph is vopd.yaml beside it
extern const char* const demo_graph;       ///< testbenches/applications/vopd.yaml

}  // namespace starloom
