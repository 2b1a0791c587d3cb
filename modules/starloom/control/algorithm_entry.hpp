// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing algorithm of any kind of network as a row of a table: its name, its keys, and how it is made.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <starloom/control/algorithm_pattern.hpp>
#include <starloom/control/links/run_audit.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/core/schedule.hpp>
#include <starloom/schema/audience.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/schema/metrics.hpp>
#include <starloom/support/names.hpp>
#include <starloom/topology/network_keys.hpp>

namespace starloom {

class Pops;

/// docs/model.md, "Storage models".
enum class StorageModel { store_and_forward, virtual_channels, links_only, never_standing };
inline constexpr std::string_view storage_model_names[] = {"store-and-forward", "virtual-channels", "links-only",
                                                           "never-standing"};

namespace links {
class Algorithm;
struct AlgorithmContext;
/// \throws InputError for combinations of keys and network that the algorithm cannot serve (no place in the text).
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
}  // namespace links

namespace pops {
class Algorithm;
struct AlgorithmContext;
/// \throws InputError as above.
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
/// What the referee holds its runs to. Written from what the protocol promises, not from what its controllers do.
using DeclareRules = std::function<Rules(const Pops& pops, const KeyValues& keys)>;
}  // namespace pops

struct RouterParts;

/// A row of a table of names.
struct AlgorithmEntry {
  std::string name;
  std::string meaning;  ///< one clause
  Audience audience = Audience::networks;
  std::vector<std::string> needs;         ///< capabilities: it serves the networks that offer one of them
  std::optional<StorageModel> storage{};  ///< with the default keys; nothing: processors have fixed buffers
  /// Keys that change the storage model when they are given, and to which.
  std::vector<std::pair<std::string, StorageModel>> storage_by_key{};
  std::vector<KeySpec> keys;  ///< below `routing:`, besides `algorithm`
  /// Below `bounds` and `algorithm` of result.json, in the order in which they are written.
  std::vector<MetricSpec> bounds{}, metrics{};
  /// Refuses networks and keys that it cannot serve, before anything large is made, so that a thousand runs can be
  /// asked for in a moment; `make` refuses them as well. Null: packets alone decide. \throws InputError
  std::function<void(const NetworkKeys& network, const KeyValues& keys)> refuse{};
  bool off_line = false;          ///< it plans before the run: it wants to know all packets, and links of latency 1
  bool in_lockstep = false;       ///< online, but nodes count steps together: all packets in step 0, links of latency 1
  bool mixed_lengths = false;     ///< packets of one run may differ in length
  bool divides_channels = false;  ///< it can set virtual channels aside for replies
  bool may_leave_packets = false;    ///< completed runs may have undelivered packets: it does not route them all
  bool message_model = false;        ///< there is a transaction-level model of it
  bool takes_dead_couplers = false;  ///< POPS: it knows what to do where couplers are out of service
  bool takes_ranks = false;          ///< it plans permutations fast, for ranges of ranks and for `plan --falsify`
  /// `limits.quiet` where an experiment gives none, of an algorithm that may move long before it delivers. Null: the
  /// common default.
  std::function<std::int64_t(const NetworkKeys& network)> quiet{};
  /// What it is made with, by the kind of network that it serves.
  std::variant<links::MakeAlgorithm, pops::MakeAlgorithm> make;
  pops::DeclareRules rules{};  ///< POPS networks; null: couplers alone
  /// Patterns that attack it, or that it alone serves; a catalogue that gets the algorithm gets them too.
  std::vector<AlgorithmPattern> patterns{};
  /// Networks of links: checks on the trace of a run what the algorithm promises beyond the rules of the hardware.
  /// Null: it promises no more.
  links::MakeRunAudit audit{};
  /// The same entry with other parts (control/router_parts.hpp), of an algorithm that is made of some; else null.
  std::function<AlgorithmEntry(std::shared_ptr<const RouterParts> parts)> of_parts{};

  /// Whether it serves the networks that offer these.
  bool serves(const Capabilities& offers) const {
    return std::any_of(needs.begin(), needs.end(), [&](const auto& need) { return contains(offers, need); });
  }
};

}  // namespace starloom
