// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/table/make_algorithm.hpp>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {

std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const AlgorithmContext& context,
                                          const std::map<std::string, KeyValue>& keys) {
  const AlgorithmEntry* entry = find_algorithm(name);
  if (entry == nullptr) throw InputError("unknown algorithm " + name + did_you_mean(name, names_of(algorithm_table())));
  return make_algorithm(*entry, context, keys);
}

}  // namespace starloom::links
