// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Hardware of a network of links that dies and is repaired in the course of a run (docs/faults.md).
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include <starloom/topology/faults.hpp>
#include <starloom/topology/lifetimes.hpp>

namespace starloom {

/// The links of a cable, one link, a router or a processor, dead from the beginning of a step to that of another.
struct Outage {
  enum class Kind { cable, link, router, processor };
  Kind kind = Kind::cable;
  Cable cable{};          ///< of a link, `lower` is the link
  NodeId node = no_node;  ///< of a router or processor
  Step at = 0;
  Step until = no_step;  ///< no_step: to the end of the run
};

/// At the beginning of a step, a link, a router or a processor dies or is repaired.
struct FaultEvent {
  Step step = 0;
  bool dies = true;  ///< false: it is repaired
  NodeId node = no_node;
  Port port = no_port;  ///< of a link; no_port: the router; the local port, `graph.ports()`: the processor

  bool operator==(const FaultEvent& other) const {
    return step == other.step && dies == other.dies && node == other.node && port == other.port;
  }
};

/// Hardware that is dead while anything kills it: the end of one outage does not end another.
class FaultTimeline {
 public:
  /// \param faults its dead channels and places, and what else is dead throughout the run.
  /// \param lifetimes besides, all cables fail and are repaired at random, without an end. \param seed of these times
  explicit FaultTimeline(Faults faults, const std::vector<Outage>& outages = {},
                         const std::optional<Lifetimes>& lifetimes = {}, std::uint64_t seed = 1);

  /// In step 0.
  const Faults& start() const { return start_; }
  /// Hardware dies or is repaired after step 0.
  bool changes() const { return !events_.empty() || !turns_.empty(); }
  /// True if all events are known; else, cables fail without an end.
  bool is_known() const { return lives_.empty(); }
  const Lifetimes& lifetimes() const { return lifetimes_; }  ///< unless all events are known
  /// The last step in which an outage begins or ends; 0: none does after step 0. Lifetimes do not count.
  Step last_scheduled() const { return last_scheduled_; }
  /// After step 0: by step, repairs before deaths, then by node and port. With lifetimes, those that are known.
  const std::vector<FaultEvent>& events() const { return events_; }
  /// With lifetimes: makes all events up to a step known.
  void extend(Step last);
  /// The event behind `index` others, if it happens up to a step; else null.
  const FaultEvent* find(std::size_t index, Step last);
  /// Living processors in the step in which they are fewest, up to the last event that is known.
  std::int64_t fewest_processors() const { return fewest_processors_; }

 private:
  /// An outage begins or ends.
  struct Turn {
    Step step;
    bool begins;
    Outage outage;
    std::optional<std::size_t> life{};  ///< the cable that fails, of `lives_`

    bool operator<(const Turn& other) const { return step > other.step; }  // the first one is the top of a queue
  };
  struct Life {
    Cable cable;
    ExponentialTimes times;
  };

  void fail_next(std::size_t life, Step from);
  void advance();

  Faults start_;
  Faults now_;  ///< behind the last event that is known
  Lifetimes lifetimes_{};
  std::vector<Life> lives_;          ///< one for each cable; empty: cables do not fail at random
  std::priority_queue<Turn> turns_;  ///< that are still to come
  std::vector<FaultEvent> events_;
  Step last_scheduled_ = 0;
  std::int64_t fewest_processors_;
};

/// A link, a router or a processor is dead in the steps `from` to `until` - 1.
struct DeadTime {
  NodeId node = no_node;
  Port port = no_port;  ///< as in FaultEvent
  Step from = 0;
  Step until = no_step;  ///< no_step: to the end of the run
};

/// By node, port and step. \param events after step 0, in order.
std::vector<DeadTime> dead_times(const Faults& start, const std::vector<FaultEvent>& events);

/// The links, routers and processors that are dead in a step of a run.
class LivingHardware {
 public:
  explicit LivingHardware(const Faults& start);
  void apply(const FaultEvent& event);

  bool link_is_dead(NodeId node, Port port) const { return dead_links_[graph_.index(node, port)]; }
  bool router_is_dead(NodeId node) const { return dead_routers_[static_cast<std::size_t>(node)]; }
  bool processor_is_dead(NodeId node) const { return dead_processors_[static_cast<std::size_t>(node)]; }
  /// The link of an out-port, or the processor of the node behind the local one.
  bool way_is_dead(NodeId node, Port port) const {
    return port == graph_.ports() ? processor_is_dead(node) : link_is_dead(node, port);
  }

 private:
  const NetworkGraph graph_;
  std::vector<bool> dead_links_;                      ///< [NetworkGraph::index]
  std::vector<bool> dead_routers_, dead_processors_;  ///< [node]
};

}  // namespace starloom
