// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/make_algorithm.hpp>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/key_check.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {

std::unique_ptr<Algorithm> make_algorithm(const AlgorithmEntry& entry, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys) {
  if (!entry.serves(context.network->capabilities()))
    throw InputError(entry.name + " does not run on a " + context.network->topology);
  if (const int ports = context.graph().ports(); ports > ports_per_word && !entry.many_ports)
    throw ConfigError("algorithm", entry.name + " serves nodes of at most " + std::to_string(ports_per_word) +
                                       " ports, but there are nodes of " + std::to_string(ports) +
                                       " ports; choose an algorithm for more, such as vc-wormhole or greedy, or "
                                       "smaller nodes");
  if (entry.off_line && context.packets == nullptr && !context.ranks)
    throw InputError(entry.name + " plans before the run; give it the packets in AlgorithmContext::packets");
  if (const std::int32_t interval = context.graph().greatest_interval();
      interval != 1 && (entry.off_line || entry.in_lockstep))
    throw InputError(entry.name + (entry.off_line ? " replays a plan" : " counts steps") +
                     ", which needs links of interval 1, not " + std::to_string(interval));
  return std::get<MakeAlgorithm>(entry.make)(context, checked_values(entry.keys, keys, entry.name));
}

}  // namespace starloom::links
