// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/pops/optical_metrics.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace starloom::pops {

void compare_optics(Comparison& comparison, const ResultDocument& result, const Pops& pops, const CouplerUse& use) {
  const auto part = [&result](const char* name) { return result.number(std::string("experiment.optics.") + name); };
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  int stages = 0;
  while ((std::int64_t{1} << stages) < pops.group_size()) ++stages;
  const double loss_db =
      10 * std::log10(pops.group_size()) + part("excess_db") * static_cast<double>(stages) + part("connectors_db");
  comparison.expect_rounded("optics.margin_db", part("launch_dbm") - loss_db - part("sensitivity_dbm"));

  const auto slot_ns = [&](double bytes) { return part("guard_ns") + 8 * bytes / part("bit_rate_gbps"); };
  const double data_ns = slot_ns(result.number("experiment.units.flit_bytes")), ack_ns = slot_ns(part("ack_bytes"));
  comparison.expect_rounded("optics.time_ns", number(use.data_slots) * data_ns + number(use.ack_slots) * ack_ns);
  const double energy_pj =
      part("transmitter_mw") * (number(use.data_drives) * data_ns + number(use.ack_drives) * ack_ns);
  comparison.expect_rounded("optics.energy_pj_per_packet",
                            use.delivered > 0 ? std::optional(energy_pj / number(use.delivered)) : std::nullopt);
}

}  // namespace starloom::pops
