// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Arbiters and allocators of routers by interface. A user's own program adds its own (docs/library.md).
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/schema/keys.hpp>
#include <starloom/schema/part_value.hpp>

namespace starloom {

/// Picks one of several requesters. Its state belongs to one router: each router has a clone.
class Arbiter {
 public:
  virtual ~Arbiter() = default;
  virtual std::unique_ptr<Arbiter> clone() const = 0;
  /// Called with at least one request. The result depends only on the requests and on earlier calls of `granted`.
  /// \param requests bit i of word w is set if requester 64 w + i requests.
  /// \return one of the requesters; -1 is not allowed.
  virtual int pick(const std::uint64_t* requests, int words) const = 0;
  /// The requester that it picked is served: its grant was accepted.
  virtual void granted(int requester) = 0;
};

/// An input that requests an output.
struct Request {
  std::uint16_t in = 0;
  std::uint16_t out = 0;
  /// Switch only: the head has no output channel yet, and may get one in this step.
  bool speculative = false;
  /// Greater ones come first. An allocator may ignore them, or compare only some; the requests of an input are compared
  /// by `in_priority`, those for an output by `out_priority`.
  std::int64_t in_priority = 0;
  std::int64_t out_priority = 0;
};
/// Both priorities of a speculative request for the switch are smaller by this than those of a non-speculative one, and
/// the `in_priority` for an output channel whose buffer is not empty if heads prefer empty ones (`prefer_empty`).
inline constexpr std::int64_t priority_handicap = std::int64_t{1} << 31;

/// Matches inputs and outputs that request each other, each at most once per step. A router has two: one gives output
/// channels to input channels with a waiting head, one matches in-ports and out-ports of the switch.
class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual std::unique_ptr<Allocator> clone() const = 0;
  /// Called once in each step with at least one request. The result depends only on the requests of this call and of
  /// earlier calls. A speculative grant of the switch is void if the head does not get an output channel there.
  /// \param requests `count` of them, each pair once, in ascending order of output, then input.
  /// \param grants empty; takes some of the requests, at most one for each input and each output, in any order.
  virtual void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) = 0;
};

/// The numbers of inputs and outputs of an allocator. An allocator of channels has all input channels and output
/// channels of a router: channel v of the port with index p is number p * channels + v (router/router_shape.hpp). An
/// allocator of the switch has the ports, by their index; with speed-ups the lines (router/switch_lines.hpp).
struct PartSize {
  int inputs = 1;
  int outputs = 1;
  int channels = 1;         ///< virtual channels of a port
  std::int64_t number = 0;  ///< of the allocator, if its entry has a `number`: `{islip: 2}`
};

using MakeArbiter = std::function<std::unique_ptr<Arbiter>(int requesters)>;

/// A row of the table of arbiters.
struct ArbiterEntry {
  std::string name;
  std::string meaning;  ///< one clause
  std::vector<KeySpec> keys{};
  /// \throws InputError
  std::function<std::unique_ptr<Arbiter>(int requesters, const KeyValues& keys)> make{};
  bool built_in = false;  ///< `vc-wormhole` has this rule in its fast allocators
  /// An arbiter with a number, made of others: `{tree: 4, of: matrix}`. Then `make_of` makes it instead of `make`.
  std::optional<PartNumber> number{};
  /// \param of makes the others. \throws InputError
  std::function<std::unique_ptr<Arbiter>(int requesters, std::int64_t number, const MakeArbiter& of)> make_of{};
};

/// A row of the table of allocators.
struct AllocatorEntry {
  std::string name;
  std::string meaning;  ///< one clause
  std::vector<KeySpec> keys{};
  bool channels = true;  ///< it can allocate output channels; if false, `islip` does
  bool switches = true;  ///< it can allocate the switch; if false, `islip` does
  /// \param make_arbiter makes arbiters as named by `routing.arbiter`, or by the allocator: `{input-first: matrix}`.
  /// \throws InputError
  std::function<std::unique_ptr<Allocator>(const PartSize& size, const MakeArbiter& make_arbiter,
                                           const KeyValues& keys)>
      make{};
  bool built_in = false;               ///< `vc-wormhole` has this rule, with the number 1, in its fast allocators
  std::optional<PartNumber> number{};  ///< `{islip: 2}`
  bool names_arbiter = false;          ///< `{input-first: matrix}`
  /// Channels only: none is allocated; a speculative grant of the switch brings one. It has no `make`.
  bool piggyback = false;
  bool ignores_priorities = false;  ///< for a warning if the router has priorities
};

/// The same entries with checks: their parts throw a ContractError, with the name of the entry, if an arbiter picks
/// none of the requesters, or if an allocator grants what is not requested, or an input or output twice.
ArbiterEntry checked(ArbiterEntry entry);
AllocatorEntry checked(AllocatorEntry entry);

/// The entries of Starloom. The first of each table is the default of `vc-wormhole`.
std::vector<ArbiterEntry> standard_arbiters();
std::vector<AllocatorEntry> standard_allocators();

/// Separable: each line of one side picks one of its requests, then each line of the other side picks one of those.
AllocatorEntry islip_entry();
AllocatorEntry priority_islip_entry();
AllocatorEntry input_first_entry();
AllocatorEntry output_first_entry();
/// Diagonals of the matrix of requests, one after the other.
AllocatorEntry wavefront_entry();
AllocatorEntry wavefront_skip_entry();
/// Outputs with few requests first.
AllocatorEntry lonely_output_entry();

/// Owns a part that has state; a copy owns a clone of it.
template <class Part>
class Cloned {
 public:
  explicit Cloned(std::unique_ptr<Part> part) : part_(std::move(part)) {}
  Cloned(const Cloned& other) : part_(other.part_->clone()) {}
  Cloned(Cloned&&) noexcept = default;
  Part& operator*() const { return *part_; }
  Part* operator->() const { return part_.get(); }

 private:
  std::unique_ptr<Part> part_;
};

}  // namespace starloom
