// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The control of an input-buffered router with virtual channels (docs/algorithms/vc-wormhole.md).
#include <array>
#include <utility>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/router/allocator_parts.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/selection.hpp>
#include <starloom/router/source_channels.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// Random words of a node and step: what a packet draws takes those from 0 on, what the head of input channel i selects takes
/// word `first_selection_word` + i.
inline constexpr std::uint32_t first_selection_word = 1 << 16;

/// What an input channel does, as waves show it.
enum class ChannelState : std::uint32_t { idle, routing, waiting, active };
inline constexpr const char* channel_state_names[] = {"idle", "routing", "waiting", "active"};

/// Where heads may go. Replies have channels of their own, or are packets like others.
struct RoutedClasses {
  const routing::RoutingFunction* function = nullptr;
  const routing::RoutingFunction* reply_function = nullptr;
  int reply_channels = 0;  ///< the last of every port
  /// Where functions are adaptive.
  BuiltInSelection built_in_selection = BuiltInSelection::least_occupied;
  const Selection* selection = nullptr;  ///< instead of it, or null

  bool adaptive() const { return function->adaptive() || (reply_function != nullptr && reply_function->adaptive()); }
  bool drawn() const { return function->draws() > 1; }
};

/// Wormhole flow control after W. Dally, "Virtual-Channel Flow Control", IEEE Trans. Parallel and Distributed Systems 3(2),
/// 1992, with the speculative pipeline of L.-S. Peh and W. Dally, HPCA 2001.
///
/// In a step, on the state at its beginning: heads that came to the front are routed; free output channels are given to
/// waiting heads; the switch is given to channels that own an output channel with a credit and, in speculative routers, to
/// heads that hope to win one in this step. A guess that fails costs its turn.
/// \tparam capacity the most channels of all in-ports. \tparam Parts its allocators: RoundRobinParts or OwnParts.
template <int capacity, class Parts = RoundRobinParts<capacity>>
class VcRouter final : public ChannelController<(capacity + 63) / 64> {
 public:
  static constexpr int words = (capacity + 63) / 64;
  using View = ChannelView<words>;
  using Table = router::ChannelTable<words>;
  using Set = router::ChannelSet<words>;

  /// \param shape, functions of `classes` outlive the controller.
  VcRouter(const router::RouterShape& shape, const router::Pipeline& pipeline, const RoutedClasses& classes)
      : VcRouter(shape, pipeline, classes, Parts(shape)) {}
  VcRouter(const router::RouterShape& shape, const router::Pipeline& pipeline, const RoutedClasses& classes,
           Parts parts)
      : shape_(&shape),
        classes_(classes),
        speculative_(pipeline.speculative),
        routing_stage_(pipeline.routing_stage),
        adaptive_(classes.adaptive()),
        parts_(std::move(parts)),
        source_(shape.channels) {}

  void step(View& view) override {
    const Table& channels = view.channels();
    if (view.waiting() > 0) inject(view);
    if (channels.occupied().empty()) return;

    const bool routed = begin_turns(view);
    if (adaptive_) waiting_.for_each([&](int in) { select(view, in); });
    const Set wanted = asked_ & channels.free();
    if (wanted.empty() && view.stalled() == 0 &&
        parts_.switches.grant_all(channels, channels.ready(), [&view](int in) { view.send(in); })) {
      if (routed || !channels.ready().empty()) view.run_again();
      return;
    }
    router::SwitchRequests<words> requests;
    channels.ready().for_each([&](int in) { requests.firm(channels.input(in).out_place, in); });
    std::array<std::uint16_t, capacity> won;  // [input channel], valid for those in `winners`
    if (speculative_)
      (wanted & channels.credited()).for_each([&](int out) {
        requests.guess(channels.output(out).place, asking_[out]);
      });
    const Set winners = parts_.channels.allocate(wanted, asking_, [&](int in, int out) {
      won[in] = static_cast<std::uint16_t>(out);
      view.own(in, out);
    });
    const bool held_up = requests.withdraw(view.stalled());
    const bool granted = requests.outs() != 0;
    parts_.switches.allocate(*shape_, requests, [&](int in, int out_place, bool firm) {
      const bool passes =
          firm || (winners.has(in) && channels.output(won[in]).place == out_place && channels.credited().has(won[in]));
      if (passes) view.send(in);
    });

    winners.for_each([this](int in) { stop_asking(in); });
    // Allocators change with every request, also where a guess fails; without any, nothing changes before an arrival
    // or a credit.
    if (routed || granted || held_up || !wanted.empty()) view.run_again();
  }

  void show(const Table& channels, const PacketId* crossbar, std::uint32_t* values) const override {
    const std::uint32_t nobody = 0;
    for (int in = 0; in < shape_->size(); ++in) *values++ = static_cast<std::uint32_t>(state(channels, in));
    for (int in = 0; in < shape_->size(); ++in)
      *values++ = channels.active().has(in) ? static_cast<std::uint32_t>(channels.output_of(in)) + 1 : nobody;
    for (int out = 0; out < shape_->size(); ++out) *values++ = channels.output(out).credits;
    for (int out = 0; out < shape_->size(); ++out)
      *values++ = channels.free().has(out) ? nobody : static_cast<std::uint32_t>(channels.output(out).owner) + 1;
    for (int place = 0; place < shape_->places(); ++place) *values++ = static_cast<std::uint32_t>(crossbar[place] + 1);
  }

 private:
  void inject(View& view) {
    Set with_room = view.source_credits();
    if (classes_.reply_channels > 0) {
      const int others = shape_->channels - classes_.reply_channels;
      with_room &=
          is_reply(view, view.next_packet()) ? Set::range(others, classes_.reply_channels) : Set::range(0, others);
    }
    const int channel = source_.next(view.starts_packet(), with_room);
    if (channel < 0) return;
    if (classes_.drawn() && view.starts_packet()) view.draw(view.random().bounded(classes_.function->draws()));
    view.inject(channel);
  }

  /// Heads that came to the front of a channel that is idle. True if one of them is routed in this step.
  bool begin_turns(View& view) {
    const Table& channels = view.channels();
    const Set fresh = channels.occupied() - channels.active() - waiting_ - routing_;
    if (!routing_stage_) {
      fresh.for_each([&](int in) { ask(view, in); });
      return false;
    }
    routing_.for_each([&](int in) { ask(view, in); });
    routing_ = fresh;
    return !fresh.empty();
  }

  void ask(const View& view, int in) {
    waiting_.add(in);
    asks_[in] = {};
    if (adaptive_) return;
    routing::Choices choices;
    route(view, in, choices);
    Set asks{};
    for (const routing::Choice& choice : choices)
      asks |= Set::range(shape_->channel(choice.port, choice.first), choice.count);
    ask_for(in, asks);
  }

  /// Asks for what is best in this step instead of what was asked for before.
  void select(const View& view, int in) {
    stop_asking_for(in);
    routing::Choices choices;
    route(view, in, choices);
    const router::RingFlit& head = view.front(in);
    const OpenChoices<words> open(view.channels(), *shape_, view.packet(head.packet).flits, view.capacity());
    const auto word = [&] { return view.random_word(first_selection_word + static_cast<std::uint32_t>(in)); };
    ask_for(in, classes_.selection != nullptr ? open.selected(choices, *classes_.selection, view.node(), word)
                                              : open.selected(choices, classes_.built_in_selection, word));
  }

  void route(const View& view, int in, routing::Choices& choices) const {
    const int place = shape_->place(in);
    const router::RingFlit& head = view.front(in);
    const bool reply = classes_.reply_channels > 0 && is_reply(view, head.packet);
    (reply ? classes_.reply_function : classes_.function)
        ->route({view.node(), shape_->ports[place], in - shape_->first(place), head.destination,
                 classes_.drawn() ? view.drawn(head.packet) : 0},
                choices);
  }

  void ask_for(int in, const Set& asks) {
    asks_[in] = asks;
    asks.for_each([&](int out) { asking_[out].add(in); });
    asked_ |= asks;
  }

  static bool is_reply(const View& view, PacketId packet) { return view.packet(packet).reply; }

  void stop_asking(int in) {
    waiting_.remove(in);
    stop_asking_for(in);
  }

  void stop_asking_for(int in) {
    asks_[in].for_each([&](int out) {
      asking_[out].remove(in);
      if (asking_[out].empty()) asked_.remove(out);
    });
  }

  ChannelState state(const Table& channels, int in) const {
    if (channels.active().has(in)) return ChannelState::active;
    if (waiting_.has(in)) return ChannelState::waiting;
    return routing_.has(in) ? ChannelState::routing : ChannelState::idle;
  }

  const router::RouterShape* shape_;
  RoutedClasses classes_;
  bool speculative_;
  bool routing_stage_;
  bool adaptive_;
  Set waiting_{};  ///< input channels whose heads ask for an output channel
  Set routing_{};  ///< those that ask from the next step on
  Set asked_{};    ///< output channels that somebody asks for
  Parts parts_;
  router::SourceChannels source_;
  std::array<Set, capacity> asks_;      ///< [input channel] for those in `waiting_`
  std::array<Set, capacity> asking_{};  ///< [output channel] input channels that ask for it
};

}  // namespace starloom::links
