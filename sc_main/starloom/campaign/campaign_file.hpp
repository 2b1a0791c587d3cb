// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A campaign: points of an experiment, their numbers of runs, the metrics that are kept, and references.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/campaign/axes.hpp>
#include <starloom/campaign/metrics.hpp>
#include <starloom/campaign/views.hpp>
#include <starloom/experiment/experiment.hpp>

namespace starloom {

/// One combination of axis values.
// NOLINTNEXTLINE(bugprone-exception-escape): the moves of ordered_json do not throw
struct Point {
  std::vector<nlohmann::ordered_json> at;  ///< the value of every axis, in the order of the file
  Experiment experiment;                   ///< its seed is that of run 0; run i has seed + i
  nlohmann::ordered_json facts;            ///< the experiment with all defaults, as in result.json
  std::string key;  ///< SHA-256 of everything that determines the rows: facts, version, kept metrics
  std::int64_t runs = 1;
  bool has_sound_packets = false;  ///< errors that need packets have been searched
};

/// A reference value for one metric of one point.
struct Reference {
  std::size_t point = 0;
  std::string metric;
  double value = 0;
  std::optional<double> tolerance;  ///< greatest accepted difference of the mean; empty: shown, not checked
  std::string source;
  SourceLocation location;
};

/// A checked campaign file.
struct Campaign {
  std::filesystem::path file;
  std::string name;
  std::vector<std::string> axes;  ///< keys of all axes, including those of `zip`, in the order of the file
  std::vector<Point> points;      ///< the last axis changes fastest
  Metrics keep;
  std::vector<Reference> references;
  std::optional<std::vector<PlotView>> plots;  ///< none: one plot for each metric
  std::vector<TableView> tables;
  std::map<std::string, std::string> units;  ///< of axes and metrics that have one, by their paths
  std::optional<double> seconds;             ///< time limit of a run, which then counts as failed

  /// For messages: `network.shape=[8,8] routing.discipline="fifo"`; the name of the campaign if there are no axes.
  std::string label(const Point& point) const;
};

/// A point without axes: `runs` runs of an experiment, of which these metrics are kept.
Point make_point(Experiment experiment, std::int64_t runs, const Metrics& keep);

/// Reads and checks a campaign and the experiment of every point: keys, networks, and packets as long as creating
/// them is fast. Experiments refer to the catalogue. \throws InputError with all errors found in one pass.
Campaign load_campaign(const Catalogue& catalogue, const std::filesystem::path& file);

/// Searches for errors that need packets or a plan if that has not been done. `points`: those that are going to run.
/// \throws InputError with all errors of all of them.
void require_points(const Campaign& campaign, const std::vector<std::size_t>& points);

}  // namespace starloom
