// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Observers of a network, which are called between two steps (waves).
#include <starloom/core/ids.hpp>
#include <starloom/engines/wake_calendar.hpp>

namespace starloom::links {

class Engine;

/// Reads the state of the network between two steps. An observer must not change the run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// True for a node whose state this observer reads; the engine keeps for it no state of other nodes. Called before
  /// the first step.
  virtual bool observes(NodeId /*node*/) const { return true; }
  /// The network shows the same in all steps `from` .. `to` - 1; calls follow each other without a gap from step 0
  /// on. A node whose bit in `touched` is not set shows what it showed before: on the links that leave it, in its
  /// buffers and in its state fields.
  virtual void show(Step from, Step to, const WakeCalendar::Bitmap& touched, const Engine& engine) = 0;
};

}  // namespace starloom::links
