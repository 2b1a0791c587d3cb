// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/links/plan_run.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

/// A packet in flight.
struct Walker {
  PacketId packet = no_packet;
  NodeId at = no_node;
  const Port* next = nullptr;  ///< the first of the moves that it has not made
  const Port* end = nullptr;
};

/// Moves all packets step by step, those that start in the same step in the order of their numbers.
class Walk {
 public:
  Walk(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan, const Declaration& declaration)
      : grid_(grid),
        packets_(packets),
        plan_(plan),
        declaration_(declaration),
        ports_(static_cast<std::size_t>(grid.ports())) {
    const std::size_t links = static_cast<std::size_t>(grid.nodes()) * ports_;
    RunRecord& record = run_.record;
    record.packets = packets;
    record.delivered.assign(packets.size(), no_step);
    links_.assign(links, {});
    if (moves_worms(declaration.storage)) return;
    waiting_.assign(static_cast<std::size_t>(grid.nodes()), 0);
    staying_.assign(static_cast<std::size_t>(grid.nodes()), 0);
  }

  PlanRun run() {
    for (std::size_t p = 0; p < packets_.size(); ++p) {
      count(packets_[p].source, static_cast<PacketId>(p), 1);
      if (plan_.journeys[p].planned()) to_start_.push_back(walker(static_cast<PacketId>(p)));
      // A packet for its own node is delivered, even if it is not part of the plan.
      else if (packets_[p].source == packets_[p].destination) deliver(static_cast<PacketId>(p), 0);
    }
    std::stable_sort(to_start_.begin(), to_start_.end(),
                     [this](const Walker& a, const Walker& b) { return start(a) < start(b); });
    std::size_t started = 0;
    for (Step step = 0; started < to_start_.size() || !moving_.empty() || step == 0; ++step) {
      // There are no events before the next start.
      if (moving_.empty() && step > 0) step = start(to_start_[started]);
      for (; started < to_start_.size() && start(to_start_[started]) == step; ++started)
        moving_.push_back(to_start_[started]);
      std::size_t left = 0;
      for (Walker walker : moving_)
        if (go(walker, step)) moving_[left++] = walker;
      moving_.resize(left);
      look_at_nodes(step);
    }
    for (const Link& link : links_) run_.record.link_load.push_back(link.load);
    run_.record.steps_run = plan_.length() + 1;
    return std::move(run_);
  }

 private:
  struct Link {
    PacketId user = no_packet;  ///< the last one
    Step until = no_step;       ///< the last step in which it occupies the link
    std::int64_t load = 0;      ///< flits so far
  };

  const Journey& journey(PacketId packet) const { return plan_.journeys[static_cast<std::size_t>(packet)]; }
  NodeId destination(PacketId packet) const { return packets_[static_cast<std::size_t>(packet)].destination; }
  Walker walker(PacketId packet) const {
    const std::vector<Port>& moves = journey(packet).moves;
    return {packet, packets_[static_cast<std::size_t>(packet)].source, moves.data(), moves.data() + moves.size()};
  }
  Step start(const Walker& walker) const { return journey(walker.packet).start; }
  static std::string name(PacketId packet) { return "packet " + std::to_string(packet); }

  /// One move, or the end of the walk. False if the walk is over.
  bool go(Walker& walker, Step step) {
    const bool moves = walker.next != walker.end;
    if (moves && !cross(walker, *walker.next++, step)) return false;
    if (walker.next != walker.end) return true;
    if (walker.at == destination(walker.packet)) deliver(walker.packet, journey(walker.packet).arrival(plan_.flits));
    else
      broken(moves ? step + 1 : step, walker.at,
             name(walker.packet) + " ends at " + grid_.node_name(walker.at) + ", not at " +
                 grid_.node_name(destination(walker.packet)));
    return false;
  }

  /// The end of a step, if nodes store packets.
  void look_at_nodes(Step step) {
    for (std::size_t v = 0; v < waiting_.size(); ++v) {
      const auto node = static_cast<NodeId>(v);
      run_.record.queue.update(waiting_[v], node, step);
      if (declaration_.limits_staying() && staying_[v] > declaration_.most_staying(node))
        broken(step, node,
               "keeps " + std::to_string(staying_[v]) + " packets, more than its bound of " +
                   std::to_string(declaration_.most_staying(node)));
      staying_[v] = 0;
    }
  }

  bool cross(Walker& walker, Port port, Step step) {
    if (port == no_port) {
      if (!staying_.empty()) ++staying_[static_cast<std::size_t>(walker.at)];
      return true;
    }
    const NodeId to = port < 0 || port >= grid_.ports() ? no_node : grid_.neighbour(walker.at, port);
    if (to == no_node) {
      broken(step, walker.at, name(walker.packet) + " leaves the grid");
      return false;
    }
    Link& link = links_[static_cast<std::size_t>(walker.at) * ports_ + static_cast<std::size_t>(port)];
    if (link.until >= step)
      broken(step, walker.at,
             "packets " + std::to_string(std::min(link.user, walker.packet)) + " and " +
                 std::to_string(std::max(link.user, walker.packet)) + " are both on " +
                 grid_.link_name(walker.at, port));
    link = {walker.packet, step + plan_.flits - 1, link.load + plan_.flits};
    run_.record.flit_hops += plan_.flits;
    count(walker.at, walker.packet, -1);
    walker.at = to;
    count(walker.at, walker.packet, 1);
    return true;
  }

  /// Packets at their destination are not in a queue.
  void count(NodeId node, PacketId packet, std::int64_t change) {
    if (!waiting_.empty() && node != destination(packet)) waiting_[static_cast<std::size_t>(node)] += change;
  }
  void deliver(PacketId packet, Step step) {
    run_.record.delivered[static_cast<std::size_t>(packet)] = step;
    ++run_.record.delivered_count;
  }
  void broken(Step step, NodeId node, const std::string& text) {
    if (!run_.violation || step < run_.violation->step) run_.violation = Violation{step, node, text};
  }

  const Grid& grid_;
  const std::vector<Packet>& packets_;
  const Plan& plan_;
  const Declaration& declaration_;
  std::size_t ports_;
  PlanRun run_;
  std::vector<Walker> to_start_, moving_;
  std::vector<Link> links_;            ///< [node * ports + out-port]
  std::vector<std::int64_t> waiting_;  ///< [node] packets in the node at the end of the step; empty if nodes store none
  std::vector<std::int32_t> staying_;  ///< [node] those of them that stay in this step, not counting unsent ones
};

}  // namespace

PlanRun run_plan(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan,
                 const Declaration& declaration) {
  return Walk(grid, packets, plan, declaration).run();
}

}  // namespace starloom::links
