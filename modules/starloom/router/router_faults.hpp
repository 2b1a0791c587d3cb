// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file State of routers with virtual channels whose hardware dies and is repaired during the run.
#include <cstddef>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/router/channel_set.hpp>

namespace starloom::router {

template <int words>
struct RouterFaults {
  explicit RouterFaults(std::size_t nodes) : dead_outputs(nodes), silent_inputs(nodes), lanes(nodes) {}

  std::vector<ChannelSet<words>> dead_outputs;   ///< [node] of dead links, and towards a dead processor
  std::vector<ChannelSet<words>> silent_inputs;  ///< [node] of dead links, and of a dead router from its processor
  std::vector<std::vector<NodeId>> lanes;        ///< [node] those at which flits and credits for it arrive
  std::vector<NodeId> changed{};                 ///< nodes whose channels lost flits or owners in this step
};

}  // namespace starloom::router
