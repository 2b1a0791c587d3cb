// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a verifier takes from `result.json` (docs/output.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/core/links/run_record.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// One of `latency.p50`, `latency.p95`, `latency.p99`.
struct Percentile {
  std::string name;
  std::size_t percent = 50;
  std::optional<Step> value{};  ///< empty: null
};

struct RunFacts {
  RefereeRules rules;
  std::string outcome{};

  std::optional<bool> count_unsent{};  ///< packets in their source's memory count in `queue`; empty: nothing tells
  bool phases = false;                 ///< sources never end, so that packets are under way when the run does
  Step measured_from = 0;          ///< `packets` and `latency` count packets created in [measured_from, measured_to)
  Step measured_to = no_step;      ///< no_step: to the end
  bool may_leave_packets = false;  ///< a completed run may have undelivered packets among those that count

  // Figures, to be compared with the rows.
  std::int64_t packets_total = 0;
  std::int64_t packets_delivered = 0;
  std::int64_t packets_undelivered = 0;
  Step steps = 0;
  std::int64_t flit_hops = 0;
  std::int64_t control_hops = 0;
  std::int64_t max_load = 0;
  std::optional<Step> latency_max{};    ///< empty: null
  std::optional<QueueMaximum> queue{};  ///< empty: null
  // Those that not every result has.
  std::vector<Percentile> percentiles{};
  std::optional<double> latency_mean{};
  std::optional<bool> latency_partial{};
  std::optional<bool> saturated{};
};

/// \throws InputError if the result lacks a key.
RunFacts read_run_facts(const ResultDocument& result, const NetworkGraph& graph, const KnownEntries& known);

}  // namespace starloom::links
