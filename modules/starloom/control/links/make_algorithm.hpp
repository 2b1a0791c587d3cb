// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm from its entry, for programs without an experiment file.
#include <map>
#include <memory>
#include <string>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// Makes the algorithm of an entry for networks of links; keys that are not given have their defaults.
/// \throws InputError if a key is unknown or missing, if a value has another type or is out of range, or if the
/// algorithm does not support the network.
std::unique_ptr<Algorithm> make_algorithm(const AlgorithmEntry& entry, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys = {});

}  // namespace starloom::links
