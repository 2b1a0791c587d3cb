// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/table/make_algorithm.hpp>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/schema/key_check.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {

std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys) {
  const AlgorithmEntry* entry = find_algorithm(name);
  if (entry == nullptr) throw InputError("unknown algorithm " + name + did_you_mean(name, names_of(algorithm_table())));
  if (!entry->serves(context.network->capabilities()))
    throw InputError(name + " does not run on a " + context.network->topology);
  if (entry->off_line && context.packets == nullptr && !context.ranks)
    throw InputError(name + " plans before the run; give it the packets in AlgorithmContext::packets");
  if (const std::int32_t interval = context.graph().greatest_interval();
      interval != 1 && (entry->off_line || entry->in_lockstep))
    throw InputError(name + (entry->off_line ? " replays a plan" : " counts steps") +
                     ", which needs links of interval 1, not " + std::to_string(interval));
  return std::get<MakeAlgorithm>(entry->make)(context, checked_values(entry->keys, keys, name));
}

}  // namespace starloom::links
