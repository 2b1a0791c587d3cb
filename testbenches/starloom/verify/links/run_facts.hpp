// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The facts that a verifier takes from `result.json` (docs/output.md).
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/multicast.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/trace_io/csv_reader.hpp>
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

struct RunFacts {
  RefereeRules rules;
  router::Pipelines pipelines{};  ///< virtual-channels
  int subnets = 1;
  Outcome outcome = Outcome::completed;

  std::optional<bool> count_unsent{};  ///< packets in their source's memory count in `queue`; empty: unknown
  bool phases = false;                 ///< sources never end, so packets are in flight at the end of the run
  Step measured_from = 0;          ///< `packets` and `latency` count packets created in [measured_from, measured_to)
  Step measured_to = no_step;      ///< no_step: to the end
  bool may_leave_packets = false;  ///< a completed run may have undelivered packets among those that count

  std::int64_t packets_undelivered = 0;
  std::optional<QueueMaximum> queue{};  ///< empty: null
};

/// The numbers of the packets and messages of a run.
Numbering numbering_of(const ResultDocument& result);

/// The paths of packets to several destinations on a mesh, by dimension order; null if there are none.
/// \throws InputError
std::shared_ptr<const std::vector<MulticastTree>> paths_of(const ResultDocument& result, const LinkNetwork& network,
                                                           const std::vector<MulticastGroup>& groups);
/// \param network one subnet, if the run has several. \throws InputError if the result lacks a key.
RunFacts read_run_facts(const ResultDocument& result, const LinkNetwork& network, const KnownEntries& known);
/// \param file packets.csv. \throws InputError if a packet is of a class of traffic, or in a subnet, that the run does
/// not have.
void require_classes_and_subnets(const std::filesystem::path& file, const std::vector<Packet>& packets,
                                 const RunFacts& facts);
/// Completes the rules of bubbles. The longest packet of the traffic may be longer than these: what holds for it holds
/// for them.
void note_longest(RefereeRules& rules, const std::vector<Packet>& packets);

/// The number of subnets. \throws InputError if it is not one of a run.
int read_subnets(const ResultDocument& result);

/// The pipelines of the routers: those of the keys, or the default one. \throws InputError if a key has another type or
/// value than in a run.
router::Pipelines read_pipelines(const ResultDocument& result, const NetworkGraph& graph);

}  // namespace starloom::links
