#pragma once
/// \file The referee: replays what happened on the links and checks the physical rules. It knows nothing of fabric and
/// controllers; it links core and topology only.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/packet.hpp"
#include "core/run_record.hpp"
#include "core/trace.hpp"
#include "topology/topology.hpp"

namespace starloom {

/// The rules that a run declared for itself.
struct RefereeRules {
  enum class Storage { store_and_forward, virtual_channels, links_only, never_standing };
  Storage storage = Storage::store_and_forward;
  std::int32_t bound = 0;         ///< store-and-forward: most packets that stay in a node, 0 = none
  std::int32_t channels = 1;      ///< virtual-channels: channels per link
  std::int32_t capacity = 0;      ///< virtual-channels: flits per channel buffer, 0 = no limit
  std::int32_t link_latency = 1;  ///< steps
  bool routes_own = false;        ///< packets for their own node appear in the trace like all others
  std::vector<NodeId> foreign;    ///< nodes whose module is not a Processor, sorted
};

/// Streaming: memory grows with packets and nodes, not with rows.
class Referee final : public TraceSink {
 public:
  Referee(const Topology& topology, RefereeRules rules);
  ~Referee() override;
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  /// Announces packets, in order of their numbers, at the latest before the first row that names them.
  void packets(const std::vector<Packet>& next);
  /// The rows of one step, sorted; steps ascend. After the first violation further rows are ignored.
  void rows(const std::vector<TraceRow>& of_one_step) override;
  /// The end of the trace. `delivered` [packet] as reported (no_step: not delivered) must be what the rows say;
  /// a run that reports deliveries but has no rows is rejected. `complete`: every packet must have arrived.
  void finish(const std::vector<Step>& delivered, bool complete);

  bool ok() const;
  /// The first broken rule; valid if !ok().
  const Violation& violation() const;
  std::int64_t rows_seen() const;

 private:
  class Replay;
  std::unique_ptr<Replay> replay_;
};

}  // namespace starloom
