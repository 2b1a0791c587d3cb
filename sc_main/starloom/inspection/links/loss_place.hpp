// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where a packet was lost, and by which dead hardware or link with errors, as far as the files of a run say.
#include <string>

#include <starloom/inspection/links/head_track.hpp>
#include <starloom/inspection/links/run_files.hpp>

namespace starloom::links {

struct LossPlace {
  /// The dead router, that with the dead link or processor, or the destination.
  NodeId node = no_node;
  /// The name of the dead hardware, or of the link with the error; empty: the files do not say which of several.
  std::string fault;
};

/// The packet was lost under way.
/// - `corrupt`: its destination, and the link with the first error of a flit of it.
/// - `cut`: the hardware that died in that step and was in use, routers and processors before links; of several links
///   the first one on its path.
/// - `no-way`: the node of its head, and the dead link or processor there, if only one can be among its choices: the
///   only dead one, or the only one of them that leads towards the destination.
LossPlace place_of_loss(const RunFiles& run, const HeadTrack& track);

}  // namespace starloom::links
