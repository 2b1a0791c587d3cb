// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Observers of a POPS network, which are called after each slot (waves).
#include <starloom/core/ids.hpp>

namespace starloom::pops {

class Engine;

/// Reads the state of the network after a slot. An observer must not change the run.
class SlotObserver {
 public:
  virtual ~SlotObserver() = default;
  /// Called after every slot, from slot 0 on without a gap; not after one in which a rule was broken.
  virtual void show(Step slot, const Engine& engine) = 0;
};

}  // namespace starloom::pops
