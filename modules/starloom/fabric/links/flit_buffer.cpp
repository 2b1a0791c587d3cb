// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/links/flit_buffer.hpp>

#include <typeinfo>

namespace starloom::links {

void FlitBuffer::attach(Engine& engine, NodeId node, std::int32_t number) {
  engine_ = &engine;
  node_ = node;
  number_ = number;
  // Plain buffers need no call for each flit.
  if (!is_plain()) engine.observe(node, number, this);
}

bool FlitBuffer::is_plain() const { return typeid(*this) == typeid(FlitBuffer); }

}  // namespace starloom::links
