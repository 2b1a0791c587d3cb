// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The common base of all modules that are nodes.
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include <starloom/control/links/controller.hpp>
#include <starloom/fabric/links/flit_buffer.hpp>
#include <starloom/fabric/links/link.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The out-ports or in-ports of a node that have a link.
struct PortList {
  std::vector<Port> numbers;
  std::vector<std::string> names;  ///< of `numbers`, for messages and buffers
};

/// A node of the netlist: the ports to its links.
///
/// Ports: `out` is bound to one link for each number of `out_ports()`, in that order: the k-th binding is out-port
/// `out_ports().numbers[k]`. The same for `in` and `in_ports()`. Too few bindings end elaboration with the names of
/// node and port.
class Node : public sc_core::sc_module {
 public:
  sc_core::sc_port<LinkInput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> out;
  sc_core::sc_port<LinkOutput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> in;

  NodeId id() const { return id_; }
  const PortList& out_ports() const { return out_ports_; }
  const PortList& in_ports() const { return in_ports_; }
  virtual NodeRole role() const { return NodeRole::processor; }
  /// The controller that runs in this node.
  virtual Controller& controller() = 0;
  /// True if it uses only its view: other nodes may run concurrently.
  virtual bool runs_in_any_thread() const { return false; }
  /// The node's flit buffers, buffer number = port * channels + channel; null for a port without a link.
  const std::vector<std::unique_ptr<FlitBuffer>>& buffers() const { return buffers_; }

 protected:
  Node(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports)
      : sc_module(name),
        out("out"),
        in("in"),
        id_(id),
        out_ports_(std::move(out_ports)),
        in_ports_(std::move(in_ports)) {}

  std::vector<std::unique_ptr<FlitBuffer>> buffers_;

 private:
  NodeId id_;
  PortList out_ports_;
  PortList in_ports_;
};

/// A node with a controller in ordinary C++, owned by the netlist; the fabric runs it in steps with an event at the
/// node.
class RoutingNode : public Node {
 public:
  /// Makes the flit buffers; called while the node is under construction, so that they become its children.
  using MakeBuffers = std::function<std::vector<std::unique_ptr<FlitBuffer>>(const Node&)>;

  RoutingNode(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports,
              Controller& controller, const MakeBuffers& make_buffers)
      : Node(name, id, std::move(out_ports), std::move(in_ports)), controller_(controller) {
    buffers_ = make_buffers(*this);
  }

  Controller& controller() override { return controller_; }
  bool runs_in_any_thread() const override { return true; }

 private:
  Controller& controller_;
};

}  // namespace starloom::links
