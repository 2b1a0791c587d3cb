// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables of out-ports, a row for each destination.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// An out-port for each processor as destination and each of `width` states of packets, a byte each.
class PortRows {
 public:
  /// \throws InputError if that takes more than a gigabyte; `function` is what needs it.
  PortRows(const std::string& function, const NetworkGraph& graph, std::size_t width) : width_(width) {
    const double bytes = static_cast<double>(width) * graph.processors();
    if (bytes > 1 << 30)
      throw InputError("function " + function + " needs a table of " + std::to_string(static_cast<long>(bytes / 1e6)) +
                       " MB for " + std::to_string(graph.nodes()) + " nodes and " + std::to_string(graph.processors()) +
                       " processors, and the limit is 1,073 MB; choose a smaller network, or a topology with a "
                       "function that needs no table, such as a mesh with dimension-order");
    ports_.assign(width * static_cast<std::size_t>(graph.processors()), nowhere);
  }

  double bytes() const { return static_cast<double>(ports_.size()); }
  /// no_port if nothing was set.
  Port at(NodeId processor, std::size_t state) const {
    const std::uint8_t port = ports_[static_cast<std::size_t>(processor) * width_ + state];
    return port == nowhere ? no_port : port;
  }
  void set(NodeId processor, std::size_t state, Port port) {
    ports_[static_cast<std::size_t>(processor) * width_ + state] = static_cast<std::uint8_t>(port);
  }

 private:
  static constexpr std::uint8_t nowhere = 0xff;
  std::size_t width_;
  std::vector<std::uint8_t> ports_;  ///< [processor, state]
};

}  // namespace starloom::routing
