// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy of whole runs as exact numbers.
#include <algorithm>
#include <string>
#include <vector>

#include <starloom/energy/totals.hpp>
#include <starloom/run/standard_catalogue.hpp>

#include "catalogue_runs.hpp"

namespace starloom {

/// The section with all defaults.
inline const std::string default_energy = "energy: {}\n";

class EnergyFixture : public CatalogueRuns {
 protected:
  using Json = nlohmann::ordered_json;
  using Exact = energy::Exact;

  /// One-way packets on a mesh of one row or more, with these lines of a packet file.
  std::string packets(const std::string& shape, const std::string& router, const std::string& lines) const {
    scratch_.write("packets.csv", "cycle,source,destination,flits\n" + lines);
    return experiment("topology: mesh, shape: " + shape, "vc-wormhole, " + router, "packets, file: packets.csv");
  }
  /// Transactions of two initiators on a mesh, with these lines of their file; one memory in node 2.
  std::string transactions(const std::string& shape, const std::string& initiators, const std::string& lines) const {
    scratch_.write("transactions.csv", "time,initiator,command,address,length,data,byte_enable\n" + lines);
    return experiment("topology: mesh, shape: " + shape, "vc-wormhole, channels: 2",
                      "transactions, file: transactions.csv") +
           "tlm: {view: cycle-accurate, initiators: [" + initiators +
           "], targets: [{node: 2, base: 0x1000, size: 256}]}\n";
  }
  /// Section `energy` of the result.
  Json energy_of(const std::string& text, const std::vector<std::string>& options = {}) const {
    run(catalogue_, text, "out", options);
    return result().at("energy");
  }
  /// Dynamic energy that does not depend on the duration of a run, in aJ.
  static Exact without_clock(const Json& energy) {
    return exact(energy.at("dynamic_pj").dump()) - exact(energy.at("dynamic").at("clock").dump());
  }
  /// A decimal number of up to six places, times 10^6.
  static Exact exact(const std::string& text) {
    Exact value = 0;
    int places = -1;
    for (const char c : text) {
      if (c == '.') places = 0;
      if (c == '.') continue;
      EXPECT_TRUE(c >= '0' && c <= '9') << text;
      value = 10 * value + (c - '0');
      if (places >= 0) ++places;
    }
    for (int place = std::max(places, 0); place < 6; ++place) value *= 10;
    return value;
  }

  const Catalogue catalogue_ = standard_catalogue();
};

}  // namespace starloom
