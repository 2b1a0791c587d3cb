// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The netlist builder: any topology, any algorithm, as bound SystemC modules.
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/fabric/links/fabric.hpp>
#include <starloom/fabric/links/flit_buffer.hpp>
#include <starloom/fabric/links/link.hpp>
#include <starloom/fabric/links/node_socket.hpp>
#include <starloom/fabric/links/router_node.hpp>
#include <starloom/fabric/links/switch.hpp>

namespace starloom::links {

struct NetworkOptions {
  std::uint64_t seed = 1;
  /// One step, if no clock is bound; without a value: 1 ns. An sc_time of 1 ns here would fix the time resolution.
  std::optional<sc_core::sc_time> period;
  bool count_memory = true;     ///< a node's own unsent packets count in `queue`
  std::vector<NodeId> foreign;  ///< processors that get a NodeSocket instead of a RouterNode
  /// Makes a flit buffer; null: plain ones. (name, node, port, capacity)
  std::function<std::unique_ptr<FlitBuffer>(const char*, NodeId, Port, std::int32_t)> make_buffer;
  double stall_rate = 0;  ///< virtual channels: share of steps in which a link accepts no flit from its switch
  /// Packets that are not sent, because of faults; it outlives the network. Null: there are none.
  const Unreachable* unreachable = nullptr;
  /// Virtual channels: errors of links that repeat corrupt flits; they outlive the network. Null: none do.
  const LinkErrors* errors = nullptr;
  // Without an effect on the result:
  bool count_events = false;  ///< the engine keeps the counts of `events_before`
  std::uint64_t shuffle = 0;  ///< permutes construction and evaluation order
  bool wake_all = false;
  int threads = 1;  ///< per step, at most one per node (`Fabric`)
};

/// A whole network: `fabric`, a RouterNode or Switch with its flit buffers for each node of the graph, a link for each
/// directed link, all bound. Names are those of the graph (`node_r03_c07`, `link_r03_c07_east`,
/// `node_r03_c07.buffer_east_v0`). Network value and algorithm must outlive it.
class Network final : public sc_core::sc_module {
 public:
  Network(const sc_core::sc_module_name& name, const LinkNetwork& network, const Algorithm& algorithm,
          const NetworkOptions& options = {});

  Fabric fabric;

  Node& node(NodeId id) { return *nodes_[static_cast<std::size_t>(id)]; }
  /// The link that leaves a node through an out-port; the port has a link.
  Link& link(NodeId id, Port port) {
    return *links_[static_cast<std::size_t>(id) * ports_ + static_cast<std::size_t>(port)];
  }
  /// The socket of a foreign node; error report if the node is not one.
  NodeSocket& socket(NodeId id);
  const ControllerArray& controllers() const { return *controllers_; }
  /// Number of modules of the network, including itself.
  std::size_t module_count() const { return module_count_; }

 private:
  void build_node(NodeId id, const NetworkGraph& graph, const Declaration& declaration, const NetworkOptions& options);
  std::vector<std::unique_ptr<FlitBuffer>> build_buffers(const Node& node, bool has_processor,
                                                         const Declaration& declaration, const NetworkOptions& options);
  void bind(NodeId id, const NetworkGraph& graph);

  std::size_t ports_;
  std::unique_ptr<ControllerArray> controllers_;
  std::vector<std::unique_ptr<Link>> links_;  ///< [node * ports + out-port]
  std::vector<std::unique_ptr<Node>> nodes_;
  std::size_t module_count_ = 2;
};

}  // namespace starloom::links
