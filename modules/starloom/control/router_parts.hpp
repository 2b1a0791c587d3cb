// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The parts that routing algorithms offer by name, as a value: a user's program can add its own.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/allocators.hpp>
#include <starloom/core/ids.hpp>
#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// A choice of a head in a router, with a channel that can be allocated in this step.
struct Candidate {
  routing::Choice choice;
  int open_channels = 0;  ///< channels of the choice that can be allocated
  int credits = 0;        ///< of all channels of the choice
};

/// Selects one of the choices that an adaptive routing function gives to a waiting head.
class Selection {
 public:
  virtual ~Selection() = default;
  /// Called in every step for every waiting head with several candidates, with the state at the end of the last step.
  /// The result depends only on the arguments. Several threads may call it concurrently.
  /// \param candidates `count` of them, at least two, all of the greatest priority with a channel that can be
  /// allocated, in the order of the routing function.
  /// \param word a random word of this head, node and step, the same in every call.
  /// \return the index of a candidate.
  virtual std::size_t select(const Candidate* candidates, std::size_t count, NodeId node,
                             const std::function<std::uint32_t()>& word) const = 0;
};

/// The selections that are part of the router.
enum class BuiltInSelection {
  least_occupied,  ///< the most credits in all channels; of several the first
  first,
  random,  ///< each with the same probability
  /// All of them, of every priority, whatever is in the buffers behind: the channel allocator takes a greater priority
  /// first, if it takes account of priorities.
  all,
};

/// A row of the table of selections.
struct SelectionEntry {
  std::string name;
  std::string meaning;  ///< one clause
  std::vector<KeySpec> keys{};
  std::optional<BuiltInSelection> built_in{};
  /// Null if it is built in. \throws InputError
  std::function<std::unique_ptr<const Selection>(const KeyValues& keys)> make{};
};

/// The same entry with a check: its selections throw a ContractError, with the name of the entry, if they return an
/// index that is not that of a candidate.
SelectionEntry checked(SelectionEntry entry);

/// The parts of `greedy` and `vc-wormhole`, as tables.
struct RouterParts {
  std::vector<routing::FunctionEntry> functions;
  std::vector<SelectionEntry> selections;
  std::vector<ArbiterEntry> arbiters;      ///< of `vc-wormhole` only
  std::vector<AllocatorEntry> allocators;  ///< of `vc-wormhole` only
};

/// The legal arbiters and allocators of a key.
PartForms arbiter_forms(const RouterParts& parts);
enum class AllocatorUse { either, channels, switches };
PartForms allocator_forms(const RouterParts& parts, AllocatorUse use);

/// The names of a part and of those that it is made of.
std::vector<std::string> names_in(const PartValue& part);
/// Makes arbiters of a legal part. \param keys of the algorithm. \throws InputError when it makes one.
MakeArbiter arbiter_maker(const RouterParts& parts, const PartValue& arbiter, const KeyValues& keys);
/// \param make_arbiter for allocators that do not name their arbiter. \throws InputError
std::unique_ptr<Allocator> make_allocator(const RouterParts& parts, const PartValue& allocator, PartSize size,
                                          const MakeArbiter& make_arbiter, const KeyValues& keys);

/// The parts of Starloom.
RouterParts standard_parts();
/// \throws InputError if two parts are not compatible.
void check_parts(const RouterParts& parts);

}  // namespace starloom
