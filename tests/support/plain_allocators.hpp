// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The arbiters and allocators of routers once more, in loops over all lines, as the rules are written.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <starloom/schema/keys.hpp>

namespace starloom {

/// The keys that select the rules of a router.
struct PlainRules {
  PartValue channel_allocator{"islip", 1}, switch_allocator{"islip", 1}, arbiter{"round-robin"};
  std::optional<PartValue> speculation_allocator{};
  bool mask_requests = false;
  bool check_credit = true;
  std::string priority = "none";
  bool donate = false;
  bool prefer_empty = false;
  bool hold_switch = false, wait_for_tail_credit = false, busy_when_full = false, shuffle_requests = false,
       next_hop_channels = false;
  int input = 1, output = 1, internal = 1, fifo = 0;  ///< of `speedup`
  int places = 0, own_places = 1, limit = 0;          ///< of `buffers`; 0 places: none are shared
  bool dynamic = false;
  bool copies_whole = true;  ///< `multicast: packet`
  std::string flow = "wormhole";
  int longest = 0;  ///< flits of a packet, for bubbles; 0: not known
  struct Class {
    int first = 0, last = 0;  ///< of its channels
    std::int64_t priority = 0;
    int places = 0;  ///< requests that a processor accepts before it has sent their replies; 0: no limit
  };
  std::vector<Class> classes{};  ///< of traffic; empty: one

  bool has_fifo() const { return output > 1 || internal > 1 || fifo > 0; }
};
PlainRules plain_rules(const std::map<std::string, KeyValue>& keys);

class PlainArbiter {
 public:
  /// \param step of round-robin: the line that comes first next is this many behind the last one.
  PlainArbiter(const PartValue& rule, int lines, int step = 1);
  int pick(const std::set<int>& lines) const;  ///< of at least one
  void granted(int line);

 private:
  std::string rule_;
  int lines_;
  int step_;
  int pointer_ = 0;                         ///< round-robin
  std::vector<std::vector<bool>> beats_{};  ///< matrix: [i][j]
  int group_size_ = 1;                      ///< tree
  std::vector<PlainArbiter> of_groups_{}, top_{};
};

class PlainAllocator {
 public:
  struct Priorities {
    std::int64_t in = 0, out = 0;
  };
  using Requests = std::map<std::pair<int, int>, Priorities>;  ///< by (input, output)

  /// \param arbiter if the rule does not name one.
  PlainAllocator(const PartValue& rule, const PartValue& arbiter, int inputs, int outputs);
  /// Input and output of each grant of a step; without requests, nothing changes.
  std::map<int, int> match(const Requests& requests);

 private:
  std::map<int, int> islip(const Requests& requests);
  std::map<int, int> separable(const Requests& requests, bool inputs_first);
  std::map<int, int> wavefront(const Requests& requests, bool skip);
  std::map<int, int> lonely(const Requests& requests);

  PartValue rule_;
  int inputs_, outputs_;
  std::vector<PlainArbiter> of_input_{}, of_output_{};
  int diagonal_ = 0;
  std::vector<int> r_, g_;  ///< lonely-output
};

}  // namespace starloom
