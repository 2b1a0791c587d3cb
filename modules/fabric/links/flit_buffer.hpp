#pragma once
/// \file A flit buffer as a module.
#include <systemc>

#include <starloom/core/buffer_pool.hpp>

namespace starloom::links {

/// One flit buffer of a node: a window onto the fabric's pool of places. Child of its Processor, named
/// `buffer_<port>_v<channel>`. A subclass that overrides `pushed` and `popped` sees every flit that enters and leaves.
///
/// Contract: between steps `size()` and `at(i)` show what the node stores; inside a step they show what its controller
/// has done so far. Capacity 0 is no limit; the fabric stops the run when a limit is exceeded.
class FlitBuffer : public sc_core::sc_module, public BufferObserver {
 public:
  FlitBuffer(const sc_core::sc_module_name& name, std::int32_t capacity) : sc_module(name), capacity_(capacity) {}

  std::int32_t capacity() const { return capacity_; }
  std::int32_t size() const { return pool_ == nullptr ? 0 : pool_->size(index_); }
  /// The flit at place `i` from the front, 0 <= i < size().
  const Flit& at(std::int32_t i) const {
    BufferPool::Place place = pool_->first(index_);
    while (i-- > 0) place = pool_->next(place);
    return pool_->flit(place);
  }

  void pushed(const Flit& /*flit*/) override {}
  void popped(const Flit& /*flit*/) override {}

  /// Called by the fabric at the start of simulation.
  void attach(BufferPool& pool, std::size_t index);

 private:
  std::int32_t capacity_;
  BufferPool* pool_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace starloom::links
