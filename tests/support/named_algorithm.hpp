// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm of the table, by name, with default keys but for those given.
#include <starloom/algorithms/table/make_algorithm.hpp>

#include "support/networks.hpp"

namespace starloom::links {

/// `packets`: what offline algorithms plan for. The network must outlive the algorithm.
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const LinkNetwork& network,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  return make_algorithm(name, {&network, 1, packets}, keys);
}
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const Grid& grid,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  return named_algorithm(name, network_of(grid), keys, packets);
}

}  // namespace starloom::links
