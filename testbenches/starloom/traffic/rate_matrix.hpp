// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Open-loop sources with a rate for every pair of processors, from a file (`pattern: matrix`).
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/traffic/open_loop.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// A row of a file of rates.
struct RateRow {
  NodeId source = 0;
  NodeId destination = 0;
  double rate = 0;         ///< mean flits per step while the row applies
  std::int32_t flits = 0;  ///< of each packet; 0: `flits` of the pattern
  Step from = 0;           ///< the first step in which the row applies
  Step to = no_step;       ///< the first one after `from` in which it does not; `no_step`: it applies until the end
  std::size_t line = 0;    ///< of the file
};

/// The rows of a CSV file `source,destination,rate`, with further columns `flits`, `from` and `to` in any order
/// (docs/formats.md). Processors are given by number or name.
/// \throws ConfigError for the key `file` if it cannot be read; DataFileError with all its faults, and if the rows of
/// a processor create more than one packet in a step: `scale` multiplies all rates, and rows without flits have packets
/// of these lengths.
std::vector<RateRow> read_rates(const TrafficContext& context, const std::string& file, const PacketLengths& lengths,
                                double scale);

/// Node v creates at most one packet in step t: that of its row r if word(seed, 2, v, t, 0) is in
/// [floor(q * 2^32), floor((q + p) * 2^32)). Here p is the probability of the row, its rate divided by the mean length
/// of its packets, and q the sum of those of the earlier rows of v that apply in step t. A node with one row therefore
/// creates its packets in the same steps as with `OpenLoop`.
class RateMatrix final : public Traffic {
 public:
  /// \param rows in the order of the file. In no step the probabilities of a node have a sum above 1.
  /// \param scale multiplies all rates, at least 0.
  /// \param first_word is added to the index of all random words.
  RateMatrix(std::uint64_t seed, NodeId nodes, std::vector<RateRow> rows, double scale, const PacketLengths& lengths,
             std::optional<ReplyRules> replies, const Phases& phases, std::uint32_t first_word);

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  Step next_creation(Step from) const override;
  std::optional<Step> end() const override { return busy_.empty() ? std::optional<Step>(0) : std::nullopt; }
  std::optional<Phases> phases() const override { return phases_; }
  /// With the mean rates of the measurement phase.
  std::vector<PacketStream> streams() const override;
  bool open_loop() const override { return true; }
  std::optional<ReplyRules> replies() const override { return replies_; }
  double deviation(double flits) const override { return Traffic::deviation(flits * dispersion_); }

 private:
  struct Change {
    Step step;
    NodeId node;
  };

  void generate_step(Step step, std::vector<Packet>& out);
  /// Sets the thresholds of the rows of a node that apply in a step.
  void set_thresholds(NodeId node, Step step);
  double mean_length(const RateRow& row) const { return row.flits > 0 ? row.flits : lengths_.mean(); }
  double measured_rate(const RateRow& row) const;

  std::uint64_t seed_;
  std::uint32_t first_word_;
  NodeId nodes_;
  std::vector<RateRow> rows_;  ///< by source, then as in the file; rates are multiplied by `scale`
  PacketLengths lengths_;
  std::optional<ReplyRules> replies_;
  Phases phases_;
  double dispersion_;
  std::vector<std::size_t> first_row_;       ///< [node], and one more
  std::vector<std::uint64_t> below_;         ///< [row] words below this, and not below that of the row before it
  std::vector<std::uint64_t> threshold_;     ///< [node] of its last row
  std::vector<Change> changes_;              ///< steps from which on other rows of a node apply, ascending
  std::size_t next_change_ = 0;              ///< of `changes_`
  std::vector<std::pair<Step, Step>> busy_;  ///< steps [first, second) in which rows apply, ascending and apart
  std::vector<std::uint32_t> words_;         ///< of the step
};

}  // namespace starloom
