// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs of random packets in which random hardware dies and is repaired.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/link_errors.hpp>
#include "support/dice.hpp"
#include "support/list_source.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "unit/router_run.hpp"

namespace starloom::links {

using Keys = std::map<std::string, KeyValue>;

/// Keys of a router. \param buffer flits of each channel.
inline Keys with_channels(std::int64_t channels, std::int64_t buffer, Keys more = {}) {
  more["channels"] = channels;
  more["buffer"] = buffer;
  return more;
}
inline Keys with_word(const std::string& key, const std::string& word) { return {{key, word}}; }

inline Outage cable_outage(const LinkNetwork& network, LinkEnd link, Step at, Step until = no_step) {
  return {Outage::Kind::cable, {link, partner_of(network.graph, link)}, no_node, at, until};
}

/// Deaths at random: cables, one-way links, routers and processors, some of which are repaired.
/// \param both_ways no one-way links
inline std::vector<Outage> random_outages(const LinkNetwork& network, Dice& dice, Step end, bool both_ways = false) {
  const std::vector<Cable> cables = cables_of(network.graph);
  std::vector<Outage> outages;
  for (int i = 2 + dice.below(5); i > 0; --i) {
    Outage outage;
    const int kind = dice.below(8);
    outage.kind = kind == 0                 ? Outage::Kind::router
                  : kind == 1               ? Outage::Kind::processor
                  : kind <= 3 && !both_ways ? Outage::Kind::link
                                            : Outage::Kind::cable;
    if (kind <= 1) outage.node = dice.below(kind == 0 ? network.graph.nodes() : network.graph.processors());
    else outage.cable = cables[static_cast<std::size_t>(dice.below(static_cast<int>(cables.size())))];
    if (kind == 2) std::swap(outage.cable.lower, outage.cable.upper);
    outage.at = dice.below(static_cast<int>(end));
    if (dice.one_in(2)) outage.until = outage.at + 1 + dice.below(static_cast<int>(end));
    outages.push_back(outage);
  }
  return outages;
}

struct Setting {
  const LinkNetwork& network;
  Keys keys;
  double stall_rate = 0;
  std::vector<TrafficClass> classes{};
  std::string algorithm = "vc-wormhole";
};

/// A run with hardware that dies.
class FaultyRun {
 public:
  FaultyRun(const Setting& setting, const std::vector<Outage>& outages, std::vector<Packet> packets,
            std::uint64_t seed = 1, const std::optional<RerouteRules>& rules = {},
            const std::optional<LinkErrors::Rules>& errors = {}, const std::optional<Lifetimes>& lifetimes = {})
      : setting_(setting),
        seed_(seed),
        timeline_(Faults(setting.network.graph), outages, lifetimes, seed),
        algorithm_(algorithm(timeline_.start())),
        reroutes_(!rules ? nullptr
                         : std::make_unique<Reroutes>(*rules, timeline_.start(), timeline_.events(), *algorithm_,
                                                      [this](const Faults& faults) { return algorithm(faults); })),
        unreachable_(timeline_.start(), algorithm_->without_path(), &timeline_, reroutes_.get()),
        packets_(std::move(packets)) {
    if (errors) errors_.emplace(*errors);
  }
  void expect_lockstep() const {
    PlainRules rules = has_channels() ? plain_rules(setting_.keys) : PlainRules();
    for (const routing::ChannelRange own : channels_of_classes())
      rules.classes.push_back({own.first, own.first + own.count - 1, setting_.classes[rules.classes.size()].priority});
    const std::string selection = setting_.keys.count("selection") != 0 ? "all" : "least-occupied";
    links::expect_lockstep(setting_.network, *algorithm_, packets_, seed_, 3'000, setting_.stall_rate, selection, rules,
                           &unreachable_, errors());
  }
  NetlistRun run() const {
    ListSource source(packets_);
    NetlistRunOptions options;
    options.network.unreachable = &unreachable_;
    options.network.errors = errors();
    options.network.seed = seed_;
    options.network.stall_rate = setting_.stall_rate;
    options.max_steps = 3'000;
    return run_netlist(setting_.network, *algorithm_, source, options);
  }
  /// With what the referee gets.
  RouterRun record() const {
    const Declaration& declaration = algorithm_->declaration();
    NetlistRun result = run();
    EXPECT_EQ(result.end, StepperEnd::all_delivered);
    RouterRun run;
    run.graph = setting_.network.graph;
    run.rules.storage = storage_of(declaration);
    run.rules.routes_own = declaration.routes_own;
    run.rules.faults = std::make_shared<const Faults>(timeline_.start());
    run.rules.fault_events = timeline_.events();
    if (!timeline_.is_known()) run.rules.endless = std::make_shared<const FaultTimeline>(timeline_);
    if (errors_) run.rules.errors = std::make_shared<const LinkErrors>(*errors_);
    if (reroutes_ != nullptr) run.rules.reroute = reroutes_->rules();
    if (has_channels()) add_router_rules(run.rules);
    run.packets = result.record.packets;
    run.delivered = result.record.delivered;
    run.lost = result.record.lost;
    run.drains = result.record.drains;
    run.reroutes = result.record.reroutes;
    run.rows = std::move(result.rows);
    run.credits = std::move(result.credits);
    return run;
  }

 private:
  const LinkErrors* errors() const { return errors_ ? &*errors_ : nullptr; }
  bool has_channels() const { return algorithm_->declaration().storage == StorageModel::virtual_channels; }
  static RefereeRules::Storage storage_of(const Declaration& declaration) {
    switch (declaration.storage) {
      case StorageModel::never_standing: return RefereeRules::Storage::never_standing;
      case StorageModel::store_and_forward: return RefereeRules::Storage::store_and_forward;
      default: return RefereeRules::Storage::virtual_channels;
    }
  }
  void add_router_rules(RefereeRules& rules) const {
    const Declaration& declaration = algorithm_->declaration();
    rules.channels = declaration.channels;
    rules.capacity = declaration.capacity;
    rules.router = router_rules(declaration.pipelines);
    rules.router->waits_for_tail_credit = declaration.waits_for_tail_credit;
    rules.router->whole_packets = declaration.flow.rule == router::FlowRule::cut_through;
    for (const routing::ChannelRange own : channels_of_classes())
      rules.classes.push_back({own.first, own.first + own.count - 1});
    rules.router->credit_extra = declaration.credit_extra;
  }
  std::vector<routing::ChannelRange> channels_of_classes() const {
    std::vector<routing::ChannelRange> channels;
    for (const TrafficClass& of_traffic : setting_.classes)
      channels.push_back(of_traffic.channels.value_or(routing::ChannelRange{0, algorithm_->declaration().channels}));
    return channels;
  }
  std::unique_ptr<Algorithm> algorithm(const Faults& faults) const {
    AlgorithmContext context{&setting_.network};
    context.faults = &faults;
    context.hardware_changes = true;
    context.classes = setting_.classes;
    return make_algorithm(tested_algorithm(setting_.algorithm), context, setting_.keys);
  }

  const Setting setting_;
  const std::uint64_t seed_;
  const FaultTimeline timeline_;
  const std::unique_ptr<Algorithm> algorithm_;
  const std::unique_ptr<Reroutes> reroutes_;
  const Unreachable unreachable_;
  const std::vector<Packet> packets_;
  std::optional<LinkErrors> errors_;
};

/// Packets of up to six flits in 25 steps, of two classes in turn if there are any.
inline std::vector<Packet> random_packets(const Setting& setting, std::uint64_t seed) {
  Dice dice(seed);
  const NodeId nodes = setting.network.graph.processors();
  std::vector<Packet> packets;
  for (int i = 0; i < 100; ++i) {
    packets.push_back({dice.below(nodes), dice.below(nodes), 1 + dice.below(6), i / 4});
    if (!setting.classes.empty()) packets.back().traffic_class = static_cast<std::uint8_t>(i % 2);
  }
  return packets;
}

/// Random packets and random deaths. Packets of algorithms without virtual channels have one flit.
inline std::unique_ptr<FaultyRun> random_run(const Setting& setting, std::uint64_t seed,
                                             const std::optional<RerouteRules>& rules = {}) {
  Dice dice(seed);
  const NodeId nodes = setting.network.graph.processors();
  const bool long_packets = setting.algorithm == "vc-wormhole";
  std::vector<Outage> outages = random_outages(setting.network, dice, 60, setting.algorithm == "deflection");
  std::vector<Packet> packets;
  for (int i = 0; i < (long_packets ? 150 : 600); ++i)
    packets.push_back(
        {dice.below(nodes), dice.below(nodes), long_packets ? 1 + dice.below(6) : 1, i / (long_packets ? 4 : 10)});
  for (std::size_t i = 0; i < packets.size() && !setting.classes.empty(); ++i)
    packets[i].traffic_class = static_cast<std::uint8_t>(i % setting.classes.size());
  return std::make_unique<FaultyRun>(setting, outages, std::move(packets), seed, rules);
}

/// The packets that were lost under way.
inline std::int64_t lost_under_way(const Losses& losses) {
  return std::count_if(losses.begin(), losses.end(), [](const auto& loss) {
    return loss.second.cause == LossCause::cut || loss.second.cause == LossCause::no_way ||
           loss.second.cause == LossCause::overflow;
  });
}

/// Transitions, times and seeds in turn.
inline RerouteRules rules_of(std::uint64_t seed) {
  constexpr Transition transitions[] = {Transition::drain, Transition::flush, Transition::keep};
  return {static_cast<Step>(seed * 7 % 20), seed % 5 == 4, transitions[seed % 3]};
}

}  // namespace starloom::links
