// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One step of a router with virtual channels, from its waiting heads to the flits that pass its switch
/// (docs/algorithms/vc-wormhole.md).

#include <starloom/router/channel_allocator.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/channel_requests.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/source_channels.hpp>
#include <starloom/router/switch_allocator.hpp>

namespace starloom::links {

/// Wormhole flow control after W. Dally, "Virtual-Channel Flow Control", IEEE Trans. Parallel and Distributed Systems
/// 3(2), 1992, with the speculative pipeline of L.-S. Peh and W. Dally, HPCA 2001.
///
/// In a step, on the state at its beginning: heads that came to the front are routed; free output channels are
/// allocated to waiting heads; the switch is allocated to channels that own an output channel with a credit and, in
/// speculative routers, to heads that may get one in this step. A speculative grant that is not used costs its turn.
///
/// Its allocators are `islip` with one iteration and `round-robin`; GeneralRouter is for all others.
/// \tparam capacity the greatest number of channels of all in-ports; 0: any.
template <int capacity>
class VcRouter final : public ChannelController<router::words_of(capacity)> {
 public:
  static constexpr int words = router::words_of(capacity);
  using View = ChannelView<words>;
  using Table = router::ChannelTable<words>;
  using Set = router::ChannelSet<words>;

  /// \param shape, functions of `classes` outlive the controller.
  VcRouter(const router::RouterShape& shape, const router::Pipeline& pipeline, const RoutedClasses& classes)
      : shape_(&shape),
        speculative_(pipeline.speculative),
        source_(shape.channels),
        channels_(shape.size()),
        switches_(shape),
        requests_(shape, pipeline, classes) {}

  void step(View& view) override {
    RequestCounts none;
    run<false>(view, none);
  }
  void step_counted(View& view, RequestCounts& requests) override { run<true>(view, requests); }

  Set offered(const View& view, int in) const override { return requests_.offered(view, in); }
  Set begun() const override { return requests_.begun(); }
  void reroute(const View& view, const ChannelController<words>& other) override {
    requests_.reroute(view, dynamic_cast<const VcRouter&>(other).requests_.classes());
  }
  void forget(int in) override { requests_.forget(in); }

  void show(const View& view, const OutPortState& ports, std::uint32_t* values) const override {
    requests_.show(view.channels(), ports, values);
  }

 private:
  template <bool counted>
  [[gnu::always_inline]] void run(View& view, RequestCounts& counts) {
    const Table& channels = view.channels();
    if (view.waiting() > 0) source_.inject(view, requests_.classes());
    if (channels.occupied().empty()) return;

    // Heads request output channels; the free ones can be allocated.
    const bool routed = requests_.update(view, channels.free());
    const Set wanted = requests_.outputs() & channels.free();
    if (wanted.empty() && view.stalled().empty() && switches_.grant_all(channels, channels.ready(), [&](int in) {
          if constexpr (counted) ++counts.switches;
          view.send(in);
        })) {
      if (routed || !channels.ready().empty()) view.run_again();
      return;
    }
    // Flits request the switch, in speculative routers also heads that may get their output channel below.
    const Set speculative = speculative_ ? wanted & channels.credited() : Set{};
    router::SwitchRequests<words> at_switch = requests_.at_switch(channels, channels.ready(), speculative);
    // Output channels are allocated to heads.
    router::Entries<std::uint16_t, capacity> won(shape_->size());  // [input channel], valid for those in `winners`
    const auto win = [&](int in, int out) {
      won[in] = static_cast<std::uint16_t>(out);
      view.allocate(in, out);
    };
    Set asking{};  // kept if `counted`
    const auto allocate_channels = [&] {
      if constexpr (counted) return channels_.allocate(wanted, Noting{requests_.requesters(), asking}, win);
      else return channels_.allocate(wanted, requests_.requesters(), win);
    };
    const Set winners = allocate_channels();
    // The switch matches in-ports and out-ports.
    const bool held_up = at_switch.withdraw_outs(view.stalled());
    const bool granted = !at_switch.outs().empty();
    if constexpr (counted) {
      const std::int64_t heads = wanted.empty() ? 0 : asking.count();
      counts.channels += heads;
      if (!view.stalled().empty() || (speculative_ && !(speculative == wanted)))
        counts.switches += at_switch.ins().count();
      else counts.switches += channels.ready().count() + (speculative_ ? heads : 0);
    }
    switches_.allocate(*shape_, at_switch, [&](int in, int out_index, bool nonspeculative) {
      const bool passes = nonspeculative || (winners.has(in) && channels.output(won[in]).port_index == out_index &&
                                             channels.credited().has(won[in]));
      if (passes) view.send(in);
    });
    winners.for_each([this](int in) { requests_.remove(in); });
    // Allocators change with every request, also if a speculative grant is not used; without requests, the state does
    // not change before an arrival or a credit.
    if (routed || granted || held_up || !wanted.empty()) view.run_again();
  }

  /// The requesters of output channels; adds those that are read to `asking`.
  struct Noting {
    const router::Entries<Set, capacity>& requesters;
    Set& asking;
    const Set& operator[](int out) const {
      asking |= requesters[out];
      return requesters[out];
    }
  };

  const router::RouterShape* shape_;
  bool speculative_;
  SourceChannels source_;
  router::ChannelAllocator<capacity> channels_;
  router::SwitchAllocator<capacity> switches_;
  ChannelRequests<capacity> requests_;  ///< last, because it ends in arrays of which a step uses only a small part
};

}  // namespace starloom::links
