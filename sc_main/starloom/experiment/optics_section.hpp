// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The section `optics` of an experiment: the parts of optical paths.
#include <starloom/config/document.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/schema/keys.hpp>
#include <vector>

namespace starloom {

/// The keys of the section.
std::vector<KeySpec> optics_keys();

/// The parts, except for the length of a packet, which is in `units`. Errors are added to `diagnostics`.
pops::OpticalParts read_optics(const DocumentValue& section, Diagnostics& diagnostics);

}  // namespace starloom
