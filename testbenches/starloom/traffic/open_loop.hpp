// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Open-loop sources: in every step every node creates a packet with some probability.
#include <optional>

#include <starloom/core/random.hpp>
#include <starloom/topology/processors.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Sources that are on and off alternately, for geometrically distributed times of these means, in steps, at least 1.
struct OnOff {
  double on = 1;
  double off = 1;

  /// The share of steps in which a source is on.
  double share_on() const { return on / (on + off); }
};

/// Settings of open-loop sources except destinations.
struct Injection {
  double rate = 0;  ///< mean flits per processor and step
  PacketLengths lengths{};
  std::optional<OnOff> on_off{};  ///< empty: Bernoulli sources, which are always on
  std::optional<ReplyRules> replies{};

  /// Index of dispersion: the variance of the number of flits created in a long time, divided by its mean. For
  /// packets of fixed length without replies it is that length. `on_off` adds 2 r t (1 - s): a source creates r flits
  /// per step while it is on, is on in a share s of the steps, and t is the time constant of its two states.
  double dispersion() const;
  /// The probability that a source that is on creates a packet in a step; above 1 if the rate is too high.
  double probability() const { return rate / lengths.mean() / (on_off ? on_off->share_on() : 1); }
};

/// Only a share of the packets goes to a fixed destination, and the others to uniform nodes: the fixed one if the first
/// word is below floor(share * 2^32), else bounded(n) of the next ones.
class HotSpotShare {
 public:
  /// \param share 0 to 1.
  explicit HotSpotShare(double share) : share_(share), threshold_(bernoulli_threshold(share)) {}
  double share() const { return share_; }
  NodeId destination(NodeId fixed, NodeId nodes, RandomStream words) const {
    if (words.word() < threshold_) return fixed;
    return static_cast<NodeId>(words.bounded(static_cast<std::uint32_t>(nodes)));
  }

 private:
  double share_;
  std::uint64_t threshold_;
};

/// Node v creates a packet in step t with probability p (`Injection::probability`), if its source is on: if
/// word(seed, 2, v, t, 0) < floor(p * 2^32). Its destination is fixed, or uniform over all n nodes: bounded(n) of
/// word(seed, 3, v, t, 0..), or one of both (`HotSpotShare`, with the same words). Without packets of a node to itself
/// it is the one of that number among the n - 1 others. Sources never end.
class OpenLoop final : public Traffic {
 public:
  /// `destinations`: of every node, or empty for uniform destinations. Nodes without a destination create no packets.
  /// \param first_word is added to the index of all random words.
  /// \param share of the packets that go to `destinations`; empty: all.
  /// \param to_itself a node is among its uniform destinations; if not, there are two nodes at least.
  OpenLoop(std::uint64_t seed, NodeId nodes, Injection injection, const Phases& phases, Destinations destinations,
           std::uint32_t first_word = 0, std::optional<HotSpotShare> share = std::nullopt, bool to_itself = true);

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  Step next_creation(Step from) const override { return silent_ ? no_step : from; }
  std::optional<Step> end() const override { return silent_ ? std::optional<Step>(0) : std::nullopt; }
  std::optional<Phases> phases() const override { return phases_; }
  std::vector<PacketStream> streams() const override;
  bool open_loop() const override { return true; }
  std::optional<ReplyRules> replies() const override { return injection_.replies; }
  double deviation(double flits) const override { return Traffic::deviation(flits * injection_.dispersion()); }

 private:
  using Bits = std::vector<std::uint64_t>;  ///< one per node, 64 in a word

  void generate_step(Step step, std::vector<Packet>& out);
  /// Sources that are on in `step`, which is 0 or the one after the step of the last call.
  void turn_sources(Step step);
  void draw(InjectionWord word, Step step, std::uint64_t threshold, Bits& bits) const;
  /// Packets of the nodes 64*word .. 64*word+63 that are in `creators`.
  void create(std::size_t word, std::uint64_t creators, Step step, std::vector<Packet>& out) const;
  NodeId destination(NodeId node, Step step) const;
  /// The uniform destination with this number, from 0 on.
  NodeId numbered(NodeId node, NodeId number) const { return number + (!to_itself_ && number >= node ? 1 : 0); }

  std::uint64_t seed_;
  std::uint32_t first_word_;
  NodeId nodes_;
  Injection injection_;
  Phases phases_;
  Destinations destinations_;
  std::optional<HotSpotShare> share_;
  bool to_itself_;
  Bits senders_;  ///< nodes that have a destination
  std::uint64_t threshold_;
  bool silent_;  ///< no source ever creates a packet
  Bits creators_;
  Bits on_, turned_on_, turned_off_;  ///< of on-off sources
};

}  // namespace starloom
