#pragma once
/// \file Where a head may go: the interface of routing functions.
#include <array>
#include <cstddef>

#include <starloom/core/ids.hpp>

namespace starloom::routing {

/// A head at the front of a channel of an in-port. The local port, from and to the processor, has the number behind the last
/// port of a link: NetworkGraph::ports().
struct Head {
  NodeId node = no_node;
  Port in_port = no_port;
  int in_channel = 0;  ///< number within the port
  NodeId destination = no_node;
};

/// Channels first .. first + count - 1 of an out-port.
struct Choice {
  Port port = no_port;
  int first = 0;
  int count = 0;
};

/// The out-ports and channels that a head may take, any of them: disjoint, none without a link.
class Choices {
 public:
  void add(Port port, int first, int count) { list_[size_++] = {port, first, count}; }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  const Choice* begin() const { return list_.data(); }
  const Choice* end() const { return list_.data() + size_; }

 private:
  std::size_t size_ = 0;
  std::array<Choice, 2 * (max_ports + 1)> list_;
};

/// A routing function: fixed for a network, and the same whenever it is asked.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;
  /// Adds to `choices`, which is empty, where the head may go: at least one channel.
  virtual void route(const Head& head, Choices& choices) const = 0;
};

}  // namespace starloom::routing
