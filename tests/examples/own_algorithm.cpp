// SPDX-License-Identifier: Apache-2.0
/// \file A user's routing algorithm in about 40 lines: packets move vertically first and then along the row, and each
/// link serves packets in the order of arrival.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {
namespace {

class ColumnFirst final : public FlitController {
 public:
  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) take_in(view, view.arrival(lowest_port(left)));
    while (view.waiting() > 0) take_in(view, view.accept());
    bool more = false;
    for (Port port = 0; port < view.buffers(); ++port) {
      if (view.empty(port)) continue;
      view.send(port, view.pop(port));
      more = more || !view.empty(port);
    }
    if (more) view.wake_at(view.step() + 1);  // arrivals and new packets wake the node anyway
  }

 private:
  static void take_in(FlitView& view, const Flit& flit) {
    const Grid& mesh = view.grid();
    if (flit.destination == view.node()) return view.eject(flit);
    const int axis = mesh.offset(view.node(), flit.destination, 0) != 0 ? 0 : 1;
    view.push(mesh.port_along(axis, mesh.offset(view.node(), flit.destination, axis)), flit, /*rank=*/view.step());
  }
};

class ColumnFirstAlgorithm final : public Algorithm {
 public:
  explicit ColumnFirstAlgorithm(NodeId nodes) : Algorithm(declare()), nodes_(nodes) {}
  std::unique_ptr<ControllerArray> make_controllers() const override { return controllers_like(ColumnFirst(), nodes_); }

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.buffers = BufferSide::out_ports;
    return d;
  }
  NodeId nodes_;
};

}  // namespace

AlgorithmEntry column_first_entry() {
  AlgorithmEntry entry;
  entry.name = "column-first";
  entry.meaning = "the column first, then the row; first come, first served";
  entry.needs = {"mesh"};
  entry.storage = StorageModel::store_and_forward;
  entry.make = [](const AlgorithmContext& context, const KeyValues&) -> std::unique_ptr<Algorithm> {
    return std::make_unique<ColumnFirstAlgorithm>(context.graph().nodes());
  };
  return entry;
}

}  // namespace starloom::links
