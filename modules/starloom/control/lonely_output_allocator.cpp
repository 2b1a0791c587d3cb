// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <starloom/control/allocators.hpp>

namespace starloom {
namespace {

/// Each input requests only the output that the fewest inputs request, and each output picks one of those that then
/// request it. In both choices the first one from a pointer is taken; a grant moves both pointers by one. Priorities do
/// not count.
class LonelyOutputAllocator final : public Allocator {
 public:
  explicit LonelyOutputAllocator(const PartSize& size)
      : first_output_(static_cast<std::size_t>(size.inputs)),
        first_input_(static_cast<std::size_t>(size.outputs)),
        chosen_(first_output_.size()),
        requesters_(first_input_.size()),
        picked_(first_input_.size()) {}

  std::unique_ptr<Allocator> clone() const override { return std::make_unique<LonelyOutputAllocator>(*this); }

  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    std::fill(requesters_.begin(), requesters_.end(), 0);
    std::fill(chosen_.begin(), chosen_.end(), nullptr);
    std::fill(picked_.begin(), picked_.end(), nullptr);
    for (std::size_t i = 0; i < count; ++i) ++requesters_[requests[i].out];
    for (std::size_t i = 0; i < count; ++i) {
      const Request& request = requests[i];
      const Request*& chosen = chosen_[request.in];
      if (chosen == nullptr || lonelier(request, *chosen)) chosen = &request;
    }
    for (const Request* chosen : chosen_) {
      if (chosen == nullptr) continue;
      const Request*& picked = picked_[chosen->out];
      const int first = first_input_[chosen->out], inputs = static_cast<int>(chosen_.size());
      if (picked == nullptr || behind(chosen->in, first, inputs) < behind(picked->in, first, inputs)) picked = chosen;
    }
    for (const Request* picked : picked_) {
      if (picked == nullptr) continue;
      grants.push_back(*picked);
      advance(first_output_[picked->in], first_input_.size());
      advance(first_input_[picked->out], first_output_.size());
    }
  }

 private:
  static int behind(int line, int first, int lines) { return (line - first + lines) % lines; }
  static void advance(int& pointer, std::size_t lines) { pointer = (pointer + 1) % static_cast<int>(lines); }

  /// True if one request of an input is chosen instead of another one.
  bool lonelier(const Request& one, const Request& other) const {
    if (requesters_[one.out] != requesters_[other.out]) return requesters_[one.out] < requesters_[other.out];
    const int first = first_output_[one.in], outputs = static_cast<int>(requesters_.size());
    return behind(one.out, first, outputs) < behind(other.out, first, outputs);
  }

  std::vector<int> first_output_;       ///< [input] pointer
  std::vector<int> first_input_;        ///< [output] pointer
  std::vector<const Request*> chosen_;  ///< [input] of a step
  std::vector<int> requesters_;         ///< [output] of a step
  std::vector<const Request*> picked_;  ///< [output] of a step
};

}  // namespace

AllocatorEntry lonely_output_entry() {
  AllocatorEntry entry{"lonely-output", "each input requests the output with the fewest requests, each output picks"};
  entry.make = [](const PartSize& size, const MakeArbiter&, const KeyValues&) {
    return std::make_unique<LonelyOutputAllocator>(size);
  };
  entry.ignores_priorities = true;
  return entry;
}

}  // namespace starloom
