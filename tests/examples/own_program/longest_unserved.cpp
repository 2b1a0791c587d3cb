// SPDX-License-Identifier: Apache-2.0
#include "longest_unserved.hpp"

#include <algorithm>
#include <numeric>

namespace own {

using namespace starloom;

namespace {

class LongestUnserved final : public Arbiter {
 public:
  explicit LongestUnserved(int requesters) : order_(static_cast<std::size_t>(requesters)) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  std::unique_ptr<Arbiter> clone() const override { return std::make_unique<LongestUnserved>(*this); }
  int pick(const std::uint64_t* requests, int /*words*/) const override {
    const auto waits = [requests](int requester) { return (requests[requester / 64] >> requester % 64 & 1) != 0; };
    return *std::find_if(order_.begin(), order_.end(), waits);
  }
  void granted(int requester) override {
    const auto served = std::find(order_.begin(), order_.end(), requester);
    std::rotate(served, served + 1, order_.end());
  }

 private:
  std::vector<int> order_;  ///< of requesters: the one that was served last comes last
};

}  // namespace

ArbiterEntry longest_unserved_entry() {
  ArbiterEntry entry;
  entry.name = "longest-unserved";
  entry.meaning = "the requester that was served the longest time ago";
  entry.make = [](int requesters, const KeyValues&) { return std::make_unique<LongestUnserved>(requesters); };
  return entry;
}

}  // namespace own
