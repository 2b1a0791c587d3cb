#pragma once
/// \file A processor with its routing controller.
#include <functional>

#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// One node of the machine: a processor, whose memory the packets leave and reach, and the controller that routes.
/// The controller is ordinary C++ owned by the netlist; the fabric runs it when something happened at this node.
class Processor final : public Node {
 public:
  /// Makes the flit buffers; called while the processor is under construction, so that they become its children.
  using MakeBuffers = std::function<std::vector<std::unique_ptr<FlitBuffer>>(const Node&)>;

  Processor(const sc_core::sc_module_name& name, NodeId id, std::vector<Port> port_numbers,
            std::vector<std::string> port_names, Controller& controller, const MakeBuffers& make_buffers)
      : Node(name, id, std::move(port_numbers), std::move(port_names)), controller_(controller) {
    buffers_ = make_buffers(*this);
  }

  Controller& controller() override { return controller_; }

 private:
  Controller& controller_;
};

}  // namespace starloom::links
