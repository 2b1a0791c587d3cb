// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and the area of a run: counts times costs, in exact numbers (docs/energy.md).
#include <array>
#include <cstdint>
#include <numeric>
#include <string>

#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>

namespace starloom::energy {

/// Sums that 64 bits need not hold.
__extension__ typedef __int128 Exact;

/// An exact number of 10^-`decimals`, without zeros at its end: `607.764983`.
std::string exact_text(Exact value, int decimals);

/// aJ in pJ, and 10^-3 um2 in um2.
inline constexpr int decimals_of_energy = 6, decimals_of_area = 3;
inline double picojoules(Exact attojoules) { return static_cast<double>(attojoules) / 1e6; }

/// The counts, energy and silicon of a router, a link or a network.
struct Use {
  ByEvent counts{};
  std::array<Exact, event_count> dynamic{};    ///< aJ
  std::array<Exact, silicon_count> leakage{};  ///< nW
  std::array<Exact, silicon_count> area{};     ///< 10^-3 um2

  Use& operator+=(const Use& more);
  Exact all_dynamic() const { return std::accumulate(dynamic.begin(), dynamic.end(), Exact{0}); }
  Exact all_leakage() const { return std::accumulate(leakage.begin(), leakage.end(), Exact{0}); }
  Exact all_area() const { return std::accumulate(area.begin(), area.end(), Exact{0}); }
};

/// The time over which leakage counts.
struct Duration {
  Step steps = 0;
  std::int64_t step_ps = 1000;

  /// aJ, to the nearest one. \param power nW
  Exact leaked(Exact power) const { return (power * step_ps * steps + 500) / 1000; }
  double nanoseconds() const { return static_cast<double>(steps) * static_cast<double>(step_ps) / 1000; }
};

/// The mean power, dynamic and leakage. mW; 0 over no time
double mean_power_mw(const Use& use, const Duration& duration);

Use use_of_router(const Hardware& hardware, const Events& events, NodeId node);
/// \param link node * ports + out-port
Use use_of_link(const Hardware& hardware, const Events& events, std::size_t link);
/// The sum over all routers and links.
Use use_of_network(const Hardware& hardware, const Events& events);
/// Its dynamic energy alone, which takes less time. aJ
Exact dynamic_of_network(const Hardware& hardware, const Events& events);
/// Its leakage and area, without events.
Use silicon_of_network(const Hardware& hardware);

}  // namespace starloom::energy
