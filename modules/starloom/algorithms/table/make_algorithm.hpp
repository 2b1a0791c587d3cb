// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm of the table by its name.
#include <map>
#include <memory>
#include <string>

#include <starloom/control/links/make_algorithm.hpp>

namespace starloom::links {

/// Makes the algorithm of this name in the table. \throws InputError if there is none, and as for an entry.
std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys = {});

}  // namespace starloom::links
