// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/direct_model.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <starloom/algorithms/direct/direct.hpp>
#include <starloom/message/pops/coupler_audit.hpp>
#include <starloom/message/pops/requirements.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom::pops {
namespace {

/// Packets at their sources for which a cycle takes threads longer than its synchronisation.
constexpr std::int64_t few_packets = 2048;

/// Packets of different groups never meet: the result of a cycle for the packets of a group depends only on these.
/// Threads therefore share a cycle by ranges of source groups.
class DirectModel {
 public:
  DirectModel(const Pops& pops, const std::vector<NodeId>& destination, std::uint64_t seed, int threads)
      : pops_(pops), rules_(pops), destination_(destination), seed_(seed), tries_(destination.size(), 0) {
    std::vector<std::size_t> cuts(static_cast<std::size_t>(pops.groups()));
    std::iota(cuts.begin(), cuts.end(), std::size_t{0});
    for (const GroupRange& groups : group_ranges(cuts.size(), cuts, threads)) {
      Share& share = shares_.emplace_back(CouplerAudit(pops, nullptr, groups));
      const NodeId end = static_cast<NodeId>(groups.end) * pops.group_size();
      for (NodeId node = static_cast<NodeId>(groups.begin) * pops.group_size(); node < end; ++node)
        if (destination[static_cast<std::size_t>(node)] != no_node) share.waiting.push_back(node);
      waiting_ += static_cast<std::int64_t>(share.waiting.size());
    }
    run_.delivered.assign(destination.size(), -1);
  }

  MessageRun run(const MessageLimits& limits) {
    ThreadPool pool(static_cast<int>(shares_.size()));
    std::int64_t cycle = 0;
    Step last_delivery = 0;
    constexpr int length = DirectRules::cycle_slots;
    for (; waiting_ > 0 && !limits.reached(cycle * length, length, last_delivery); ++cycle) {
      if (waiting_ >= few_packets) pool.run([&](int i) { play(cycle, shares_[static_cast<std::size_t>(i)]); });
      else
        for (Share& share : shares_) play(cycle, share);
      SlotCounts data;
      std::int64_t acknowledged = 0;
      for (const Share& share : shares_) {
        data += share.data;
        acknowledged += share.acknowledged;
      }
      waiting_ -= acknowledged;
      if (acknowledged > 0) last_delivery = cycle * length + 1;
      run_.slots.push_back(data);
      run_.slots.push_back({acknowledged, acknowledged, 0, data.drives});
      run_.data_drives += data.drives;
      run_.ack_drives += acknowledged;
    }
    run_.units = static_cast<std::int64_t>(run_.slots.size());
    run_.undelivered = waiting_;
    run_.finished = waiting_ == 0;
    if (run_.finished) run_.drain_from = run_.units;
    for (const Share& share : shares_) run_.max_load = std::max(run_.max_load, share.couplers.max_load());
    return std::move(run_);
  }

 private:
  /// The packets of a range of source groups, and their results in a cycle.
  struct alignas(128) Share {
    explicit Share(CouplerAudit audit) : couplers(std::move(audit)) {}

    CouplerAudit couplers;
    std::vector<NodeId> waiting, waiting_senders;  ///< sources
    SlotCounts data;
    std::int64_t acknowledged = 0;
  };

  std::int32_t to_group(NodeId node) const { return pops_.group_of(destination_[static_cast<std::size_t>(node)]); }

  void play(std::int64_t cycle, Share& share) {
    CouplerAudit& couplers = share.couplers;
    std::vector<NodeId>& waiting = share.waiting;
    couplers.next_slot();
    share.waiting_senders.clear();
    for (const NodeId node : waiting) {
      std::uint8_t& tried = tries_[static_cast<std::size_t>(node)];
      if (!rules_.takes_part(seed_, node, cycle, tried)) continue;
      if (tried < 255) ++tried;
      share.waiting_senders.push_back(node);
      couplers.drive(to_group(node), pops_.group_of(node));
    }
    // Each destination samples the coupler of its packet, whichever processor drives it.
    share.data = {static_cast<std::int64_t>(share.waiting_senders.size()), 0, couplers.collisions(),
                  static_cast<std::int64_t>(waiting.size())};
    for (const NodeId node : waiting)
      share.data.delivered += couplers.carries(to_group(node), pops_.group_of(node)) ? 1 : 0;
    share.acknowledged = 0;
    for (const NodeId node : share.waiting_senders) {
      if (!couplers.carries(to_group(node), pops_.group_of(node))) continue;
      run_.delivered[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(cycle * DirectRules::cycle_slots + 1);
      ++share.acknowledged;
    }
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [&](NodeId node) { return run_.delivered[static_cast<std::size_t>(node)] >= 0; }),
                  waiting.end());
    couplers.add_to_load();
  }

  Pops pops_;
  DirectRules rules_;
  const std::vector<NodeId>& destination_;
  std::uint64_t seed_;
  std::vector<std::uint8_t> tries_;  ///< [source] values above the greatest number of halvings are equivalent
  std::vector<Share> shares_;
  std::int64_t waiting_ = 0;
  MessageRun run_;
};

}  // namespace

MessageRun route_direct(const Pops& pops, const std::vector<NodeId>& destination, std::uint64_t seed,
                        const MessageLimits& limits) {
  require_permutation(pops, destination);
  require_couplers(pops);
  return DirectModel(pops, destination, seed, limits.threads).run(limits);
}

MessageRun run_model(const DirectAlgorithm& algorithm, const MessageLimits& limits) {
  return route_direct(algorithm.pops(), algorithm.destination(), algorithm.seed(), limits);
}

int most_threads(const DirectAlgorithm& algorithm) { return algorithm.pops().groups(); }

}  // namespace starloom::pops
