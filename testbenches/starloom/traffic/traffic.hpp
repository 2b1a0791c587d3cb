// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Traffic: which packets are created where and when. Depends on topology, keys and seed, never on the algorithm.
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/algorithm_pattern.hpp>
#include <starloom/core/packet_source.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/core/rank_range.hpp>
#include <starloom/schema/audience.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/processors.hpp>
#include <starloom/traffic/replies.hpp>

namespace starloom {

struct PlacedTasks;
struct Transaction;

/// Physical units of an experiment (`units:`).
struct Units {
  double clock_ns = 1;           ///< length of a step, above 0
  std::int64_t flit_bytes = 16;  ///< at least 1
};

/// Phases of an open-loop run, in steps: packets created in [warmup, warmup + measure) are measured; the run goes on,
/// sources included, until they have arrived or `drain` further steps have passed.
struct Phases {
  Step warmup = 0;
  Step measure = 0;
  Step drain = 0;
};

/// A traffic pattern, ready to create packets. Packets depend on topology, keys, seed and data files alone.
class Traffic : public PacketSource {
 public:
  /// Set for open loop with phases (`uniform`, a permutation pattern with `rate`).
  virtual std::optional<Phases> phases() const { return std::nullopt; }
  /// True if packets wait in a source queue that `queue` does not count (open loop, `application`).
  virtual bool open_loop() const { return false; }
  /// The first step from which on nothing is created; `nullopt`: sources never end.
  virtual std::optional<Step> end() const = 0;
  /// Set if packets are answered. Replies depend on when packets arrive, so `generate` knows nothing of them.
  virtual std::optional<ReplyRules> replies() const { return std::nullopt; }
  /// Set if all packets are known: all that `generate` will ever give. Null of others.
  virtual const Packets* packets() const { return nullptr; }
  /// The number of packets that are created from step 0 to `end`; nullopt where sources never end, or where it
  /// depends on the run.
  virtual std::optional<std::int64_t> packet_count() const {
    return packets() == nullptr ? std::nullopt : std::optional(static_cast<std::int64_t>(packets()->size()));
  }
  /// How far the number of flits created in a part of the run is from its mean by chance, if `flits` were created
  /// there: four standard deviations. Default: every flit is drawn by itself.
  virtual double chance(double flits) const { return 4 * std::sqrt(flits); }
  /// True if packets lie where the network keeps them when its algorithm begins, not in the memories of their
  /// processors.
  virtual bool preloaded() const { return false; }
  /// Set if no packets are meant but all permutations of a range, for a planner to plan one by one.
  virtual std::optional<RankRange> ranks() const { return std::nullopt; }
  /// The tasks between which packets go, and where they run; null of patterns without tasks.
  virtual const PlacedTasks* tasks() const { return nullptr; }
  /// What initiators and targets exchange as packets of requests and responses; null of patterns without transactions.
  virtual const std::vector<Transaction>* transactions() const { return nullptr; }
};

/// What a pattern needs to know besides its keys.
struct TrafficContext {
  Processors processors;
  std::uint64_t seed = 1;
  Units units;
  std::filesystem::path folder;  ///< paths in keys are relative to it; empty: the working directory
  bool to_all = false;           ///< packets may go to all nodes (`no_node`): POPS networks
  std::int64_t initiators = 0;   ///< how many make transactions
};

/// A row of the table of patterns.
struct PatternEntry {
  std::string name;
  std::string meaning;        ///< one clause with the formula or its source
  std::vector<KeySpec> keys;  ///< below `traffic:`, besides `pattern`
  /// `keys` has passed the checks of the table: types, ranges and required keys hold. What is made keeps
  /// no reference to the context.
  /// \throws DataFileError if a data file is malformed: all its faults, with their places.
  /// \throws InputError if a data file cannot be opened, or keys and topology do not fit (no place in the text: the
  /// caller puts that of the key `traffic` in front).
  /// Packets go from processor to processor.
  std::function<std::unique_ptr<Traffic>(const TrafficContext& context, const KeyValues& keys)> make;
  bool uniform_destinations = false;  ///< open loop in which every packet goes to a uniform processor
  Audience audience = Audience::networks;
  std::string old_name{};  ///< accepted in files, but not listed; empty: none
};

/// The pattern of this name, or else of this old name; null if there is none.
const PatternEntry* find_entry(const std::vector<PatternEntry>& table, const std::string& name);

/// A pattern of an algorithm as one of the table: destinations get the keys of packet lengths and open loop, stored
/// packets that of their length.
PatternEntry pattern_entry(const AlgorithmPattern& pattern);

/// The keys of a pattern without `rate` and all that needs it: its packets are then a list, all created in step 0.
KeyValues without_rate(const KeyValues& keys);

/// The traffic of a pattern as the network sees it: packets go from node to node. Throws as `entry.make`.
std::unique_ptr<Traffic> make_traffic(const PatternEntry& entry, const TrafficContext& context, const KeyValues& keys);

/// The patterns that belong to no algorithm, in the order of `starloom list`.
const std::vector<PatternEntry>& pattern_table();

}  // namespace starloom
