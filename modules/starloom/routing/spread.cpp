// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/spread.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace starloom::routing {
namespace {

const std::vector<std::string> spread_names = {"none", "flow", "packet", "adaptive"};  // as in `Spread`

/// A one-to-one function of 64 bits in which every bit of the result depends on every bit of the number: the last step
/// of SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}
std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

/// The common base: packets choose in each node one of the ports that another function offers.
class ByHash : public RoutingFunction {
 public:
  void route(const Head& head, Choices& choices) const final {
    Choices every;
    all_->route(head, every);
    if (every.size() == 0) return;
    const Choice* chosen = every.begin();
    std::uint64_t sum = 0;
    each_port(every, [&](const Choice& first) { sum += static_cast<std::uint64_t>(first.weight); });
    std::uint64_t left = sum <= 1 ? 0 : (hash(head) >> 32) * sum >> 32;
    bool found = false;
    each_port(every, [&](const Choice& first) {
      if (found) return;
      chosen = &first;
      found = left < static_cast<std::uint64_t>(first.weight);
      left -= static_cast<std::uint64_t>(first.weight);
    });
    for (const Choice& choice : every)
      if (choice.port == chosen->port) choices.add(choice.port, choice.first, choice.count);
  }
  const RoutingFunction* every_path() const final { return all_.get(); }
  const PairsWithoutPath* without_path() const final { return all_->without_path(); }
  void mark_channel(int channel, std::vector<int>& marks) const final { all_->mark_channel(channel, marks); }
  double table_bytes() const final { return all_->table_bytes(); }

 protected:
  explicit ByHash(std::unique_ptr<RoutingFunction> all) : all_(std::move(all)) {}

 private:
  /// The upper 32 bits select the port.
  virtual std::uint64_t hash(const Head& head) const = 0;
  /// Calls `visit` with the first choice of each port.
  template <class Visit>
  static void each_port(const Choices& choices, const Visit& visit) {
    for (const Choice* choice = choices.begin(); choice != choices.end(); ++choice)
      if (choice == choices.begin() || choice->port != (choice - 1)->port) visit(*choice);
  }

  const std::unique_ptr<RoutingFunction> all_;
};

/// The random choice of a packet is the number of its source.
class ByFlow final : public ByHash {
 public:
  ByFlow(std::unique_ptr<RoutingFunction> all, const FunctionContext& context)
      : ByHash(std::move(all)), graph_(context.graph()), seed_(mixed(context.seed)) {}

  std::uint32_t random_choices() const override { return static_cast<std::uint32_t>(graph_.processors()); }
  std::uint32_t random_choices_between(NodeId, NodeId) const override { return 1; }
  std::uint32_t random_choice_between(NodeId source, NodeId, std::uint32_t) const override {
    return static_cast<std::uint32_t>(graph_.processor_of(source));
  }
  bool draws() const override { return false; }

 private:
  std::uint64_t hash(const Head& head) const override {
    const auto ends = pair_of(head.random_choice, static_cast<std::uint32_t>(head.destination));
    return mixed(mixed(ends ^ seed_) ^ static_cast<std::uint64_t>(head.node));
  }

  const NetworkGraph graph_;
  const std::uint64_t seed_;
};

/// The random choice of a packet is a word.
class ByPacket final : public ByHash {
 public:
  explicit ByPacket(std::unique_ptr<RoutingFunction> all) : ByHash(std::move(all)) {}

  std::uint32_t random_choices() const override { return std::uint32_t{1} << 31; }
  bool chooses_in_nodes() const override { return true; }

 private:
  std::uint64_t hash(const Head& head) const override {
    return mixed(pair_of(head.random_choice, static_cast<std::uint32_t>(head.node)));
  }
};

class Rotated final : public RoutingFunction {
 public:
  Rotated(std::unique_ptr<RoutingFunction> all, const NetworkGraph& graph) : graph_(graph), all_(std::move(all)) {}

  void route(const Head& head, Choices& choices) const override {
    Choices every;
    all_->route(head, every);
    const std::size_t start = every.size() < 2 ? 0 : number_of(head, every) % every.size();
    for (std::size_t i = 0; i < every.size(); ++i) {
      const Choice& choice = every.begin()[(start + i) % every.size()];
      choices.add(choice.port, choice.first, choice.count);
    }
    choices.tolerate(flits_under_way(head.node, every));
  }
  bool adaptive() const override { return all_->adaptive(); }
  const PairsWithoutPath* without_path() const override { return all_->without_path(); }
  void mark_channel(int channel, std::vector<int>& marks) const override { all_->mark_channel(channel, marks); }
  double table_bytes() const override { return all_->table_bytes(); }

 private:
  /// The number of the in-port among those of the node that are not offered as out-ports: heads that compete for the
  /// same ports come through these, with consecutive numbers however the ports are ordered.
  std::size_t number_of(const Head& head, const Choices& every) const {
    const PortSet in_ports = graph_.in_ports(head.node);
    int number = in_ports.size_below(head.in_port);
    for (const Choice& choice : every)
      if (choice.port < head.in_port && in_ports.has(choice.port)) --number;
    return static_cast<std::size_t>(number);
  }

  /// The flits and credits that can be on a link, and one more at each end. That is how much the credits of two ports
  /// differ if packets wait behind neither. With more exact comparisons, the heads of one step request the few ports
  /// that have just got a credit back: over six cables they never use more of them than at the beginning.
  int flits_under_way(NodeId node, const Choices& every) const {
    std::int32_t latency = 0;
    for (const Choice& choice : every)
      if (choice.port < graph_.ports()) latency = std::max(latency, graph_.latency(node, choice.port));
    return 2 * (latency + 1);
  }

  const NetworkGraph graph_;
  const std::unique_ptr<RoutingFunction> all_;
};

}  // namespace

KeySpec spread_key() {
  return choice_key("spread", spread_names,
                    "which of several equal next hops, parallel links included, a packet takes (functions shortest and "
                    "up-down): the lowest port, always (none), one chosen by a hash of seed, node, source and "
                    "destination (flow), one chosen by a hash of the node and a random word of the packet (packet), or "
                    "the one of the selection (adaptive)")
      .by_default(spread_names.front())
      .omitted_at_default();
}

Spread spread_of(const KeyValues& keys) {
  if (!keys.has("spread")) return Spread::none;
  return static_cast<Spread>(std::find(spread_names.begin(), spread_names.end(), keys.text("spread")) -
                             spread_names.begin());
}

std::unique_ptr<RoutingFunction> spread_over(Spread spread, std::unique_ptr<RoutingFunction> all,
                                             const FunctionContext& context) {
  switch (spread) {
    case Spread::none: break;
    case Spread::flow: return std::make_unique<ByFlow>(std::move(all), context);
    case Spread::packet: return std::make_unique<ByPacket>(std::move(all));
    case Spread::adaptive: return std::make_unique<Rotated>(std::move(all), context.graph());
  }
  return all;
}

}  // namespace starloom::routing
