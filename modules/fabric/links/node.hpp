#pragma once
/// \file What all modules at the place of a node have in common.
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include <starloom/controllers/links/controller.hpp>
#include <starloom/fabric/links/flit_buffer.hpp>
#include <starloom/fabric/links/link.hpp>

namespace starloom::links {

/// A node of the netlist: the ports to its links.
///
/// Ports: `out` and `in` are bound to one link for each port number of `port_numbers()`, in that order; the k-th binding
/// is port `port_numbers()[k]`. Too few bindings end elaboration with the names of node and port.
class Node : public sc_core::sc_module {
 public:
  sc_core::sc_port<LinkInput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> out;
  sc_core::sc_port<LinkOutput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> in;

  NodeId id() const { return id_; }
  const std::vector<Port>& port_numbers() const { return port_numbers_; }
  const std::vector<std::string>& port_names() const { return port_names_; }
  /// The controller that runs in this node.
  virtual Controller& controller() = 0;
  /// The node's flit buffers, buffer number = port * channels + channel; null where a port has no link.
  const std::vector<std::unique_ptr<FlitBuffer>>& buffers() const { return buffers_; }

 protected:
  /// \param port_names of `port_numbers`, for messages.
  Node(const sc_core::sc_module_name& name, NodeId id, std::vector<Port> port_numbers,
       std::vector<std::string> port_names)
      : sc_module(name),
        out("out"),
        in("in"),
        id_(id),
        port_numbers_(std::move(port_numbers)),
        port_names_(std::move(port_names)) {}

  std::vector<std::unique_ptr<FlitBuffer>> buffers_;

 private:
  NodeId id_;
  std::vector<Port> port_numbers_;
  std::vector<std::string> port_names_;
};

}  // namespace starloom::links
