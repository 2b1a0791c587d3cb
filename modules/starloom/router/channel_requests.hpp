// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requests of waiting heads for output channels: from arrival, through the routing function and the
/// selection, to the requests that the channel allocator sees.
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <starloom/control/links/flow_control.hpp>
#include <starloom/control/links/pipeline.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/selection.hpp>
#include <starloom/router/switch_allocator.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// Random words of a node and step: random choices of packets take those from 0 on, the selection for the head of
/// input channel i takes word `first_selection_word` + i.
inline constexpr std::uint32_t first_selection_word = 1 << 16;

/// The state of an input channel, for waves.
enum class ChannelState : std::uint32_t { idle, routing, waiting, active };
inline constexpr const char* channel_state_names[] = {"idle", "routing", "waiting", "active"};

/// The channels of every port that the packets of a class may use, and their routing function, which offers no others.
struct RoutedClass {
  routing::ChannelRange channels;
  const routing::RoutingFunction* function = nullptr;
  std::int64_t priority = 0;  ///< greater ones come first
};

/// All classes: the same routing function on the channels of each.
struct RoutedClasses {
  const RoutedClass* list = nullptr;
  int count = 1;
  int (*number_of)(const Packet& packet) = nullptr;  ///< the class of a packet; not called if there is one class
  bool queued_apart = false;                         ///< processors have a queue for each class
  /// For adaptive functions.
  BuiltInSelection built_in_selection = BuiltInSelection::least_occupied;
  const Selection* selection = nullptr;  ///< instead of it, or null
  bool draw = false;                     ///< packets make random choices
  bool fork = false;                     ///< there are packets to several destinations
  bool fork_whole = false;               ///< a copy needs room for all of its packet in the next buffer

  /// True if heads select one of several choices in every step.
  bool selects() const {
    return list->function->adaptive() && (selection != nullptr || built_in_selection != BuiltInSelection::all);
  }
  /// True if heads request all of several choices.
  bool requests_all() const { return list->function->adaptive() && !selects(); }
  bool decide() const { return list->function->decides(); }
  const RoutedClass& of(const Packet& packet) const { return list[count > 1 ? number_of(packet) : 0]; }
};

/// The heads of one router that wait for an output channel, and what they request. With a function that is not
/// adaptive, or with all of its choices, a head requests the same channels until it gets one of them; with a selection
/// it requests anew in every step, and with flow control of packets those that have room in the step.
/// \tparam capacity the most channels of all in-ports; 0: any.
template <int capacity>
class ChannelRequests {
 public:
  static constexpr int words = router::words_of(capacity);
  using View = ChannelView<words>;
  using Table = router::ChannelTable<words>;
  using Set = router::ChannelSet<words>;

  /// \param shape, functions of `classes`, `flow` outlive the requests. \param flow null: wormhole.
  ChannelRequests(const router::RouterShape& shape, const router::Pipeline& pipeline, const RoutedClasses& classes,
                  const router::FlowControl* flow = nullptr)
      : shape_(&shape),
        classes_(classes),
        flow_(flow),
        routing_steps_(pipeline.routing_steps),
        selects_(classes.selects()),
        decides_(classes.decide()),
        keeps_(flow != nullptr || classes.requests_all()),
        routed_(flow != nullptr || classes.fork ? static_cast<std::size_t>(shape.size()) : 0),
        choices_(classes.requests_all() ? static_cast<std::size_t>(shape.size()) : 0),
        requests_(shape.size()),
        requesters_(shape.size(), Set{}),
        priorities_(shape.size()),
        routing_left_(shape.size()) {}

  const RoutedClasses& classes() const { return classes_; }

  /// Updates the requests with the heads at the fronts of input channels.
  /// \param free the output channels that heads may get in this step.
  /// \return true if a head is in its routing stage, which is called in every step until it ends.
  [[gnu::always_inline]] bool update(View& view, const Set& free) {
    const bool routed = begin_turns(view);
    if (selects_)
      waiting_.for_each(
          [&](int in) { request_selected(view, flow_ == nullptr ? free : admitting(view, in, free), in); });
    else if (flow_ != nullptr || classes_.fork)
      (flow_ != nullptr ? waiting_ : forks_).for_each([&](int in) {
        withdraw(in);
        const Set& outputs = routed_[static_cast<std::size_t>(in)];
        request(in, outputs.empty() ? outputs : admitting(view, in, outputs));
      });
    return routed;
  }
  /// Those of some output channels with the room that the head of a waiting input channel needs. Flits that reach the
  /// processor of the node are consumed, whatever waits behind them.
  Set admitting(const View& view, int in, Set outputs) const {
    const Port from = shape_->port(in);
    const std::int32_t flits = view.packet(view.front(in).packet).flits;
    const bool whole = forks_.has(in) && classes_.fork_whole;
    Set(outputs).for_each([&](int out) {
      const Port to = shape_->port(out);
      const std::int32_t needed = whole ? flits : flow_ == nullptr ? 0 : flow_->needed(from, to, flits);
      if (to != shape_->local && view.channels().output(out).credits < needed) outputs.remove(out);
    });
    return outputs;
  }
  /// True if flow control lets the head of a waiting input channel go on over an output channel.
  bool admits(const View& view, int in, int out) const {
    return (flow_ == nullptr && !forks_.has(in)) || admitting(view, in, Set::range(out, 1)).has(out);
  }

  /// Requested output channels, including owned ones.
  const Set& outputs() const { return requested_; }
  /// [output channel] the input channels that request it; not empty for those in `outputs()`.
  const router::Entries<Set, capacity>& requesters() const { return requesters_; }

  /// Input channels whose heads wait for an output channel.
  const Set& waiting() const { return waiting_; }

  /// The requests for the switch, of channels that can send and, speculatively, of heads that request one of the output
  /// channels in `speculative`.
  router::SwitchRequests<words> at_switch(const Table& channels, const Set& senders, const Set& speculative) const {
    router::SwitchRequests<words> requests(*shape_);
    senders.for_each([&](int in) { requests.nonspeculative(channels.input(in).out_index, in); });
    // A fork may have a flit for another output channel.
    speculative.for_each(
        [&](int out) { requests.speculative(channels.output(out).port_index, requesters_[out], senders); });
    return requests;
  }
  /// The output channels that the head of a waiting input channel requests, including owned ones.
  const Set& outputs_of(int in) const { return requests_[in]; }
  /// The priority of the choice of the routing function with an output channel that it requests.
  int priority(int in, int out) const {
    if (choices_.empty()) return priorities_[in];
    const Port port = shape_->port(out);
    for (const routing::Choice& choice : choices_[static_cast<std::size_t>(in)])
      if (choice.port == port && choice.channels().has(shape_->number(out))) return choice.priority;
    return 0;
  }

  /// The output channels that the routing function offers to the head at the front of an input channel.
  Set offered(const View& view, int in) const {
    routing::Choices choices;
    route(view, in, choices);
    Set outputs{};
    for (const routing::Choice& choice : choices)
      outputs |= Set::range(shape_->channel(choice.port, choice.first), choice.count);
    return outputs;
  }
  /// Input channels whose heads are in their routing stage, or wait for an output channel.
  Set begun() const { return waiting_ | routing_; }
  /// The head at the front of an input channel has vanished.
  void forget(int in) {
    if (waiting_.has(in)) remove(in);
    routing_.remove(in);
    kept_.erase(in);
  }
  /// Heads that begin from now on ask the functions of other classes of the same kind; those that have begun keep their
  /// choices.
  void reroute(const View& view, const RoutedClasses& classes) {
    begun().for_each([&](int in) {
      routing::Choices choices;
      route(view, in, choices);
      kept_[in] = {{choices.begin(), choices.end()}, choices.tolerance()};
    });
    classes_ = classes;
  }

  /// Called when the head has got an output channel.
  void remove(int in) {
    waiting_.remove(in);
    withdraw(in);
    if (!kept_.empty()) kept_.erase(in);
  }
  /// The same of a head that may be that of a fork, which then requests the channels of its other ports.
  void remove(int in, int out) {
    if (!forks_.has(in)) return remove(in);
    Set& outputs = routed_[static_cast<std::size_t>(in)];
    outputs -= Set::range(shape_->first(shape_->port_index(out)), shape_->channels);
    withdraw(in);
    request(in, outputs);
  }
  /// Input channels with a packet to several destinations at the front, to the step in which its last flit leaves.
  const Set& forks() const { return forks_; }
  void end_fork(int in) {
    remove(in);
    forks_.remove(in);
  }

  /// Writes the state fields that all routers of `vc-wormhole` have (`ChannelController::show`).
  /// \return the place of the next field.
  std::uint32_t* show(const Table& channels, const OutPortState& ports, std::uint32_t* values) const {
    const std::uint32_t none = 0;
    for (int in = 0; in < shape_->size(); ++in) *values++ = static_cast<std::uint32_t>(state(channels, in));
    for (int in = 0; in < shape_->size(); ++in)
      *values++ = channels.active().has(in) ? static_cast<std::uint32_t>(channels.output_of(in)) + 1 : none;
    for (int out = 0; out < shape_->size(); ++out) *values++ = channels.output(out).credits;
    for (int out = 0; out < shape_->size(); ++out) {
      const std::uint16_t owner = channels.output(out).owner;
      const bool owned = !channels.free().has(out) && owner != router::OutputChannel::no_owner;
      *values++ = owned ? std::uint32_t{owner} + 1 : none;
    }
    for (int port_index = 0; port_index < shape_->port_count(); ++port_index)
      *values++ = static_cast<std::uint32_t>(ports.crossbar[port_index] + 1);
    if (ports.fifos != nullptr) values = std::copy_n(ports.fifos, shape_->port_count(), values);
    for (int port_index = 0; ports.shares_places && port_index < shape_->port_count(); ++port_index) {
      std::uint32_t taken = 0;
      for (int channel = 0; channel < shape_->channels; ++channel)
        taken += channels.input(shape_->first(port_index) + channel).flits;
      *values++ = taken;
    }
    return values;
  }

 private:
  ChannelState state(const Table& channels, int in) const {
    if (channels.active().has(in) || (forks_.has(in) && routed_[static_cast<std::size_t>(in)].empty()))
      return ChannelState::active;
    if (waiting_.has(in)) return ChannelState::waiting;
    return routing_.has(in) ? ChannelState::routing : ChannelState::idle;
  }

  /// Routes heads that came to the front of an idle channel.
  [[gnu::always_inline]] bool begin_turns(View& view) {
    const Table& channels = view.channels();
    const Set fresh = channels.occupied() - channels.active() - waiting_ - routing_;
    if (routing_steps_ == 0) {
      fresh.for_each([&](int in) __attribute__((always_inline)) {
        if (decides_) decide(view, in);
        begin_waiting(view, in);
      });
      return false;
    }
    Set routed{};
    routing_.for_each([&](int in) {
      if (--routing_left_[in] > 0) return;
      routed.add(in);
      begin_waiting(view, in);
    });
    fresh.for_each([&](int in) { routing_left_[in] = static_cast<std::uint8_t>(routing_steps_); });
    routing_ = (routing_ - routed) | fresh;
    if (decides_)
      routing_.for_each([&](int in) {
        if (routing_left_[in] == 1) decide(view, in);
      });
    return !routing_.empty();
  }

  // Inline for every head of the default router: 0.8 % of the instructions of a run.
  [[gnu::always_inline]] void begin_waiting(const View& view, int in) {
    waiting_.add(in);
    requests_[in] = {};
    if (classes_.fork && is_group(view.front(in).destination)) return begin_fork(view, in);
    if (selects_) return;
    routing::Choices choices;
    route(view, in, choices);
    Set outputs{};
    for (const routing::Choice& choice : choices) {
      outputs |= Set::range(shape_->channel(choice.port, choice.first), choice.count);
      priorities_[in] = static_cast<std::int8_t>(choice.priority);
    }
    request(in, outputs);
    if (keeps_) keep(in, outputs, choices);
  }

  /// The branches of a fork may take all channels of their ports.
  [[gnu::noinline]] void begin_fork(const View& view, int in) {
    Set& outputs = routed_[static_cast<std::size_t>(in)];
    outputs = {};
    for (std::uint64_t left = view.fork(in).open; left != 0; left &= left - 1)
      outputs |= Set::range(shape_->first(__builtin_ctzll(left)) + classes_.list->channels.first,
                            classes_.list->channels.count);
    priorities_[in] = 0;
    forks_.add(in);
    request(in, outputs);
  }

  /// Replaces the requests of a head by those that are best in this step.
  void request_selected(const View& view, const Set& free, int in) {
    withdraw(in);
    routing::Choices choices;
    route(view, in, choices);
    const router::RingFlit& head = view.front(in);
    const OpenChoices<words> open(view, free, view.packet(head.packet).flits);
    const auto word = [&] { return view.random_word(first_selection_word + static_cast<std::uint32_t>(in)); };
    const auto selected = classes_.selection != nullptr ? open.selected(choices, *classes_.selection, view.node(), word)
                                                        : open.selected(choices, classes_.built_in_selection, word);
    request(in, selected.outputs);
    priorities_[in] = static_cast<std::int8_t>(selected.priority);
  }

  /// Records the choices of a head for later steps.
  void keep(int in, const Set& outputs, const routing::Choices& choices) {
    if (flow_ != nullptr) routed_[static_cast<std::size_t>(in)] = outputs;
    if (!choices_.empty()) choices_[static_cast<std::size_t>(in)].assign(choices.begin(), choices.end());
  }

  [[gnu::always_inline]] void route(const View& view, int in, routing::Choices& choices) const {
    if (!kept_.empty() && is_kept(in, choices)) return;
    function_for(view, in).route(head_at(view, in), choices);
  }
  /// The choices of a head that began before its routing function changed.
  [[gnu::noinline]] bool is_kept(int in, routing::Choices& choices) const {
    const auto kept = kept_.find(in);
    if (kept == kept_.end()) return false;
    for (const routing::Choice& choice : kept->second.list)
      choices.add(choice.port, choice.first, choice.count, choice.priority, choice.weight);
    choices.tolerate(kept->second.tolerance);
    return true;
  }
  [[gnu::always_inline]] const routing::RoutingFunction& function_for(const View& view, int in) const {
    return *(classes_.count > 1 ? classes_.of(view.packet(view.front(in).packet)) : *classes_.list).function;
  }
  [[gnu::always_inline]] routing::Head head_at(const View& view, int in) const {
    const int port_index = shape_->port_index(in);
    const router::RingFlit& head = view.front(in);
    return {view.node(), shape_->ports[port_index], in - shape_->first(port_index), head.destination,
            classes_.draw ? view.random_choice(head.packet) : 0};
  }

  class Load final : public routing::PortLoad {
   public:
    explicit Load(const View& view) : view_(view) {}
    int used_places(Port port) const override {
      int used = 0;
      for (int channel = 0; channel < view_.shape().channels; ++channel)
        used += used_behind(view_.shape().channel(port, channel));
      return used;
    }

   private:
    int used_behind(int out) const {
      const router::OutputChannel& output = view_.channels().output(out);
      return view_.room_behind(out) - output.credits;
    }

    const View& view_;
  };
  [[gnu::noinline]] void decide(View& view, int in) const {
    view.decide(view.front(in).packet, function_for(view, in).decision(head_at(view, in), Load(view)));
  }

  [[gnu::always_inline]] void request(int in, const Set& outputs) {
    requests_[in] = outputs;
    outputs.for_each([&](int out) { requesters_[out].add(in); });
    requested_ |= outputs;
  }

  void withdraw(int in) {
    requests_[in].for_each([&](int out) {
      requesters_[out].remove(in);
      if (requesters_[out].empty()) requested_.remove(out);
    });
  }

  const router::RouterShape* shape_;
  RoutedClasses classes_;
  const router::FlowControl* flow_;
  int routing_steps_;
  bool selects_, decides_;
  bool keeps_;                                         ///< true if there is a list of `routed_` or `choices_`
  std::vector<Set> routed_;                            ///< [input channel] what its head may request; only with `flow_`
  std::vector<std::vector<routing::Choice>> choices_;  ///< [input channel] of its head, if it requests all of them
  struct Kept {
    std::vector<routing::Choice> list;
    int tolerance;
  };
  std::map<int, Kept> kept_{};  ///< [input channel] choices of heads that began before the functions changed
  Set waiting_{};               ///< input channels whose heads request an output channel
  Set routing_{};               ///< those in their routing stage
  Set forks_{};                 ///< those of `waiting_` whose packets have several destinations
  Set requested_{};             ///< output channels that are requested
  router::Entries<Set, capacity> requests_;            ///< [input channel] for those in `waiting_`
  router::Entries<Set, capacity> requesters_;          ///< [output channel]
  router::Entries<std::int8_t, capacity> priorities_;  ///< [input channel] for those in `waiting_`
  router::Entries<std::uint8_t, capacity>
      routing_left_;  ///< [input channel] steps of the stage, for those in `routing_`
};

}  // namespace starloom::links
