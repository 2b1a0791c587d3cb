// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file POPS(d, g) as an immutable value: groups of processors, and a passive star coupler for each pair of groups.
#include <cstdint>
#include <string>

#include <starloom/core/ids.hpp>
#include <starloom/support/reciprocal.hpp>

namespace starloom {

/// d processors in each of g groups; processor = group * d + index. The coupler from group a to group b has the
/// processors of a as its inputs and those of b as its outputs (docs/pops.md, "A slot").
class Pops {
 public:
  /// The greatest number of couplers that a run or a model supports.
  static constexpr std::int64_t most_couplers = std::int64_t{1} << 29;

  /// \throws std::invalid_argument if d or g is below 1, or d * g above 2^30.
  Pops(std::int64_t group_size, std::int64_t groups);

  std::int32_t group_size() const { return static_cast<std::int32_t>(by_size_.divisor()); }
  std::int32_t groups() const { return groups_; }
  NodeId nodes() const { return group_size() * groups_; }
  std::int64_t couplers() const { return std::int64_t{groups_} * groups_; }

  std::int32_t group_of(NodeId node) const {
    return static_cast<std::int32_t>(by_size_.quotient(static_cast<std::uint32_t>(node)));
  }
  std::int32_t index_of(NodeId node) const { return node - group_of(node) * group_size(); }
  NodeId node_at(std::int32_t group, std::int32_t index) const { return group * group_size() + index; }
  /// Couplers are numbered by (source group, destination group).
  std::int64_t coupler(std::int32_t to, std::int32_t from) const { return std::int64_t{from} * groups_ + to; }

  /// `proc_g02_p01`; index width = digits of the largest, at least 2.
  std::string node_name(NodeId node) const;
  /// `coupler_to02_from05`
  std::string coupler_name(std::int32_t to, std::int32_t from) const;
  /// `row_from05`: all couplers that a group drives.
  std::string row_name(std::int32_t from) const;
  /// `column_to02`: all couplers that a group samples.
  std::string column_name(std::int32_t to) const;

 private:
  Reciprocal by_size_;
  std::int32_t groups_ = 1;
};

}  // namespace starloom
