#pragma once
/// \file A place in the netlist for somebody else's module.
#include <deque>
#include <functional>

#include <starloom/fabric/links/fabric.hpp>
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// What a foreign module can do at its node, through a port: the same view that controllers have, and short ways to the
/// usual cases. A call at time x takes effect in the first step that begins after x, and wakes the fabric.
class NodeAccess : public virtual sc_core::sc_interface {
 public:
  virtual NodeId node_id() const = 0;
  /// Creates a packet of one flit here; it leaves as soon as its link is free: by dimension order where the network is a
  /// grid, else through the lowest port that leads nearer.
  virtual void send(NodeId destination) = 0;
  /// Lets `action` act as this node's controller for one step, in which no packet leaves by itself.
  virtual void act(std::function<void(FlitView&)> action) = 0;
  /// Notified when flits have arrived; they wait until they are taken.
  virtual const sc_core::sc_event& arrived() const = 0;
  /// Takes the next flit that has arrived; false if there is none.
  virtual bool take(Flit& flit) = 0;
  /// The facts of a packet, which never change.
  virtual Packet packet(PacketId packet) const = 0;
};

/// Stands in the netlist in place of a Processor, bound to the same links; the foreign module, which may have processes
/// of any kind, binds an `sc_port<NodeAccess>` to it. What arrives is taken out of the network (ejected if it is
/// addressed to this node, stored otherwise) and handed over in the order of arrival. Store-and-forward only.
class NodeSocket final : public Node, public NodeAccess {
 public:
  NodeSocket(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports, Fabric& fabric);

  Controller& controller() override { return agent_; }

  NodeId node_id() const override { return id(); }
  void send(NodeId destination) override;
  void act(std::function<void(FlitView&)> action) override;
  const sc_core::sc_event& arrived() const override { return arrived_; }
  bool take(Flit& flit) override;
  Packet packet(PacketId packet) const override;

 private:
  /// The controller at the place of the foreign module.
  class Agent final : public FlitController {
   public:
    explicit Agent(NodeSocket& socket) : socket_(socket) {}
    void step(FlitView& view) override;
    std::deque<std::function<void(FlitView&)>> actions;  ///< due in the coming step

   private:
    NodeSocket& socket_;
  };

  Port first_port(NodeId destination) const;

  Fabric& fabric_;
  Agent agent_{*this};
  sc_core::sc_event arrived_;
  std::deque<Flit> inbox_;
};

}  // namespace starloom::links
