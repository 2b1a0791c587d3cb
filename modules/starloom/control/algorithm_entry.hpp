// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing algorithm of any kind of network as a row of a table: its name, its keys, and the function that
/// makes it.
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
/// \throws InputError for combinations of keys and network that the algorithm does not support (the text has no
/// location).
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
}  // namespace links

namespace pops {
class Algorithm;
struct AlgorithmContext;
/// \throws InputError as above.
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
/// The rules that the referee checks on its runs. Derived from what the protocol promises, not from what its
/// controllers do.
using DeclareRules = std::function<Rules(const Pops& pops, const KeyValues& keys)>;
}  // namespace pops

struct RouterParts;

/// A row of a table of names.
struct AlgorithmEntry {
  std::string name;
  std::string meaning;  ///< one clause
  Audience audience = Audience::networks;
  std::vector<std::string> needs;         ///< capabilities: it supports networks that offer one of them
  std::optional<StorageModel> storage{};  ///< with the default keys; empty: processors have fixed buffers
  /// Keys that change the storage model when they are given, and the model that they select.
  std::vector<std::pair<std::string, StorageModel>> storage_by_key{};
  std::vector<KeySpec> keys;  ///< below `routing:`, besides `algorithm`
  /// Below `bounds` and `algorithm` of result.json, in the order of the file.
  std::vector<MetricSpec> bounds{}, metrics{};
  /// Refuses networks and keys that it does not support, before anything large is made, so that a thousand runs are
  /// checked quickly; `make` refuses them as well. Null: only the packets can be refused. \throws InputError
  std::function<void(const NetworkKeys& network, const KeyValues& keys)> refuse{};
  bool off_line = false;     ///< it plans before the run: it needs all packets in advance, and links of latency 1
  bool in_lockstep = false;  ///< online, but nodes count steps together: all packets in step 0, links of latency 1
  /// Its nodes may have more than `ports_per_word` ports; controllers of flits then are WideFlitControllers.
  bool many_ports = false;
  bool mixed_lengths = false;        ///< packets of one run may differ in length
  bool divides_channels = false;     ///< it can reserve virtual channels for replies
  bool may_leave_packets = false;    ///< completed runs may have undelivered packets: it does not route them all
  bool message_model = false;        ///< there is a transaction-level model of it
  bool takes_dead_couplers = false;  ///< POPS: it routes around couplers that are out of service
  /// Networks of links: it routes on what dead links and routers leave, and its controllers go on when some die.
  bool takes_dead_links = false;
  bool takes_ranks = false;  ///< it plans permutations fast enough for ranges of ranks and for `plan --falsify`
  /// The default of `limits.quiet` for an algorithm that may move packets for long before it delivers one. Null: the
  /// common default.
  std::function<std::int64_t(const NetworkKeys& network)> quiet{};
  /// The function that makes it, by the kind of network that it supports.
  std::variant<links::MakeAlgorithm, pops::MakeAlgorithm> make;
  pops::DeclareRules rules{};  ///< POPS networks; null: only the rules of couplers
  /// Patterns that attack it, or that only it supports; a catalogue that gets the algorithm gets them too.
  std::vector<AlgorithmPattern> patterns{};
  /// Networks of links: checks on the trace of a run what the algorithm promises beyond the rules of the hardware.
  /// Null: no such promises.
  links::MakeRunAudit audit{};
  /// The same entry with other parts (control/router_parts.hpp), for an algorithm that is made of some; else null.
  std::function<AlgorithmEntry(std::shared_ptr<const RouterParts> parts)> of_parts{};

  /// True if it supports networks with these capabilities.
  bool serves(const Capabilities& offers) const {
    return std::any_of(needs.begin(), needs.end(), [&](const auto& need) { return contains(offers, need); });
  }
};

}  // namespace starloom
