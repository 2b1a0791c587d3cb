// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy of a run over time, in windows of some steps (docs/energy.md).
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <starloom/energy/totals.hpp>

namespace starloom::energy {

/// Successive windows of the measured steps.
class Windows {
 public:
  struct Window {
    Step from, to;           ///< the steps `from` to `to` - 1
    Exact dynamic, leakage;  ///< aJ
    double power_mw;         ///< mean
  };

  /// \param hardware outlives the object
  Windows(const Hardware& hardware, double clock_ns);

  /// The most windows of a run, which a packet that is created late would exceed.
  static constexpr std::size_t most = 1'000'000;

  /// Adds the window of the steps from `from` on. \param events of `events.steps` steps, at least 1
  void add(Step from, const Events& events);
  bool full() const { return list_.size() == most; }
  const std::vector<Window>& list() const { return list_; }
  /// The greatest mean power of a window; empty: there is none.
  std::optional<double> peak_mw() const;
  /// `energy_windows.csv`.
  std::string csv() const;

 private:
  const Hardware& hardware_;
  const double clock_ns_;
  const std::array<Exact, silicon_count> leakage_;  ///< nW of the network
  std::vector<Window> list_;
};

}  // namespace starloom::energy
