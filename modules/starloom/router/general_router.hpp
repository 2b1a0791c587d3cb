// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One step of a router with any allocators (docs/router-family.md).
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/router/allocation_delay.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/channel_requests.hpp>
#include <starloom/router/class_sources.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/general_allocators.hpp>
#include <starloom/router/priorities.hpp>
#include <starloom/router/source_channels.hpp>

namespace starloom::links {

/// The allocators of a router, and the rules for speculative requests.
template <int words>
struct GeneralParts {
  std::optional<GeneralChannelAllocator<words>> channels;  ///< none: a speculative grant brings a channel (piggyback)
  GeneralSwitchAllocator<words> switches;
  /// Heads request the switch speculatively only for ports where they may get a channel with a credit; otherwise also
  /// where the free channels have none.
  bool check_credits = true;
  PriorityKeys priorities{};
  ChannelRules rules{};
  const router::FlowControl* flow = nullptr;  ///< null: wormhole
};

/// The rules of VcRouter, with parts that are called through interfaces. With `islip` and `round-robin` it takes the
/// same decisions in every step.
template <int words>
class GeneralRouter final : public ChannelController<words> {
 public:
  using View = ChannelView<words>;
  using Table = router::ChannelTable<words>;
  using Set = router::ChannelSet<words>;
  static constexpr int capacity = 64 * words;

  /// \param shape, functions of `classes` outlive the controller.
  GeneralRouter(const router::RouterShape& shape, const router::Pipeline& pipeline, const RoutedClasses& classes,
                GeneralParts<words> parts)
      : shape_(&shape),
        speculative_(pipeline.speculative),
        source_(shape.channels),
        class_sources_(classes.queued_apart ? classes.count : 0),
        channel_delay_(pipeline.channel_steps, shape.size()),
        switch_delay_(pipeline.switch_steps, shape.size()),
        parts_(std::move(parts)),
        won_(shape.size()),
        requests_(shape, pipeline, classes, parts_.flow) {
    if (parts_.channels) return;
    for (int port_index = 0; port_index < shape.port_count(); ++port_index)
      last_brought_.push_back(shape.first(port_index) + std::max(shape.channels - 2, 0));
  }

  void step(View& view) override { run(view, nullptr); }
  void step_counted(View& view, RequestCounts& requests) override { run(view, &requests); }

  Set offered(const View& view, int in) const override { return requests_.offered(view, in); }
  Set begun() const override { return requests_.begun(); }
  void reroute(const View& view, const ChannelController<words>& other) override {
    requests_.reroute(view, dynamic_cast<const GeneralRouter&>(other).requests_.classes());
  }
  void forget(int in) override {
    requests_.forget(in);
    holders_.remove(in);
  }

  void show(const View& view, const OutPortState& ports, std::uint32_t* values) const override {
    const Table& channels = view.channels();
    values = requests_.show(channels, ports, values);
    if (parts_.rules.hold_switch) {
      router::PortIndices<words> held{};
      holders_.for_each([&](int in) { held.add(channels.input(in).out_index); });
      for (int port_index = 0; port_index < shape_->port_count(); ++port_index)
        *values++ = held.has(port_index) ? 1 : 0;
    }
    const PriorityKeys& keys = parts_.priorities;
    for (int in = 0; keys.rule != PriorityRule::none && in < shape_->size(); ++in)
      *values++ = channels.occupied().has(in) ? keys.shown(channel_priority(view, requests_.classes(), keys, in)) : 0;
  }

 private:
  /// \param counts null: requests are not counted
  void run(View& view, RequestCounts* counts) {
    const Table& channels = view.channels();
    if (view.round() == 0) inject(view);
    if (channels.occupied().empty()) return;

    const Set free = free_channels(view);
    const bool routed = requests_.update(view, free);
    const Set free_and_requested = requests_.outputs() & free;
    const Set wanted = parts_.rules.busy_when_full ? free_and_requested & channels.credited() : free_and_requested;
    const Set speculative = parts_.check_credits ? free_and_requested & channels.credited() : free_and_requested;
    router::SwitchRequests<words> at_switch =
        requests_.at_switch(channels, senders(view), speculative_ ? speculative : Set{});
    const bool holds = !holders_.empty();
    if (holds) use_held_lines(view, at_switch);

    const PriorityKeys& keys = parts_.priorities;
    // [input channel], valid for those with a flit, unless all are 0
    router::Entries<std::int64_t, capacity> priorities(keys.rule == PriorityRule::none ? 0 : shape_->size());
    if (keys.rule != PriorityRule::none)
      channels.occupied().for_each(
          [&](int in) { priorities[in] = channel_priority(view, requests_.classes(), keys, in); });
    const auto priority = [&](int in) { return keys.rule == PriorityRule::none ? 0 : priorities[in]; };
    winners_ = ended_ = {};
    if (parts_.channels) allocate_channels(view, wanted, priority, counts);
    if (channel_delay_.is_long()) end_channel_allocations(view, free);
    const bool held_up = at_switch.withdraw_outs(view.stalled() | view.full());
    const bool granted = !at_switch.outs().empty();
    if (counts != nullptr) counts->switches += at_switch.ins().count();
    allocate_switch(view, at_switch, free, priority);
    winners_.for_each([this](int in) { requests_.remove(in, won_[in]); });
    ended_.for_each([this](int in) { requests_.end_fork(in); });

    const bool pending = channel_delay_.pending() || switch_delay_.pending();
    const bool in_turn_later = switch_delay_.is_long() && !channels.ready().empty();
    if (routed || granted || held_up || pending || in_turn_later || holds || !wanted.empty()) view.run_again();
  }

  void inject(View& view) {
    const RoutedClasses& classes = requests_.classes();
    if (classes.queued_apart) class_sources_.inject(view, classes, parts_.rules, parts_.priorities.rule);
    else if (view.waiting() > 0) source_.inject(view, classes, parts_.rules);
  }
  /// An input channel gets an output channel.
  void win(View& view, int in, int out) {
    won_[in] = static_cast<std::uint16_t>(out);
    winners_.add(in);
    view.allocate(in, out);
  }
  /// Output channels are allocated to heads.
  /// \param wanted free output channels.
  template <class Priority>
  void allocate_channels(View& view, const Set& wanted, const Priority& priority, RequestCounts* counts) {
    const HeadsInTurn heads = heads_in_turn(view.cycle());
    if (counts != nullptr) {
      Set asking{};
      wanted.for_each([&](int out) { asking |= heads[out]; });
      counts->channels += asking.count();
    }
    parts_.channels->allocate(
        wanted, heads,
        [&](int in, int out) {
          const bool avoided = parts_.priorities.prefer_empty && !view.is_empty_behind(out);
          return requests_.priority(in, out) - (avoided ? priority_handicap : 0);
        },
        priority,
        [&](int in, int out) {
          if (channel_delay_.is_long()) channel_delay_.grant(in, out);
          else win(view, in, out);
        });
  }
  /// Channel allocations of several steps end.
  void end_channel_allocations(View& view, const Set& free) {
    channel_delay_.finish(view.cycle(), [&](int in, int out) {
      const bool full = parts_.rules.busy_when_full && !view.channels().credited().has(out);
      if (full || !free.has(out) || !requests_.admits(view, in, out)) return;  // taken since the request
      channel_delay_.leave(in);
      win(view, in, out);
    });
  }
  /// The switch matches its lines.
  template <class Priority>
  void allocate_switch(View& view, const router::SwitchRequests<words>& requests, const Set& free,
                       const Priority& priority) {
    const Table& channels = view.channels();
    Set brought{};
    parts_.switches.allocate(*shape_, requests, priority, [&](int in, int out_index, bool nonspeculative) {
      if (!nonspeculative && !parts_.channels)
        if (const int out = brought_channel(view, free - brought, in, out_index); out >= 0) {
          brought.add(out);
          win(view, in, out);
        }
      if (switch_delay_.is_long()) {
        view.reserve(out_index);
        return switch_delay_.grant(in, out_index);
      }
      const bool passes = nonspeculative || (winners_.has(in) && channels.output(won_[in]).port_index == out_index &&
                                             channels.credited().has(won_[in]));
      if (!passes) return;
      view.send(in);
      if (requests_.forks().has(in) && view.ends_fork(in)) ended_.add(in);
      if (parts_.rules.hold_switch && keeps_lines(view, in)) holders_.add(in);
    });
    if (switch_delay_.is_long())
      switch_delay_.finish(view.cycle(), [&](int in, int) {
        if (channels.ready().has(in)) view.send(in);
        else view.run_again();  // another channel has taken the place: it requests again from the next step on
        switch_delay_.leave(in);
      });
  }
  /// The output channels that heads may get in this step.
  Set free_channels(const View& view) const {
    Set free = view.channels().free();
    if (parts_.rules.wait_for_tail_credit)
      free.for_each([&](int out) {
        if (!view.is_empty_behind(out)) free.remove(out);
      });
    return free;
  }
  /// True if the packet of a flit that leaves has its next flit in the buffer.
  static bool keeps_lines(const View& view, int in) {
    return !is_tail(view.front(in).kind) && view.channels().input(in).flits > 1;
  }
  /// The flits of packets that hold an in-line and an out-line leave. These lines take no requests.
  void use_held_lines(View& view, router::SwitchRequests<words>& requests) {
    const Table& channels = view.channels();
    const router::SwitchLines<words>& lines = parts_.switches.lines();
    holders_.for_each([&](int in) {
      const int out_index = channels.input(in).out_index;
      const bool leaves = channels.ready().has(in) && !view.stalled().has(out_index) && !view.full().has(out_index);
      if (leaves) view.send(in);
      requests.withdraw_ins(lines.channels(lines.in_line(in)));
      requests.withdraw(out_index, lines.sharing(lines.in_line(in)));
      if (!leaves || !keeps_lines(view, in)) holders_.remove(in);
    });
  }
  /// [output channel] the heads that request it in this step.
  struct HeadsInTurn {
    const router::Entries<Set, capacity>& requesters;
    std::optional<Set> in_turn;  ///< none: all
    Set operator[](int out) const { return in_turn ? requesters[out] & *in_turn : requesters[out]; }
  };
  HeadsInTurn heads_in_turn(Step now) {
    HeadsInTurn heads{requests_.requesters(), std::nullopt};
    if (channel_delay_.is_long()) heads.in_turn = channel_delay_.requesting(requests_.waiting(), now);
    return heads;
  }
  /// The channels that request the switch for a flit in this step.
  Set senders(const View& view) {
    const Table& channels = view.channels();
    if (!switch_delay_.is_long()) return channels.ready();
    Set waiting = channels.active() & channels.occupied();
    // While a link accepts no flit, those that have a credit make no request.
    if (!view.stalled().empty())
      channels.ready().for_each([&](int in) {
        if (view.stalled().has(channels.input(in).out_index)) waiting.remove(in);
      });
    return channels.ready() & switch_delay_.requesting(waiting, view.cycle());
  }
  /// The output channel that a speculative grant brings: of the free ones with a credit that the head requests at the
  /// out-port, the first behind the last one that was given away there; with `prefer_empty` one with an empty buffer,
  /// if there is any. -1: none.
  int brought_channel(const View& view, const Set& free, int in, int out_index) {
    Set open = requests_.outputs_of(in) & free & view.channels().credited() &
               Set::range(shape_->first(out_index), shape_->channels);
    if (open.empty()) return -1;
    if (parts_.priorities.prefer_empty) {
      Set empty = open;
      open.for_each([&](int out) {
        if (!view.is_empty_behind(out)) empty.remove(out);
      });
      if (!empty.empty()) open = empty;
    }
    int& last = last_brought_[static_cast<std::size_t>(out_index)];
    return last = open.first_behind(last);
  }

  const router::RouterShape* shape_;
  bool speculative_;
  SourceChannels source_;
  ClassSources class_sources_;  ///< instead of it, if there are classes of traffic
  AllocationDelay<words> channel_delay_, switch_delay_;
  GeneralParts<words> parts_;
  Set holders_{};                                 ///< input channels that hold their in-line and out-line in this step
  Set winners_{};                                 ///< input channels that get an output channel in this step
  Set ended_{};                                   ///< input channels whose fork ends in this step
  router::Entries<std::uint16_t, capacity> won_;  ///< [input channel] that channel, valid for those in `winners_`
  std::vector<int> last_brought_{};               ///< [out-port index] output channel, with piggyback
  ChannelRequests<capacity> requests_;
};

}  // namespace starloom::links
