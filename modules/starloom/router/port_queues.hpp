// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The queues of a router with speed-ups (docs/router-speedups.md).
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/ring_flit.hpp>

namespace starloom::router {

/// Flits that have passed the switch, and credits of flits that have left their buffers: a port sends one flit to its
/// link, and one credit word, in a step. Rounds are numbered over all steps.
template <int words>
class PortQueues {
 public:
  struct Departing {
    RingFlit flit;
    int out;          ///< output channel
    Step from_round;  ///< the first one in which it is in the FIFO, and may leave it
  };

  explicit PortQueues(int ports) : fifos_(static_cast<std::size_t>(ports)), credits_(fifos_.size()) {}

  bool empty() const { return waiting_ == 0; }

  /// Flits of one out-port join in the order of `from_round`.
  void join(int out_index, const Departing& departing) {
    fifos_[static_cast<std::size_t>(out_index)].push_back(departing);
    ++waiting_;
  }
  /// Flits in a FIFO before a round: those that join it in that round do not count.
  int length(int out_index, Step round) const {
    const Queue<Departing>& fifo = fifos_[static_cast<std::size_t>(out_index)];
    auto end = fifo.end();
    while (end != fifo.begin() && (end - 1)->from_round >= round) --end;
    return static_cast<int>(end - fifo.begin());
  }
  /// The flit that leaves the FIFO in a round at the earliest; null: there is none.
  const Departing* front(int out_index, Step round) const {
    const Queue<Departing>& fifo = fifos_[static_cast<std::size_t>(out_index)];
    return fifo.empty() || fifo.front().from_round > round ? nullptr : &fifo.front();
  }
  void leave(int out_index) {
    fifos_[static_cast<std::size_t>(out_index)].pop_front();
    --waiting_;
  }

  /// The flits that leave an in-port in one round share a credit word.
  void add_credit(int in_index, int in, Step round) {
    Queue<Word>& queue = credits_[static_cast<std::size_t>(in_index)];
    if (queue.empty() || queue.back().round != round) {
      queue.push_back({round, {}});
      ++waiting_;
    }
    queue.back().channels.add(in);
  }
  /// Removes the first credit word of an in-port; empty: there is none.
  ChannelSet<words> take_credits(int in_index) {
    Queue<Word>& queue = credits_[static_cast<std::size_t>(in_index)];
    if (queue.empty()) return {};
    const ChannelSet<words> channels = queue.front().channels;
    queue.pop_front();
    --waiting_;
    return channels;
  }

 private:
  struct Word {
    Step round;
    ChannelSet<words> channels;  ///< input channels
  };
  std::vector<Queue<Departing>> fifos_;  ///< [out-port index]
  std::vector<Queue<Word>> credits_;     ///< [in-port index]
  std::int64_t waiting_ = 0;             ///< flits and words
};

}  // namespace starloom::router
