// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A flit buffer in the hierarchy of modules.
///
/// Facade: the behaviour is in the engine that steps the network and keeps the flits
/// (`engines/store_and_forward_engine.hpp`; with virtual channels `router/channel_table.hpp`).
#include <systemc>

#include <starloom/core/buffer_pool.hpp>
#include <starloom/engines/engine.hpp>

namespace starloom::links {

/// One flit buffer of a node: a facade of the buffer in the engine. Child of its node, named
/// `buffer_<port>_v<channel>`. A subclass that overrides `pushed` and `popped` sees every flit that enters and
/// leaves.
///
/// Contract: between steps `size()` and `at(i)` return the content of the buffer; inside a step they include what its
/// controller has done so far. Capacity 0 means no limit; the fabric stops the run when a limit is exceeded.
class FlitBuffer : public sc_core::sc_module, public BufferObserver {
 public:
  FlitBuffer(const sc_core::sc_module_name& name, std::int32_t capacity) : sc_module(name), capacity_(capacity) {}

  std::int32_t capacity() const { return capacity_; }
  std::int32_t size() const { return engine_ == nullptr ? 0 : engine_->occupancy(node_, number_); }
  /// The flit at position `i` from the front, 0 <= i < size(). For i > 0 the time grows with the size.
  Flit at(std::int32_t i) const { return engine_->stored(node_, number_, i); }

  void pushed(const Flit& /*flit*/) override {}
  void popped(const Flit& /*flit*/) override {}

  /// True if no subclass observes the flits.
  bool is_plain() const;

  /// Called by the fabric at the start of simulation. `number` among the buffers of the node.
  void attach(Engine& engine, NodeId node, std::int32_t number);

 private:
  std::int32_t capacity_;
  const Engine* engine_ = nullptr;
  NodeId node_ = no_node;
  std::int32_t number_ = 0;
};

}  // namespace starloom::links
