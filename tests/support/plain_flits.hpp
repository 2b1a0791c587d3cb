// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference engine of store-and-forward: flit by flit.
#include "support/plain_engine.hpp"

namespace starloom::links {

/// \tparam Ports PortMask, or ManyPorts for nodes of more than `ports_per_word` ports.
template <class Ports>
class PlainFlits final : public PlainEngine {
 public:
  PlainFlits(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
             const StepperOptions& options);

 private:
  void execute_step() override;
  bool in_motion() const override;
  std::int64_t queued(NodeId node) const override;
  void act_on_faults(const std::vector<FaultEvent>& events) override;
  void flush() override;
  void reroute(ControllerArray& others) override;
  void lose_heads() override;

  void prepare_for_faults(FlitFrameOf<Ports>& frame, NodeId node);
  void refresh(NodeId node);
  template <class Condition>
  void lose_if(LossCause cause, const Condition& is_lost);
  Ports dead_ports(NodeId node) const;
  void run_node(NodeId node, const std::map<Place, Flit>& arrivals);
  void check_storage(const FlitFrameOf<Ports>& frame);
  std::size_t first_buffer(NodeId node) const;

  const std::int32_t buffers_per_node_;
  BufferPool buffers_;
  std::vector<Flit> arrived_;                        ///< [in-port] of the node that runs
  std::vector<Flit> tray_;                           ///< [out-port] of the current node: the flits that it sends
  std::vector<OutLink> links_;                       ///< [out-port] leads to the tray
  std::map<Step, std::map<Place, Flit>> in_flight_;  ///< by the step in which they are readable at (node, in-port)
};

}  // namespace starloom::links
