// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs on networks with faults.
#include <nlohmann/json.hpp>

#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {

class FaultRuns : public CatalogueRuns {
 protected:
  static std::string mesh8(const std::string& routing, const std::string& traffic, const std::string& faults) {
    return experiment("topology: mesh, shape: [8, 8]", routing, traffic) + "faults: {" + faults + "}\n";
  }
  /// Runs it into `out`, and expects that `verify` accepts the folder. \return the exit status.
  int status_of(const std::string& text, const std::vector<std::string>& options = {}) const {
    const int status = status_of_run(catalogue_, text, "out", options);
    EXPECT_EQ(verdict(), "") << text;
    return status;
  }
  /// Arrivals of the folder `out`.
  std::vector<int> delivered() const {
    std::vector<int> steps;
    std::istringstream cells(column("packets.csv", 5));
    for (std::string cell; cells >> cell;)
      if (cell != "-") steps.push_back(std::stoi(cell));
    return steps;
  }
  int sum_of_delivered() const {
    const std::vector<int> steps = delivered();
    return std::accumulate(steps.begin(), steps.end(), 0);
  }
  nlohmann::ordered_json check_json(const std::string& text) const {
    return nlohmann::ordered_json::parse(
        output_of(catalogue_, {"check", scratch_.write("e.yaml", text).string(), "--json"}));
  }
  std::string refused(const std::string& text) const { return refusal(catalogue_, text); }

  const Catalogue catalogue_ = standard_catalogue();
  static constexpr const char* central_cable = "dead: [link_r03_c03_east]";
  static constexpr const char* random_four = "random: {cables: 4}, seed: 1";
  static constexpr const char* transpose = "transpose, flits: 8";
};

}  // namespace starloom
