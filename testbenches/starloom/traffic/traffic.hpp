// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Traffic: the source, destination and time of all packets. Depends on topology, keys and seed, never on the
/// algorithm.
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/algorithm_pattern.hpp>
#include <starloom/core/multicast.hpp>
#include <starloom/core/packet_source.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/core/rank_range.hpp>
#include <starloom/schema/audience.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/processors.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/replies.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

struct ClosedLoop;
struct PatternEntry;
struct PlacedTasks;
class Program;
struct Transaction;

/// Physical units of an experiment (`units:`).
struct Units {
  double clock_ns = 1;           ///< length of a step, above 0
  std::int64_t flit_bytes = 16;  ///< at least 1
};

/// Phases of an open-loop run, in steps: packets created in [warmup, warmup + measure) are measured; the run
/// continues, with its sources, until these have arrived or `drain` further steps have passed.
struct Phases {
  Step warmup = 0;
  Step measure = 0;
  Step drain = 0;
};

/// Packets of an open loop from a source to a fixed destination.
struct PairRate {
  NodeId source = 0;
  NodeId destination = 0;
  double rate = 0;         ///< mean flits per step
  std::int32_t flits = 0;  ///< of each packet; 0: any of the lengths of the stream
};

/// Packets of an open loop that have one distribution of lengths, without replies.
struct PacketStream {
  double rate = 0;           ///< mean flits per processor and step
  double uniform_share = 0;  ///< of the packets, which go to uniform processors
  bool to_itself = true;     ///< a processor is one of its uniform destinations
  PacketLengths lengths{};
  int traffic_class = 0;
  std::vector<PairRate> pairs{};  ///< of the packets that do not go to uniform processors
};

/// A netrace file of which packets are the records.
struct NetraceFacts {
  std::string name;          ///< of the recorded program
  std::string notes;         ///< about it; empty: none
  int nodes = 0;             ///< of the recorded machine
  std::int64_t records = 0;  ///< of the run
  Step cycles = 0;           ///< that they took in the recorded machine
};

/// A traffic pattern, ready to create packets. Packets depend only on topology, keys, seed and data files.
class Traffic : public PacketSource {
 public:
  /// Set for open loop with phases (`uniform`, a permutation pattern with `rate`).
  virtual std::optional<Phases> phases() const { return std::nullopt; }
  /// Those of an open loop with phases: one, or one for each class of traffic that has packets of its own.
  virtual std::vector<PacketStream> streams() const { return {}; }
  /// True if packets wait in a source queue that `queue` does not count (open loop, `application`).
  virtual bool open_loop() const { return false; }
  /// The first step from which on no packets are created; `nullopt`: sources never end, or it depends on the run.
  virtual std::optional<Step> end() const = 0;
  /// Set if packets get replies. Replies depend on arrivals, so `generate` does not create them.
  virtual std::optional<ReplyRules> replies() const { return std::nullopt; }
  /// Set if all packets are known: all that `generate` will ever return. Null for other traffic.
  virtual const Packets* packets() const { return nullptr; }
  /// The number of packets that are created from step 0 to `end`; nullopt if sources never end, or if it depends on
  /// the run.
  virtual std::optional<std::int64_t> packet_count() const {
    return packets() == nullptr ? std::nullopt : std::optional(static_cast<std::int64_t>(packets()->size()));
  }
  /// The random deviation of the number of flits created in a part of the run from its mean, if `flits` were created
  /// there: four standard deviations. Default: independent flits.
  virtual double deviation(double flits) const { return 4 * std::sqrt(flits); }
  /// Set if packets wait for the delivery of others: a new run of its messages. `generate` does not create them.
  virtual std::unique_ptr<Workload> workload() const { return nullptr; }
  /// The same for a network in which no packet meets another one, where it ends in a step that no run precedes; null if
  /// no such step is known.
  virtual std::unique_ptr<Workload> ideal_workload() const { return workload(); }
  /// The groups of packets to several destinations (`is_group`).
  virtual std::vector<MulticastGroup> groups() const { return {}; }
  /// Set if the workload is that of clients and servers.
  virtual const ClosedLoop* closed_loop() const { return nullptr; }
  /// Set if the workload is that of a program of collectives.
  virtual const Program* program() const { return nullptr; }
  /// Set if packets are records of a netrace file: they keep the numbers of the records, and those that wait for others
  /// are noted as created in the step that releases them, the one before they enter the memory of their processor.
  virtual std::optional<NetraceFacts> netrace() const { return std::nullopt; }
  /// True if packets start in the network when its algorithm begins, not in the memories of their processors.
  virtual bool preloaded() const { return false; }
  /// Set if the traffic is not packets but all permutations of a range, for a planner to plan one by one.
  virtual std::optional<RankRange> ranks() const { return std::nullopt; }
  /// The tasks between which packets are sent, and their nodes; null for patterns without tasks.
  virtual const PlacedTasks* tasks() const { return nullptr; }
  /// The transactions that initiators and targets exchange as packets of requests and responses; null for patterns
  /// without transactions.
  virtual const std::vector<Transaction>* transactions() const { return nullptr; }
};

/// The packets of a class of traffic.
struct ClassPattern {
  std::string name;                       ///< of the class
  const PatternEntry* pattern = nullptr;  ///< null: they are in the packet file of all classes, or are replies only
  KeyValues keys{};                       ///< of the pattern
  std::optional<ReplyRules> reply{};      ///< to its packets
  std::optional<int> subnet = 0;          ///< of its packets, unless the file gives another one; none: any
};

/// The input of a pattern besides its keys.
struct TrafficContext {
  Processors processors;
  std::uint64_t seed = 1;
  Units units;
  std::filesystem::path folder;         ///< paths in keys are relative to it; empty: the working directory
  bool to_all = false;                  ///< packets may go to all nodes (`no_node`): POPS networks
  std::int64_t initiators = 0;          ///< number of initiators of transactions
  std::vector<ClassPattern> classes{};  ///< of traffic
  int subnets = 1;                      ///< that packets may be in
  bool mixed_lengths = true;            ///< packets may differ in length
  std::uint32_t first_word = 0;         ///< is added to the index of the random words of sources and destinations
};

/// The pattern whose packets are those of classes, each with a pattern of its own.
inline constexpr const char* pattern_of_classes = "classes";

/// A row of the table of patterns.
struct PatternEntry {
  std::string name;
  std::string meaning;        ///< one clause with the formula or its source
  std::vector<KeySpec> keys;  ///< below `traffic:`, besides `pattern`
  /// `keys` has passed the checks of the table: types, ranges and required keys. The result keeps no reference to the
  /// context.
  /// \throws DataFileError if a data file is malformed: all its errors, with their locations.
  /// \throws InputError if a data file cannot be opened, or if keys and topology are incompatible (the text has no
  /// location: the caller adds that of the key `traffic`). Packets go from processor to processor.
  std::function<std::unique_ptr<Traffic>(const TrafficContext& context, const KeyValues& keys)> make;
  Audience audience = Audience::networks;
  std::string old_name{};  ///< accepted in files, but not listed; empty: none
  /// The key to which all rates of its open loop are proportional, if the pattern has it.
  std::string load_key = "rate";
};

/// The pattern of this name, or else of this old name; null if there is none.
const PatternEntry* find_entry(const std::vector<PatternEntry>& table, const std::string& name);

/// The table entry for a pattern of an algorithm: patterns of destinations get the keys of packet lengths and open
/// loop, patterns of stored packets that of their length.
PatternEntry pattern_entry(const AlgorithmPattern& pattern);

/// The traffic of a pattern for the network: packets go from node to node. Throws as `entry.make`.
std::unique_ptr<Traffic> make_traffic(const PatternEntry& entry, const TrafficContext& context, const KeyValues& keys);

/// The patterns that do not belong to an algorithm, in the order of `starloom list`.
const std::vector<PatternEntry>& pattern_table();

}  // namespace starloom
