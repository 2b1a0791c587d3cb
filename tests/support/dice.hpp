// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Random choices of tests.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/schema/part_value.hpp>

namespace starloom::links {

inline PartValue made_of(const char* name, PartValue of, std::optional<std::int64_t> number = {}) {
  return {name, number, {std::move(of)}};
}

/// Random values of all keys of allocators.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed, Purpose::algorithm, 0, 0) {}
  int below(int n) { return static_cast<int>(random_.bounded(static_cast<std::uint32_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  PartValue arbiter(int lines) {
    const int rule = below(4);
    if (rule == 0) return {"round-robin"};
    if (rule == 1) return {"matrix"};
    std::vector<std::int64_t> groups;
    for (std::int64_t n = 1; n <= lines; ++n)
      if (lines % n == 0) groups.push_back(n);
    return made_of("tree", {one_in(2) ? "matrix" : "round-robin"}, one_of(groups));
  }
  PartValue allocator(int lines) {
    const std::string name = one_of<std::string>(
        {"islip", "priority-islip", "input-first", "output-first", "wavefront", "wavefront-skip", "lonely-output"});
    if (name == "islip") return {name, 1 + below(3)};
    if (name == "input-first" || name == "output-first") return made_of(name.c_str(), arbiter(lines));
    return {name};
  }

 private:
  RandomStream random_;
};

}  // namespace starloom::links
