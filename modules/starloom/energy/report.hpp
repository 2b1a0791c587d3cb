// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and area of a run as `result.json` and `energy.csv` have them (docs/energy.md).
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/energy/totals.hpp>

namespace starloom::energy {

/// The facts of a run that its events do not have.
struct RunFacts {
  double clock_ns = 1;
  int bits = 128;                        ///< of a flit
  std::int64_t packets = 0;              ///< that arrived over routers or links in the measured steps
  std::optional<double> mean_latency{};  ///< steps; empty: no packet was delivered
};

/// The time over which leakage counts: whole ps for each step.
Duration duration_of(Step steps, double clock_ns);

/// The numbers of section `energy`.
struct Report {
  Use use;                                  ///< of the network
  std::array<Exact, silicon_count> leaked;  ///< aJ, for each component rounded to the nearest
  Exact dynamic, leakage;                   ///< aJ, their sums
  // Quotients; empty if the divisor is 0.
  std::optional<double> per_packet_pj, per_flit_pj, per_bit_pj, power_mw;
  std::optional<double> edp_pj_ns;  ///< also empty without a latency

  Exact total() const { return dynamic + leakage; }
};
Report report_of(const Hardware& hardware, const Events& events, const RunFacts& facts);

/// The first line of `energy.csv`.
std::string energy_csv_header(bool has_toggles);
/// `energy.csv`: a row for each router by node, then for each link by node and out-port.
std::string energy_csv(const NetworkGraph& graph, const Hardware& hardware, const Events& events, StorageModel storage,
                       double clock_ns);

}  // namespace starloom::energy
