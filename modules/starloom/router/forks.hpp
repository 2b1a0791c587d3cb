// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets to several destinations in the input channels of a router, which leave over several out-ports.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/router/channel_table.hpp>

namespace starloom::router {

/// The packet at the front of an input channel. Each of its branches gets an output channel of its own, and reads the
/// buffer at its own pace; a flit stays in its slot until it has left through all of them.
struct Fork {
  struct Branch {
    std::uint16_t out = 0;  ///< its output channel
    std::int32_t next = 0;  ///< position in the buffer, from the front, of the flit that leaves next
  };
  std::uint64_t open = 0;          ///< out-port indices for which it has no output channel yet
  std::vector<Branch> branches{};  ///< those with an output channel, to the departure of the tail
  std::size_t served = 0;          ///< the branch that requested the switch last
  bool stalled = false;            ///< there are flits for branches, but no credits

  bool wants(int out_index) const { return (open >> out_index & 1) != 0; }
  int branch_count() const { return static_cast<int>(branches.size()) + __builtin_popcountll(open); }
};

/// The forks of a router. In each step one branch of a fork requests the switch, in turn among those that can send.
template <int words>
class Forks {
 public:
  using Set = ChannelSet<words>;
  using Table = ChannelTable<words>;

  explicit Forks(int channels) : forks_(static_cast<std::size_t>(channels)) {}

  /// The input channels with a fork at the front.
  const Set& channels() const { return channels_; }
  const Fork& at(int in) const { return forks_[static_cast<std::size_t>(in)]; }

  /// The head of a packet to several destinations has come to the front. \param ports out-port indices of its branches.
  void begin(int in, std::uint64_t ports) {
    forks_[static_cast<std::size_t>(in)] = {ports};
    channels_.add(in);
  }
  /// Chooses the branches that request the switch in a step.
  void choose(Table& table, Step now) {
    channels_.for_each([&](int in) {
      Fork& fork = forks_[static_cast<std::size_t>(in)];
      const std::size_t count = fork.branches.size();
      int chosen = -1;
      bool without_credit = false;
      for (std::size_t turn = 1; turn <= count && chosen < 0; ++turn) {
        const std::size_t number = (fork.served + turn) % count;
        const Fork::Branch& branch = fork.branches[number];
        if (branch.next >= table.input(in).flits) continue;
        if (table.credited().has(branch.out)) {
          chosen = branch.out;
          fork.served = number;
        } else {
          without_credit = true;
        }
      }
      table.serve(in, chosen);
      stall(table, in, chosen < 0 && without_credit, now);
    });
  }
  /// A branch gets an output channel. If no other branch requests the switch in this step, it may send the head.
  void allocate(Table& table, int in, int out) {
    Fork& fork = forks_[static_cast<std::size_t>(in)];
    fork.open &= ~(std::uint64_t{1} << table.output(out).port_index);
    fork.branches.push_back({static_cast<std::uint16_t>(out), 0});
    table.allocate_branch(in, out);
    if (table.ready().has(in) || !table.credited().has(out)) return;
    fork.served = fork.branches.size() - 1;
    table.serve(in, out);
  }
  /// Position in the buffer, from the front, of the flit of the branch that requested the switch.
  int position(int in) const { return served(in).next; }
  /// True if no other branch has still to send that flit.
  bool is_last(int in) const {
    const Fork& fork = at(in);
    const std::int32_t next = served(in).next;
    if (next > 0 || fork.open != 0) return false;
    return std::none_of(fork.branches.begin(), fork.branches.end(),
                        [&](const Fork::Branch& branch) { return branch.next == 0 && &branch != &served(in); });
  }
  /// The branch that requested the switch sends its flit. \param tail of the packet.
  /// \return true if that was the last copy of the flit, which is then removed from the buffer (`Table::remove_front`).
  bool send(Table& table, int in, bool tail, int capacity, Step now) {
    const bool last = is_last(in);
    Fork& fork = forks_[static_cast<std::size_t>(in)];
    Fork::Branch& branch = fork.branches[fork.served];
    table.send_copy(in, branch.out, tail, capacity);
    ++branch.next;
    if (tail) fork.branches.erase(fork.branches.begin() + static_cast<std::ptrdiff_t>(fork.served));
    if (tail && fork.served > 0) --fork.served;
    if (last)
      for (Fork::Branch& other : fork.branches) --other.next;
    if (fork.branch_count() == 0) {
      stall(table, in, false, now + 1);
      channels_.remove(in);
    }
    return last;
  }

 private:
  const Fork::Branch& served(int in) const { return at(in).branches[at(in).served]; }
  void stall(Table& table, int in, bool stalls, Step from) {
    Fork& fork = forks_[static_cast<std::size_t>(in)];
    if (fork.stalled != stalls) table.stall(in, stalls, from);
    fork.stalled = stalls;
  }

  std::vector<Fork> forks_;  ///< [input channel] valid for those in `channels_`
  Set channels_{};
};

}  // namespace starloom::router
