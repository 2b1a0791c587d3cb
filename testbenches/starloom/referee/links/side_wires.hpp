// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The side wires over which no credit comes back, because their hardware is dead.
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/referee/links/check_context.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// The side wire of a dead link, and that between a dead router and its processor, carries no word; a flit that leaves
/// its buffer in the step before the death or later returns none, until the repair. A location is a link, or a local
/// in-port behind all links; its buffers have the numbers location * channels + channel.
class SideWires {
 public:
  static constexpr Step credit_word = 1;  ///< steps from leaving a buffer to the word

  /// \param context outlives it.
  explicit SideWires(const CheckContext& context)
      : context_(context), channels_(static_cast<std::size_t>(context.rules().channels)) {}

  /// Hardware dies or is repaired. \return the location; empty: it has no side wire.
  std::optional<std::size_t> change(const FaultEvent& event);

  std::size_t channels() const { return channels_; }
  std::size_t location_of(std::size_t buffer) const { return buffer / channels_; }
  NodeId node_of(std::size_t buffer) const;
  /// True if a flit that leaves a buffer in a step, or in one of these, returns no credit.
  bool is_silent(std::size_t location, Step left) const { return was_silent(location, left, left); }
  bool was_silent(std::size_t location, Step from, Step to) const;
  /// True if a side wire was repaired after step `left`, in step `row` at the latest.
  bool was_repaired(std::size_t location, Step left, Step row) const;
  /// A word is on a side wire. \throws Breach if that is dead
  void check_word(Step step, std::size_t buffer) const {
    if (is_silent(location_of(buffer), step - credit_word))
      reject(step, buffer, "a credit is returned over a dead side wire, for");
  }
  [[noreturn]] void reject(Step step, std::size_t buffer, const std::string& text) const;

 private:
  struct Silence {
    Step from, to;
  };

  const CheckContext& context_;
  const std::size_t channels_;
  std::map<std::size_t, std::vector<Silence>> silent_;  ///< by location
};

}  // namespace starloom::links
