// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The catalogue of Starloom with the probes.
#include <starloom/run/standard_catalogue.hpp>

#include "probes/probes.hpp"

namespace starloom {

inline Catalogue probe_catalogue() {
  Catalogue catalogue = standard_catalogue();
  for (const AlgorithmEntry& entry : links::probe_table()) catalogue.add(entry);
  return catalogue;
}

}  // namespace starloom
