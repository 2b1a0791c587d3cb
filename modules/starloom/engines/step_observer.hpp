// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Whoever watches what a network shows from step to step (waves).
#include <starloom/core/ids.hpp>
#include <starloom/engines/wake_calendar.hpp>

namespace starloom::links {

class Engine;

/// Sees the network between two steps. It must not influence the run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// It will ask what this node shows. Of others nothing is kept that nobody else wants; asked before the first step.
  virtual bool observes(NodeId /*node*/) const { return true; }
  /// The network shows the same in all steps `from` .. `to` - 1; calls follow each other without a gap from step 0 on.
  /// A node whose bit in `touched` is not set shows what it showed before: on the links that leave it, in its buffers and
  /// in its state fields.
  virtual void show(Step from, Step to, const WakeCalendar::Bitmap& touched, const Engine& engine) = 0;
};

}  // namespace starloom::links
