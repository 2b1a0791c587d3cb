// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Replies in a run: observes packets that arrive, and creates their replies when they are due.
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/fabric/links/fabric.hpp>
#include <starloom/traffic/replies.hpp>

namespace starloom::links {

/// Creates replies from the rows of a run and the packets that are created. The node of a reply is woken in the step
/// in which the reply is due, so that this step is not skipped; a node that runs without an event does not act.
class ReplyGenerator final : public TraceSink {
 public:
  /// \param replies that packets get. \param fabric the one that runs; it outlives this object.
  ReplyGenerator(Replies replies, Fabric& fabric) : replies_(std::move(replies)), fabric_(fabric) {}

  /// Packets for their own processors arrive without a row.
  void created(const std::vector<Packet>& packets);
  void rows(const std::vector<TraceRow>& together) override;
  /// Called between two steps: creates the replies that are due in `next`.
  void before_step(Step next);
  /// True if replies have not been created yet.
  bool pending() const { return replies_.next() != no_step; }

 private:
  void answer(const Packet& packet, Step delivered);

  Replies replies_;
  Fabric& fabric_;
};

}  // namespace starloom::links
