// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <starloom/control/allocators.hpp>
#include <starloom/control/number_set.hpp>

namespace starloom {
namespace {

/// The side whose lines pick first among their requests.
enum class Side { inputs, outputs };

/// Each line of the first side picks one of its requests, and each line of the second side then picks one of those that
/// the first picked. Requests of greater priority come first, if priorities count.
///
/// `islip` with one iteration: router/channel_allocator.hpp and router/switch_allocator.hpp are the same rule, with
/// round-robin arbiters. N. McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM Trans.
/// Networking 7(2), 1999: further iterations match the remaining lines, and do not move any pointer.
class SeparableAllocator final : public Allocator {
 public:
  SeparableAllocator(Side first, bool priorities, std::int64_t iterations, const PartSize& size,
                     const MakeArbiter& make_arbiter)
      : inputs_first_(first == Side::inputs),
        priorities_(priorities),
        iterations_(iterations),
        inputs_(size.inputs, size.outputs, make_arbiter),
        outputs_(size.outputs, size.inputs, make_arbiter) {}

  std::unique_ptr<Allocator> clone() const override { return std::make_unique<SeparableAllocator>(*this); }

  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    left_.assign(requests, requests + count);
    if (inputs_first_) sort(left_, Side::inputs);
    const Side first = inputs_first_ ? Side::inputs : Side::outputs;
    const Side second = inputs_first_ ? Side::outputs : Side::inputs;
    for (std::int64_t iteration = 1; !left_.empty(); ++iteration) {
      picked_.clear();
      pick(left_, first, picked_);
      sort(picked_, second);
      const std::size_t before = grants.size();
      pick(picked_, second, grants);
      if (iteration == 1)
        for (const Request& grant : grants) {
          inputs_.granted(grant.in, grant.out);
          outputs_.granted(grant.out, grant.in);
        }
      if (iteration == iterations_) return;
      for (std::size_t i = before; i < grants.size(); ++i) remove(grants[i]);
    }
  }

 private:
  /// The lines of a side.
  struct Lines {
    Lines(int count, int others, const MakeArbiter& make_arbiter) : candidates(others) {
      for (int line = 0; line < count; ++line) arbiters.emplace_back(make_arbiter(others));
    }
    void granted(int line, int other) { arbiters[static_cast<std::size_t>(line)]->granted(other); }

    NumberSet candidates;  ///< of the line that picks: lines of the other side
    std::vector<Cloned<Arbiter>> arbiters{};
  };

  static int line(const Request& request, Side side) { return side == Side::inputs ? request.in : request.out; }
  static int other(const Request& request, Side side) { return side == Side::inputs ? request.out : request.in; }
  std::int64_t priority(const Request& request, Side side) const {
    if (!priorities_) return 0;
    return side == Side::inputs ? request.in_priority : request.out_priority;
  }
  static void sort(std::vector<Request>& requests, Side side) {
    std::sort(requests.begin(), requests.end(), [side](const Request& a, const Request& b) {
      return std::pair(line(a, side), other(a, side)) < std::pair(line(b, side), other(b, side));
    });
  }

  /// Each line of a side picks one of its requests, which follow each other.
  void pick(const std::vector<Request>& requests, Side side, std::vector<Request>& picked) {
    for (auto begin = requests.begin(); begin != requests.end();) {
      auto end = begin + 1;
      while (end != requests.end() && line(*end, side) == line(*begin, side)) ++end;
      picked.push_back(end - begin == 1 ? *begin : best(begin, end, side));
      begin = end;
    }
  }
  using Iterator = std::vector<Request>::const_iterator;
  /// The one that the arbiter picks of the requests of the greatest priority of a line.
  Request best(Iterator begin, Iterator end, Side side) {
    Lines& lines = side == Side::inputs ? inputs_ : outputs_;
    const auto less = [&](const Request& a, const Request& b) { return priority(a, side) < priority(b, side); };
    const std::int64_t greatest = priority(*std::max_element(begin, end, less), side);
    lines.candidates.clear();
    for (auto request = begin; request != end; ++request)
      if (priority(*request, side) == greatest) lines.candidates.add(other(*request, side));
    const int picked = lines.arbiters[static_cast<std::size_t>(line(*begin, side))]->pick(lines.candidates.data(),
                                                                                          lines.candidates.words());
    return *std::find_if(begin, end, [&](const Request& request) { return other(request, side) == picked; });
  }

  /// Removes the requests of an input and an output that are matched.
  void remove(const Request& grant) {
    const auto matched = [&](const Request& left) { return left.in == grant.in || left.out == grant.out; };
    left_.erase(std::remove_if(left_.begin(), left_.end(), matched), left_.end());
  }

  bool inputs_first_;
  bool priorities_;
  std::int64_t iterations_;
  Lines inputs_, outputs_;
  std::vector<Request> left_{};    ///< of a step, without those of matched lines
  std::vector<Request> picked_{};  ///< by the lines of the first side
};

AllocatorEntry entry_of(const char* name, const char* meaning, Side first, bool priorities) {
  AllocatorEntry entry{name, meaning};
  entry.make = [=](const PartSize& size, const MakeArbiter& make_arbiter, const KeyValues&) {
    return std::make_unique<SeparableAllocator>(first, priorities, 1, size, make_arbiter);
  };
  entry.names_arbiter = true;
  return entry;
}

}  // namespace

AllocatorEntry islip_entry() {
  AllocatorEntry entry{"islip", "output-first without priorities; {islip: 2} matches the remaining requests again"};
  entry.make = [](const PartSize& size, const MakeArbiter& make_arbiter, const KeyValues&) {
    return std::make_unique<SeparableAllocator>(Side::outputs, false, size.number, size, make_arbiter);
  };
  entry.built_in = true;
  entry.ignores_priorities = true;
  entry.number = PartNumber{1, 64, 1};
  return entry;
}

AllocatorEntry priority_islip_entry() {
  AllocatorEntry entry{"priority-islip", "islip with one iteration, in which greater priorities come first"};
  entry.make = [](const PartSize& size, const MakeArbiter& make_arbiter, const KeyValues&) {
    return std::make_unique<SeparableAllocator>(Side::outputs, true, 1, size, make_arbiter);
  };
  return entry;
}

AllocatorEntry input_first_entry() {
  return entry_of("input-first", "each input picks a request, each output one of those; or {input-first: matrix}",
                  Side::inputs, true);
}

AllocatorEntry output_first_entry() {
  return entry_of("output-first", "each output picks a request, each input one of those; or {output-first: matrix}",
                  Side::outputs, true);
}

}  // namespace starloom
