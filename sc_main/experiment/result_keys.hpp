#pragma once
/// \file The top-level keys of result.json, in their order; what `expect` may begin with. `optics` is there if
/// the experiment has parts.
#include <string>
#include <vector>

namespace starloom {

inline const std::vector<std::string>& result_keys() {
  static const std::vector<std::string> keys = {"schema",   "version", "experiment", "outcome", "steps",
                                                "schedule", "packets", "distance",   "latency", "queue",
                                                "links",    "bounds",  "algorithm",  "storage", "optics"};
  return keys;
}

}  // namespace starloom
