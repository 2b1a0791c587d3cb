// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm by its name, for programs that have no experiment file.
#include <map>
#include <memory>
#include <string>

#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// Makes the algorithm of this name in the table; keys that are not given have their defaults.
/// \throws InputError if name or key is unknown or missing, if a value has another type or is out of range, or if the
/// algorithm cannot serve the topology.
std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys = {});

}  // namespace starloom::links
