// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/allocators.hpp>

#include <algorithm>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

int words_for(int requesters) { return (requesters + 63) / 64; }

/// A set of the numbers 0 to n - 1.
class NumberSet {
 public:
  explicit NumberSet(int n) : words_(static_cast<std::size_t>(words_for(n))) {}

  const std::uint64_t* data() const { return words_.data(); }
  int words() const { return static_cast<int>(words_.size()); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  /// \return true if it was not a member.
  bool add(int number) {
    std::uint64_t& word = words_[static_cast<std::size_t>(number / 64)];
    const std::uint64_t bit = std::uint64_t{1} << number % 64, before = word;
    word |= bit;
    return word != before;
  }
  /// Calls `visit` for every member, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(static_cast<int>(64 * w) + __builtin_ctzll(left));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Picks the first requester after the one served last.
class RoundRobinArbiter final : public Arbiter {
 public:
  std::unique_ptr<Arbiter> clone() const override { return std::make_unique<RoundRobinArbiter>(*this); }
  int pick(const std::uint64_t* requests, int words) const override {
    const unsigned at = first_ / 64, end = static_cast<unsigned>(words);
    if (at < end)
      if (const std::uint64_t behind = requests[at] & ~std::uint64_t{0} << first_ % 64; behind != 0)
        return number(at, behind);
    for (unsigned w = at + 1; w < end; ++w)
      if (requests[w] != 0) return number(w, requests[w]);
    for (unsigned w = 0; w < end && w <= at; ++w)
      if (requests[w] != 0) return number(w, requests[w]);
    return -1;
  }
  void granted(int requester) override { first_ = static_cast<unsigned>(requester) + 1; }

 private:
  static int number(unsigned w, std::uint64_t word) { return static_cast<int>(64 * w) + __builtin_ctzll(word); }

  unsigned first_ = 0;
};

/// Separable, output side first, one iteration: each output picks one of its requests, each input accepts one of the
/// outputs that picked it. The same rule as router/channel_allocator.hpp and router/switch_allocator.hpp, with any
/// arbiters.
class SeparableAllocator final : public Allocator {
 public:
  SeparableAllocator(const PartSize& size, const MakeArbiter& make_arbiter)
      : speculative_(static_cast<std::size_t>(size.outputs)),
        requesting_(size.inputs),
        picked_(size.inputs),
        picked_by_(static_cast<std::size_t>(size.inputs), NumberSet(size.outputs)) {
    for (int out = 0; out < size.outputs; ++out) of_output_.emplace_back(make_arbiter(size.inputs));
    for (int in = 0; in < size.inputs; ++in) of_input_.emplace_back(make_arbiter(size.outputs));
  }

  std::unique_ptr<Allocator> clone() const override { return std::make_unique<SeparableAllocator>(*this); }
  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    picked_.clear();
    for (std::size_t first = 0, end; first < count; first = end) {
      const std::size_t out = requests[first].out;
      requesting_.clear();
      for (end = first; end < count && requests[end].out == out; ++end) requesting_.add(requests[end].in);
      const int in = of_output_[out]->pick(requesting_.data(), requesting_.words());
      const Request& request = *std::find_if(requests + first, requests + end,
                                             [in](const Request& candidate) { return candidate.in == in; });
      speculative_[out] = request.speculative;
      NumberSet& outputs = picked_by_[request.in];
      if (picked_.add(in)) outputs.clear();
      outputs.add(static_cast<int>(out));
    }
    picked_.for_each([&](int in) {
      const NumberSet& outputs = picked_by_[static_cast<std::size_t>(in)];
      Arbiter& arbiter = *of_input_[static_cast<std::size_t>(in)];
      const int out = arbiter.pick(outputs.data(), outputs.words());
      arbiter.granted(out);
      of_output_[static_cast<std::size_t>(out)]->granted(in);
      grants.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out),
                        speculative_[static_cast<std::size_t>(out)]});
    });
  }

 private:
  std::vector<Cloned<Arbiter>> of_output_;  ///< [output] picks an input
  std::vector<Cloned<Arbiter>> of_input_;   ///< [input] accepts an output
  std::vector<bool> speculative_;           ///< [output] the request that it picked is
  NumberSet requesting_;                    ///< inputs that request an output
  NumberSet picked_;                        ///< inputs that some output picked
  std::vector<NumberSet> picked_by_;        ///< [input] the outputs that picked it, valid for inputs in `picked_`
};

class CheckedArbiter final : public Arbiter {
 public:
  CheckedArbiter(std::string name, std::unique_ptr<Arbiter> arbiter)
      : name_(std::move(name)), arbiter_(std::move(arbiter)) {}

  std::unique_ptr<Arbiter> clone() const override {
    std::unique_ptr<Arbiter> arbiter = arbiter_->clone();
    if (arbiter == nullptr) throw ContractError("arbiter " + name_ + ": its clone() returns none");
    return std::make_unique<CheckedArbiter>(name_, std::move(arbiter));
  }
  int pick(const std::uint64_t* requests, int words) const override {
    int count = 0;
    for (int w = 0; w < words; ++w) count += __builtin_popcountll(requests[w]);
    if (count == 0) return -1;
    const int picked = arbiter_->pick(requests, words);
    if (picked < 0 || picked >= 64 * words || (requests[picked / 64] >> picked % 64 & 1) == 0)
      throw ContractError("arbiter " + name_ + ": it picks " + std::to_string(picked) + ", which is not one of the " +
                          std::to_string(count) + " requesters");
    return picked;
  }
  void granted(int requester) override { arbiter_->granted(requester); }

 private:
  const std::string name_;
  const std::unique_ptr<Arbiter> arbiter_;
};

class CheckedAllocator final : public Allocator {
 public:
  CheckedAllocator(std::string name, const PartSize& size, std::unique_ptr<Allocator> allocator)
      : name_(std::move(name)), size_(size), allocator_(std::move(allocator)), ins_(size.inputs), outs_(size.outputs) {}

  std::unique_ptr<Allocator> clone() const override {
    std::unique_ptr<Allocator> allocator = allocator_->clone();
    if (allocator == nullptr) throw ContractError("allocator " + name_ + ": its clone() returns none");
    return std::make_unique<CheckedAllocator>(name_, size_, std::move(allocator));
  }
  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    allocator_->allocate(requests, count, grants);
    ins_.clear();
    outs_.clear();
    const auto before = [](const Request& a, const Request& b) { return a.out != b.out ? a.out < b.out : a.in < b.in; };
    for (const Request& grant : grants) {
      if (!std::binary_search(requests, requests + count, grant, before)) refuse(grant, ", which does not request it");
      if (!ins_.add(grant.in)) refuse(grant, ", which has another output in the same step");
      if (!outs_.add(grant.out)) refuse(grant, ", and to another input in the same step");
    }
  }

 private:
  [[noreturn]] void refuse(const Request& grant, const std::string& error) const {
    throw ContractError("allocator " + name_ + " of " + std::to_string(size_.inputs) + " inputs and " +
                        std::to_string(size_.outputs) + " outputs: it gives output " + std::to_string(grant.out) +
                        " to input " + std::to_string(grant.in) + error);
  }

  const std::string name_;
  const PartSize size_;
  const std::unique_ptr<Allocator> allocator_;
  NumberSet ins_, outs_;  ///< of the grants of a step
};

}  // namespace

ArbiterEntry checked(ArbiterEntry entry) {
  if (!entry.make) return entry;  // the catalogue is refused
  entry.built_in = false;
  entry.make = [make = entry.make, name = entry.name](int requesters, const KeyValues& keys) {
    std::unique_ptr<Arbiter> arbiter = make(requesters, keys);
    if (arbiter == nullptr) throw InputError("arbiter " + name + ": its entry makes none");
    return std::make_unique<CheckedArbiter>(name, std::move(arbiter));
  };
  return entry;
}

AllocatorEntry checked(AllocatorEntry entry) {
  if (!entry.make) return entry;  // the catalogue is refused
  entry.built_in = false;
  entry.make = [make = entry.make, name = entry.name](const PartSize& size, const MakeArbiter& make_arbiter,
                                                      const KeyValues& keys) {
    std::unique_ptr<Allocator> allocator = make(size, make_arbiter, keys);
    if (allocator == nullptr) throw InputError("allocator " + name + ": its entry makes none");
    return std::make_unique<CheckedAllocator>(name, size, std::move(allocator));
  };
  return entry;
}

std::vector<ArbiterEntry> standard_arbiters() {
  ArbiterEntry round_robin{"round-robin", "the first from one behind the last that was served on"};
  round_robin.make = [](int, const KeyValues&) { return std::make_unique<RoundRobinArbiter>(); };
  round_robin.built_in = true;
  return {round_robin};
}

std::vector<AllocatorEntry> standard_allocators() {
  AllocatorEntry separable{"separable",
                           "each output picks an input, then each input one of the outputs that picked it"};
  separable.make = [](const PartSize& size, const MakeArbiter& make_arbiter, const KeyValues&) {
    return std::make_unique<SeparableAllocator>(size, make_arbiter);
  };
  separable.built_in = true;
  return {separable};
}

}  // namespace starloom
