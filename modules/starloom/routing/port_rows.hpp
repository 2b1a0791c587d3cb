// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables of routing functions with a row per destination.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// An entry for each processor as destination and each of `width` states of packets.
template <class Entry>
class DestinationRows {
 public:
  /// \throws InputError if that takes more than a gigabyte, with the name of `function`.
  DestinationRows(const std::string& function, const NetworkGraph& graph, std::size_t width, Entry initial = {})
      : width_(width) {
    const double bytes = static_cast<double>(width) * graph.processors() * sizeof(Entry);
    if (bytes > 1 << 30)
      throw InputError("function " + function + " needs a table of " + std::to_string(static_cast<long>(bytes / 1e6)) +
                       " MB for " + std::to_string(graph.nodes()) + " nodes and " + std::to_string(graph.processors()) +
                       " processors, and the limit is 1,073 MB; choose a smaller network, or a topology with a "
                       "function that needs no table, such as a mesh with dimension-order");
    entries_.assign(width * static_cast<std::size_t>(graph.processors()), initial);
  }

  double bytes() const { return static_cast<double>(entries_.size() * sizeof(Entry)); }
  Entry at(NodeId processor, std::size_t state) const { return entries_[index(processor, state)]; }
  void set(NodeId processor, std::size_t state, Entry entry) { entries_[index(processor, state)] = entry; }

 private:
  std::size_t index(NodeId processor, std::size_t state) const {
    return static_cast<std::size_t>(processor) * width_ + state;
  }

  std::size_t width_;
  std::vector<Entry> entries_;  ///< [processor, state]
};

/// An out-port for each destination and state, one byte each.
class PortRows {
 public:
  /// \throws InputError as above.
  PortRows(const std::string& function, const NetworkGraph& graph, std::size_t width)
      : rows_(function, graph, width, nowhere) {}

  double bytes() const { return rows_.bytes(); }
  /// no_port for an entry that was not set.
  Port at(NodeId processor, std::size_t state) const {
    const std::uint8_t port = rows_.at(processor, state);
    return port == nowhere ? no_port : port;
  }
  void set(NodeId processor, std::size_t state, Port port) {
    rows_.set(processor, state, static_cast<std::uint8_t>(port));
  }

 private:
  static constexpr std::uint8_t nowhere = 0xff;
  DestinationRows<std::uint8_t> rows_;
};

}  // namespace starloom::routing
