// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A campaign: points of an experiment, how often each is run, what is kept, what it is compared with.
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
  std::string key;                         ///< SHA-256 of what determines the rows: facts, version, kept figures
  std::int64_t runs = 1;
  bool has_sound_packets = false;  ///< faults that need packets have been looked for
};

/// A value from elsewhere for one figure of one point.
struct Reference {
  std::size_t point = 0;
  std::string metric;
  double value = 0;
  std::optional<double> tolerance;  ///< how far the mean may be away; nothing: shown, not judged
  std::string source;
  SourceLocation location;
};

/// A checked campaign file.
struct Campaign {
  std::filesystem::path file;
  std::string name;
  std::vector<std::string> axes;  ///< keys of all axes, those of `zip` included, in the order of the file
  std::vector<Point> points;      ///< the last axis changes fastest
  Metrics keep;
  std::vector<Reference> references;
  std::optional<std::vector<PlotView>> plots;  ///< none: one plot for each figure
  std::vector<TableView> tables;
  std::map<std::string, std::string> units;  ///< of axes and figures that have one, by their paths
  std::optional<double> seconds;             ///< time limit of a run, which then counts as failed

  /// For messages: `network.shape=[8,8] routing.discipline="fifo"`; the name of the campaign if there are no axes.
  std::string label(const Point& point) const;
};

/// A point of no axes: `runs` runs of an experiment of which these figures are kept.
Point make_point(Experiment experiment, std::int64_t runs, const Metrics& keep);

/// Reads and checks a campaign and the experiment of every point: what keys and networks tell, and what packets tell,
/// as long as making them is quick. Experiments refer to the catalogue. \throws InputError with all faults found in
/// one pass.
Campaign load_campaign(const Catalogue& catalogue, const std::filesystem::path& file);

/// Looks for faults that need packets or a plan where that has not been done. `points`: those that are going to run.
/// \throws InputError with all faults of all of them.
void require_points(const Campaign& campaign, const std::vector<std::size_t>& points);

}  // namespace starloom
