// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/data_sum/data_sum.hpp>

namespace starloom::pops {

DataSumProgram::DataSumProgram(const Pops& pops) : pops_(pops) {
  const std::int32_t d = pops.group_size(), g = pops.groups();
  for (std::int64_t stride = 1; stride < d; stride *= 2)
    for (std::int64_t pair = 0; (2 * pair + 1) * stride < d; pair += g)
      parts_.push_back({false, static_cast<std::int32_t>(stride), static_cast<std::int32_t>(pair)});
  for (std::int64_t stride = 1; stride < g; stride *= 2) parts_.push_back({true, static_cast<std::int32_t>(stride), 0});
}

std::int32_t DataSumProgram::sends_to(NodeId node, std::int64_t slot) const {
  const Part& part = parts_[static_cast<std::size_t>(slot)];
  const std::int32_t group = pops_.group_of(node), index = pops_.index_of(node);
  if (part.among_groups) return index == 0 && group % (2 * part.stride) == part.stride ? group - part.stride : no_group;
  if (index % (2 * part.stride) != part.stride) return no_group;
  const std::int32_t turn = index / (2 * part.stride) - part.first;  // of g pairs, each with another group
  return turn >= 0 && turn < pops_.groups() ? (group + turn) % pops_.groups() : no_group;
}

std::int32_t DataSumProgram::samples(NodeId node, std::int64_t slot) const {
  const Part& part = parts_[static_cast<std::size_t>(slot)];
  const std::int32_t group = pops_.group_of(node), index = pops_.index_of(node), g = pops_.groups();
  if (part.among_groups)
    return index == 0 && group % (2 * part.stride) == 0 && group < g - part.stride ? group + part.stride : no_group;
  if (index % (2 * part.stride) != 0 || index >= pops_.group_size() - part.stride) return no_group;
  const std::int32_t turn = index / (2 * part.stride) - part.first;
  return turn >= 0 && turn < g ? (group + g - turn) % g : no_group;
}

}  // namespace starloom::pops
