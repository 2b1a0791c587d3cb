#pragma once
/// \file An algorithm of the table, by name, with default keys but for those given.
#include <starloom/controllers/links/make_algorithm.hpp>

namespace starloom::links {

/// `packets`: what off-line algorithms plan for. The topology must outlive the algorithm.
inline std::unique_ptr<Algorithm> named_algorithm(const std::string& name, const Grid& topology,
                                                  const std::map<std::string, KeyValue>& keys = {},
                                                  const std::vector<Packet>* packets = nullptr) {
  return make_algorithm(name, {&topology, 1, packets}, keys);
}

}  // namespace starloom::links
