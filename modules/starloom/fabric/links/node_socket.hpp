// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A node for a foreign module.
#include <deque>
#include <functional>

#include <starloom/fabric/links/fabric.hpp>
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// The interface of a foreign module to its node: simple functions for the usual cases, and the same view that
/// controllers have. A call at time x takes effect in the first step that begins after x, and wakes the fabric.
class NodeAccess : public virtual sc_core::sc_interface {
 public:
  virtual NodeId node_id() const = 0;
  /// Creates a packet of one flit here; the algorithm routes it like a processor's own packets.
  virtual void send(NodeId destination) = 0;
  /// Notified when flits have arrived that are addressed to this node; they wait until they are taken.
  virtual const sc_core::sc_event& arrived() const = 0;
  /// Takes the next flit that has arrived; false if there is none.
  virtual bool take(Flit& flit) = 0;
  /// From the first step after this call on also receives flits that pass through, if `on`. Such a flit is taken out
  /// of the network, and the algorithm routes it again in the step after, like the node's own packets.
  virtual void see_transit(bool on) = 0;
  /// Lets `action` act as this node's controller for one step, instead of the algorithm. Arrivals of that step are
  /// taken out of the network, and are routed afterwards, as with `see_transit`.
  virtual void act(std::function<void(FlitView&)> action) = 0;
  /// The immutable facts of a packet.
  virtual Packet packet(PacketId packet) const = 0;
};

/// A node instead of a RouterNode, with the same links and buffers. The foreign module, which may have processes of
/// any kind, binds an `sc_port<NodeAccess>` to it and replaces the processor. The node's controller is still that of
/// the algorithm, so traffic that passes through loses no step. For the referee, a flit that the module takes is
/// ejected (stored, if it is addressed elsewhere), and a flit that it sends is injected. Store-and-forward only.
class NodeSocket final : public RoutingNode, public NodeAccess {
 public:
  NodeSocket(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports,
             Controller& controller, const MakeBuffers& make_buffers, Fabric& fabric);

  Controller& controller() override { return agent_; }
  bool runs_in_any_thread() const override { return false; }

  NodeId node_id() const override { return id(); }
  void send(NodeId destination) override;
  void see_transit(bool on) override;
  void act(std::function<void(FlitView&)> action) override;
  const sc_core::sc_event& arrived() const override { return arrived_; }
  bool take(Flit& flit) override;
  Packet packet(PacketId packet) const override;

 private:
  /// Between the algorithm's controller and the foreign module.
  class Agent final : public FlitController {
   public:
    Agent(NodeSocket& socket, FlitController& algorithm) : socket_(socket), algorithm_(algorithm) {}
    void step(FlitView& view) override;
    void publish(std::uint32_t* values) const override { algorithm_.publish(values); }
    std::deque<std::function<void(FlitView&)>> actions;  ///< due in the next step
    bool sees_transit = false;

   private:
    NodeSocket& socket_;
    FlitController& algorithm_;
  };

  void hand_over(const Flit& flit);

  Fabric& fabric_;
  Agent agent_;
  sc_core::sc_event arrived_;
  std::deque<Flit> received_;
};

}  // namespace starloom::links
