#include <starloom/fabric/links/flit_buffer.hpp>

#include <typeinfo>

namespace starloom::links {

void FlitBuffer::attach(BufferPool& pool, std::size_t index) {
  pool_ = &pool;
  index_ = index;
  // Plain buffers need no call for each flit.
  if (typeid(*this) != typeid(FlitBuffer)) pool.observe(index, this);
}

}  // namespace starloom::links
