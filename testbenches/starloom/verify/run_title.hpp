// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The title of a run, from its result.
#include <string>

#include <starloom/verify/result_document.hpp>

namespace starloom {

/// `greedy on mesh 4 x 4, random-permutation, seed 1`. \throws InputError if the result lacks a part.
inline std::string run_title(const ResultDocument& result, const std::string& network) {
  return result.text("experiment.routing.algorithm") + " on " + network + ", " +
         result.text("experiment.traffic.pattern") + ", seed " + result.at("experiment.seed").dump();
}

}  // namespace starloom
