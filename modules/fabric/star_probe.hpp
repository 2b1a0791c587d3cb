#pragma once
/// \file Whoever watches what a POPS network shows from slot to slot (waves).
#include "core/ids.hpp"

namespace starloom {

class StarEngine;

/// Sees the network after a slot. It must not influence the run.
class StarProbe {
 public:
  virtual ~StarProbe() = default;
  /// Called after every slot, from slot 0 on without a gap; not after one in which a rule was broken.
  virtual void show(Step slot, const StarEngine& engine) = 0;
};

}  // namespace starloom
