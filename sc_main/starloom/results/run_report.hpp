// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The results of a run on any kind of network: data that commands print and write.
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <starloom/core/links/losses.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/simulation/packet_sums.hpp>
#include <starloom/simulation/simulation.hpp>
#include <string>
#include <vector>

namespace starloom {

/// A row of a table for people: `  queue         at most 1 packet`.
struct Line {
  std::string name;
  std::string text;
};

/// A file of the output folder that not all runs have.
struct OutputFile {
  std::string name;
  std::function<void(const std::filesystem::path& file)> write;  ///< \throws OutputError
};

struct RunReport : SimulationEnd {
  PacketSums sums;
  std::int64_t created = 0;                   ///< packets
  Packets packets;                            ///< the created packets, by number, if a list was requested or needed
  std::vector<Step> delivered;                ///< [packet], no_step if it never arrived
  std::optional<std::vector<Step>> injected;  ///< [packet] as in RunRecord; virtual channels only
  std::optional<links::Losses> lost;          ///< by number; only with faults
  /// [attempt after the first one] that packet; only if packets are sent again, where all attempts are packets
  std::optional<std::map<PacketId, PacketId>> attempts;
  Step steps_run = 0;
  std::int64_t flit_hops = 0;
  std::int64_t activations = 0;  ///< controller runs, for `timing.json`
  MetricValues metrics;          ///< for result.json: those that not every run has
  /// [path of a metric] its text in result.json, if a number there has more digits than a double
  std::map<std::string, std::string> exact_numbers;
  std::vector<Line> timetable;    ///< lines of the summary about the schedule, before its packets
  std::vector<Line> lines;        ///< lines of the summary about the hardware, after the throughput
  std::string advice;             ///< advice on a bad end, if the kind of network has better advice than the outcome
  std::optional<Step> look_at{};  ///< the step or slot that shows a bad end
  std::vector<OutputFile> files;
};

}  // namespace starloom
