// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The selection of instances of a POPS network for waves.
#include <string>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

struct ShownProcessor {
  NodeId node = no_node;
  bool listens = false;  ///< the group that it samples is shown; its buffer is shown in any case
};
struct ShownCoupler {
  std::int32_t from = -1;
  std::int32_t to = -1;
};

/// The selected parts of a network.
struct ShownParts {
  std::vector<ShownProcessor> processors;  ///< by node
  std::vector<ShownCoupler> couplers;      ///< by source group, then destination group
};

/// The instances that match one of `globs`. A processor includes its buffer, which can be selected alone; a transmit
/// row or a receive column includes its couplers.
/// \throws InputError (the text has no location) for a glob without a match, with near names.
ShownParts choose_instances(const Pops& pops, const std::vector<std::string>& globs);

}  // namespace starloom::pops
