// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

namespace starloom::links {

const std::vector<AlgorithmEntry>& probe_table() {
  static const std::vector<AlgorithmEntry> table = {probe_hold_entry(), probe_hot_potato_entry(), probe_keys_entry(),
                                                    probe_quitter_entry(), probe_sleeper_entry()};
  return table;
}

}  // namespace starloom::links
