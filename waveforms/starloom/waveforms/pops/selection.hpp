// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which instances of a POPS network are shown in waves.
#include <string>
#include <vector>

#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

struct ShownProcessor {
  NodeId node = no_node;
  bool listens = false;  ///< what it samples; its buffer is shown in any case
};
struct ShownCoupler {
  std::int32_t from = -1;
  std::int32_t to = -1;
};

/// What is shown of a network.
struct ShownParts {
  std::vector<ShownProcessor> processors;  ///< by node
  std::vector<ShownCoupler> couplers;      ///< by source group, then destination group
};

/// The instances that match one of `globs`. A processor brings its buffer, which can be chosen alone; a transmit row or
/// a receive column brings its couplers.
/// \throws InputError (no place in the text) for a glob that matches nothing, with near names.
ShownParts choose_instances(const Pops& pops, const std::vector<std::string>& globs);

}  // namespace starloom::pops
