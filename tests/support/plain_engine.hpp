// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the two reference engines share: time, packets, wake-ups, side wires, rows.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/stepper.hpp"

namespace starloom::links {

/// A node and one of its ports: an out-port names the link that leaves there, an in-port the one that arrives.
using Place = std::pair<NodeId, Port>;

/// The first entry of a node in a table by (node, port); the end of the table if the node has none.
template <class Value>
auto first_of(const std::map<Place, Value>& table, NodeId node) {
  const auto first = table.lower_bound({node, 0});
  return first != table.end() && first->first.first == node ? first : table.end();
}

/// Runs the steps. A storage model says what a step does.
class PlainEngine {
 public:
  PlainEngine(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
              const StepperOptions& options);
  virtual ~PlainEngine() = default;
  StepperResult run();

 protected:
  /// Runs the controllers of step `now_` and carries out what they decide.
  virtual void execute_step() = 0;
  /// Something moves in the next steps whether or not a controller asks for it.
  virtual bool in_motion() const = 0;
  /// The values of the state fields of a node at the end of step `now_`.
  virtual void publish(NodeId node, std::uint32_t* values) { controller(node).publish(values); }
  /// Called at the beginning of step `now_`, after hardware has died or been repaired, and in all later steps.
  virtual void act_on_faults(const std::vector<FaultEvent>& /*events*/) {}
  /// No packet is in the network or being sent.
  virtual bool is_empty() const { return false; }
  /// All packets in the network are lost.
  virtual void flush() {}
  /// Controllers that route without `algorithm()` learn of its change. \param others its controllers.
  virtual void reroute(ControllerArray& /*others*/) {}
  /// Heads that begin in this step and have no choice are lost.
  virtual void lose_heads() {}
  /// Packets that `queue` counts in a node at the end of step `now_`.
  virtual std::int64_t queued(NodeId node) const = 0;

  /// True if the node runs in step `now_`, apart from arrivals on its links.
  bool awake(NodeId node) const;
  /// Fills in the state that the node can read, except arrivals on its links.
  template <class Ports>
  void prepare(FrameOf<Ports>& frame, NodeId node);
  /// Carries out wake-ups and side words; checks what is common to all storage models.
  template <class Ports>
  void commit(const FrameOf<Ports>& frame);

  /// The far end of the link that leaves here: node and in-port.
  Place far_end(Place out) const;
  /// The step in which a flit that enters this link in step `now_` can be read at its far end.
  Step readable(Place out) const { return now_ + graph_.latency(out.first, out.second); }
  const Packet& packet(PacketId id) const { return record().packets[static_cast<std::size_t>(id)]; }
  void row(TraceEvent event, const Flit& flit, Place at, NodeId to);
  void row(TraceEvent event, const Flit& flit, NodeId node) { row(event, flit, {node, no_port}, no_node); }
  /// Row and counters of an object that enters this link.
  void cross(Place out, const Flit& object);
  void eject(const Flit& flit, NodeId node);
  void store(const Flit& flit, NodeId node);
  void lose(PacketId packet, LossCause cause);
  void drop(const Flit& flit, NodeId node) {
    ++record().flits_dropped;
    row(TraceEvent::drop, flit, node);
  }
  /// \param out the link that it was on the way to
  void drop(const Flit& flit, Place out, NodeId to) {
    ++record().flits_dropped;
    row(TraceEvent::drop, flit, out, to);
  }
  /// A packet of one flit vanishes.
  void drop_single(const Flit& flit, NodeId node, LossCause cause) {
    drop(flit, node);
    lose(flit.packet, cause);
  }
  void give_up_memory(NodeId node);
  bool is_dead(Place place) const { return dead_.count(place) != 0; }
  bool learns_of_faults() const { return options_.unreachable->reroutes() != nullptr; }
  /// Ends the run.
  [[noreturn]] void violate(NodeId node, const std::string& rule);

  void credit_row(NodeId node, Port port, std::int32_t channel) {
    result_.credits.push_back({now_, node, port, channel});
  }
  void keep(RouterTurn turn) { result_.turns.push_back(std::move(turn)); }
  /// The turn of the same node in the step before. \param nodes of the network.
  void keep_again(NodeId nodes) { keep(result_.turns[result_.turns.size() - static_cast<std::size_t>(nodes)]); }
  RunRecord& record() { return result_.record; }
  const RunRecord& record() const { return result_.record; }
  Controller& controller(NodeId node) { return controllers_->at(node); }
  /// The algorithm that new heads ask.
  const Algorithm& algorithm() const { return *algorithm_; }
  bool may_begin_packets() const { return !draining_; }

  const LinkNetwork& network_;
  const NetworkGraph graph_;
  const Declaration& declaration_;
  const StepperOptions options_;
  Step now_ = -1;
  SourceMemory memory_;

 private:
  struct Stopped {};
  using Words = std::map<Step, std::map<Place, std::uint32_t>>;  ///< by the step in which they are readable

  bool ended();
  void change_hardware();
  void change_routing(const std::vector<FaultEvent>& events, bool was_empty);
  Step next_step() const;
  void clear_past();
  void create_packets();
  void observe_state();
  template <class Ports>
  void fill_words(const Words& words, NodeId node, Ports& ports, std::vector<std::uint32_t>& values);

  PacketSource& source_;
  std::set<Place> dead_;        ///< by (node, out-port) of links, the local port of processors, no_port of routers
  std::size_t next_event_ = 0;  ///< of the options
  const Algorithm* algorithm_;
  const Unreachable* unreachable_;                 ///< known to sources; null: all hardware is alive
  mutable std::optional<FaultTimeline> timeline_;  ///< of the options; more and more becomes known
  std::optional<LivingHardware> hardware_;         ///< as the timeline
  std::shared_ptr<const RerouteKnowledge> next_change_;
  std::vector<std::shared_ptr<const RerouteKnowledge>> changes_;  ///< heads may wait by any of them
  Step due_ = no_step;  ///< routing functions change, or the network begins to drain
  bool draining_ = false;
  std::unique_ptr<ControllerArray> controllers_;
  StepperResult result_;
  Step created_before_ = 0;      ///< packets of earlier steps have been asked for
  std::set<NodeId> created_at_;  ///< nodes where a packet is created in step now_
  std::map<Step, std::set<NodeId>> wakes_;
  Words reverse_;                ///< by (node, out-port)
  Words forward_;                ///< by (node, in-port)
  std::vector<Step> last_sent_;  ///< [link] last step in which it accepted a flit; no_step: never
  std::map<PacketId, std::int32_t> ejected_flits_;
  std::set<PacketId> corrupt_;  ///< packets of which a flit is corrupt
  std::map<PacketId, std::int32_t> stored_flits_;
  std::map<PacketId, std::int32_t> crossed_;       ///< links, by the first flit
  std::vector<std::vector<std::uint32_t>> state_;  ///< [node][field], as last seen
  std::vector<std::uint32_t> reverse_words_;       ///< [out-port] of the node that runs
  std::vector<std::uint32_t> forward_words_;       ///< [in-port] of the node that runs
};

}  // namespace starloom::links
