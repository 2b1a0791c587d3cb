// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <starloom/control/allocators.hpp>
#include <starloom/control/number_set.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

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

/// Picks the requester that has not been served for the longest time; those that never were come first, the highest
/// first. A matrix of bits, of which bit (i, j) is set while i takes precedence over j, always contains such an order.
class MatrixArbiter final : public Arbiter {
 public:
  explicit MatrixArbiter(int requesters) : served_(static_cast<std::size_t>(requesters)) {
    std::iota(served_.rbegin(), served_.rend(), -std::int64_t{requesters});
  }

  std::unique_ptr<Arbiter> clone() const override { return std::make_unique<MatrixArbiter>(*this); }
  int pick(const std::uint64_t* requests, int words) const override {
    int picked = -1;
    for (int w = 0; w < words; ++w)
      for (std::uint64_t left = requests[w]; left != 0; left &= left - 1) {
        const int requester = 64 * w + __builtin_ctzll(left);
        if (picked < 0 || served(requester) < served(picked)) picked = requester;
      }
    return picked;
  }
  void granted(int requester) override { served_[static_cast<std::size_t>(requester)] = ++grants_; }

 private:
  std::int64_t served(int requester) const { return served_[static_cast<std::size_t>(requester)]; }

  std::vector<std::int64_t> served_;  ///< [requester] number of its last grant; below 0 before the first
  std::int64_t grants_ = 0;
};

/// Groups of successive requesters, each with an arbiter, and an arbiter above that picks one of the groups.
class TreeArbiter final : public Arbiter {
 public:
  TreeArbiter(int requesters, int groups, const MakeArbiter& of) : size_(requesters / groups), top_(of(groups)) {
    for (int group = 0; group < groups; ++group) groups_.emplace_back(of(size_));
  }

  std::unique_ptr<Arbiter> clone() const override { return std::make_unique<TreeArbiter>(*this); }
  int pick(const std::uint64_t* requests, int words) const override {
    std::vector<NumberSet> in_group(groups_.size(), NumberSet(size_));
    NumberSet asking(static_cast<int>(groups_.size()));
    for (int w = 0; w < words; ++w)
      for (std::uint64_t left = requests[w]; left != 0; left &= left - 1) {
        const int requester = 64 * w + __builtin_ctzll(left), group = requester / size_;
        asking.add(group);
        in_group[static_cast<std::size_t>(group)].add(requester % size_);
      }
    const int group = top_->pick(asking.data(), asking.words());
    const NumberSet& members = in_group[static_cast<std::size_t>(group)];
    return group * size_ + groups_[static_cast<std::size_t>(group)]->pick(members.data(), members.words());
  }
  void granted(int requester) override {
    top_->granted(requester / size_);
    groups_[static_cast<std::size_t>(requester / size_)]->granted(requester % size_);
  }

 private:
  int size_;  ///< requesters of a group
  Cloned<Arbiter> top_;
  std::vector<Cloned<Arbiter>> groups_{};
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

}  // namespace

ArbiterEntry checked(ArbiterEntry entry) {
  entry.built_in = false;
  const auto checked_part = [name = entry.name](std::unique_ptr<Arbiter> arbiter) {
    if (arbiter == nullptr) throw InputError("arbiter " + name + ": its entry makes none");
    return std::make_unique<CheckedArbiter>(name, std::move(arbiter));
  };
  // An entry with neither is refused with its catalogue.
  if (entry.make)
    entry.make = [checked_part, make = entry.make](int requesters, const KeyValues& keys) {
      return checked_part(make(requesters, keys));
    };
  if (entry.make_of)
    entry.make_of = [checked_part, make = entry.make_of](int requesters, std::int64_t number, const MakeArbiter& of) {
      return checked_part(make(requesters, number, of));
    };
  return entry;
}

std::vector<ArbiterEntry> standard_arbiters() {
  ArbiterEntry round_robin{"round-robin", "the first from one behind the last that was served on"};
  round_robin.make = [](int, const KeyValues&) { return std::make_unique<RoundRobinArbiter>(); };
  round_robin.built_in = true;
  ArbiterEntry matrix{"matrix", "the one that has not been served for the longest time"};
  matrix.make = [](int requesters, const KeyValues&) { return std::make_unique<MatrixArbiter>(requesters); };
  ArbiterEntry tree{"tree", "groups of requesters of equal size: {tree: groups, of: arbiter}"};
  tree.number = PartNumber{1, 1024, {}};
  tree.make_of = [](int requesters, std::int64_t groups, const MakeArbiter& of) {
    if (requesters % groups != 0)
      throw InputError("tree: " + std::to_string(groups) + " groups do not divide " + std::to_string(requesters) +
                       " requesters");
    return std::make_unique<TreeArbiter>(requesters, static_cast<int>(groups), of);
  };
  return {round_robin, matrix, tree};
}

}  // namespace starloom
