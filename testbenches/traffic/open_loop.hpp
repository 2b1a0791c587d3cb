#pragma once
/// \file Open-loop sources: every node draws in every step whether it creates a packet.
#include <array>

#include <starloom/core/random.hpp>
#include <starloom/traffic/destinations.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// What open-loop sources do besides choosing destinations.
struct OpenLoopRate {
  double rate = 0;         ///< flits per node and step, 0 to `flits`
  std::int32_t flits = 1;  ///< per packet
  Phases phases;
};

/// Node v creates a packet in step t with probability rate/flits: if word(seed, 2, v, t, 0) < floor(rate/flits * 2^32).
/// Its destination is fixed, or uniform over all nodes (itself included): bounded(n) of word(seed, 3, v, t, 0..).
/// Sources never end. Every draw is a function of (seed, node, step), so steps may be asked for in any cut.
class OpenLoop final : public Traffic {
 public:
  /// `destinations`: of every node, or empty for uniform destinations. Nodes without a destination create nothing.
  OpenLoop(std::uint64_t seed, NodeId nodes, const OpenLoopRate& rate, Destinations destinations);

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  Step next_creation(Step from) const override { return silent_ ? no_step : from; }
  std::optional<Step> end() const override { return silent_ ? std::optional<Step>(0) : std::nullopt; }
  std::optional<Phases> phases() const override { return rate_.phases; }
  bool open_loop() const override { return true; }

 private:
  /// Nodes whose words are drawn together; a multiple of 4, small enough to stay in the first-level cache.
  static constexpr NodeId chunk = 256;
  using Words = std::array<std::uint32_t, chunk>;

  void generate_step(Step step, std::vector<Packet>& out) const;
  /// The words of index 0 of nodes first .. first+count-1; `first` is a multiple of 4.
  void draw_words(Purpose purpose, NodeId first, NodeId count, Step step, Words& words) const;
  /// bounded(n) of the stream of (node, step) whose first word is known; one that may be rejected starts it anew.
  NodeId uniform_destination(NodeId node, Step step, std::uint32_t first_word) const;

  std::uint64_t seed_;
  NodeId nodes_;
  OpenLoopRate rate_;
  Destinations destinations_;
  std::uint32_t greatest_word_ = 0;  ///< a node creates a packet if its word is not above this
  bool silent_;                      ///< nobody ever creates anything
};

}  // namespace starloom
