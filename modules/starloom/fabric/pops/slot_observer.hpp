// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Whoever watches what a POPS network shows from slot to slot (waves).
#include <starloom/core/ids.hpp>

namespace starloom::pops {

class Engine;

/// Sees the network after a slot. It must not influence the run.
class SlotObserver {
 public:
  virtual ~SlotObserver() = default;
  /// Called after every slot, from slot 0 on without a gap; not after one in which a rule was broken.
  virtual void show(Step slot, const Engine& engine) = 0;
};

}  // namespace starloom::pops
