// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The parts that routing algorithms offer by name, as a value: a user's own program adds parts of its own.
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

/// A choice of a head in a router that has a channel to give in this step.
struct Candidate {
  routing::Choice choice;
  int open_channels = 0;  ///< of the choice, that can be given
  int credits = 0;        ///< of all channels of the choice
};

/// Which of its choices a waiting head asks for, where an adaptive routing function gives it several.
class Selection {
 public:
  virtual ~Selection() = default;
  /// Called in every step for every waiting head that has several candidates, with the state that earlier steps left.
  /// The answer depends on the arguments alone. Several threads may call it at once.
  /// \param candidates `count` of them, at least two, all of the greatest priority that has a channel to give, in the
  /// order in which the function names them.
  /// \param word a random word of this head, node and step, the same whenever it is asked for.
  /// \return the place of one among the candidates.
  virtual std::size_t select(const Candidate* candidates, std::size_t count, NodeId node,
                             const std::function<std::uint32_t()>& word) const = 0;
};

/// The selections that are part of the router.
enum class BuiltInSelection {
  least_occupied,  ///< the most credits in all channels; of equals the first
  first,
  random,  ///< each with the same probability
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

/// The same entry; its selections throw a ContractError, with the name of the entry, if they return no place of a
/// candidate.
SelectionEntry checked(SelectionEntry entry);

/// The parts of `greedy` and `vc-wormhole`, as tables.
struct RouterParts {
  std::vector<routing::FunctionEntry> functions;
  std::vector<SelectionEntry> selections;
  std::vector<ArbiterEntry> arbiters;      ///< of `vc-wormhole` only
  std::vector<AllocatorEntry> allocators;  ///< of `vc-wormhole` only
};

/// Those of Starloom.
RouterParts standard_parts();
/// \throws InputError if two parts do not go together.
void check_parts(const RouterParts& parts);

}  // namespace starloom
