// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/pops/pops.hpp>

#include <stdexcept>

#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

std::uint32_t checked_size(std::int64_t group_size, std::int64_t groups) {
  if (group_size < 1 || groups < 1)
    throw std::invalid_argument("a POPS network has at least one group and one processor per group, not " +
                                std::to_string(group_size) + " and " + std::to_string(groups));
  if (group_size > (std::int64_t{1} << 30) / groups)
    throw std::invalid_argument("a POPS network has at most 2^30 processors");
  return static_cast<std::uint32_t>(group_size);
}

}  // namespace

Pops::Pops(std::int64_t group_size, std::int64_t groups)
    : by_size_(checked_size(group_size, groups)), groups_(static_cast<std::int32_t>(groups)) {}

std::string Pops::node_name(NodeId node) const {
  return "proc_g" + padded(group_of(node), groups_) + "_p" + padded(index_of(node), group_size());
}

std::string Pops::coupler_name(std::int32_t to, std::int32_t from) const {
  return "coupler_to" + padded(to, groups_) + "_from" + padded(from, groups_);
}

std::string Pops::row_name(std::int32_t from) const { return "row_from" + padded(from, groups_); }

std::string Pops::column_name(std::int32_t to) const { return "column_to" + padded(to, groups_); }

}  // namespace starloom
