// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/supernode_size.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

std::int32_t root_of(std::int64_t square) {
  std::int32_t root = 0;
  while (std::int64_t{root + 1} * (root + 1) <= square) ++root;
  return root;
}

// Longer worms and fuller supernodes do not fit into any supported mesh.
constexpr std::int64_t most = 1 << 20;

/// The least square of an even number that is at least `least` and at least `value`.
std::int64_t even_square(std::int64_t least, std::int64_t value) {
  std::int64_t root = 2;
  while (root * root < least || root * root < value) root += 2;
  return root * root;
}

}  // namespace

std::int64_t SupernodeSize::least_f(std::int64_t worms) { return even_square(16, std::min(worms, most) + 4) - 4; }

SupernodeSize SupernodeSize::of(std::int64_t f, std::int64_t k) {
  const std::int64_t flits = even_square(4, std::min(k, most));
  if (k != flits)
    throw ConfigError("k", std::to_string(k) +
                               " flits do not fill a square buffer of even side; k is 4, 16, 36, 64, ...: choose " +
                               std::to_string(flits));
  if (f != least_f(f))
    throw ConfigError("f",
                      std::to_string(f) +
                          " worms do not fill two equal storage rings; f is 12, 32, 60, 96, ..., 4m^2 - 4: choose " +
                          std::to_string(least_f(f)));
  return {static_cast<std::int32_t>(f), static_cast<std::int32_t>(k), root_of(k), root_of(f + 4) / 2};
}

std::int32_t supernodes_of_side(const Grid& mesh, const SupernodeSize& size) {
  const std::string name = "supernode-hot-potato: ";
  if (mesh.kind() != GridKind::mesh || mesh.dimensions() != 2 || mesh.side(0) != mesh.side(1))
    throw InputError(name + "supernodes need a square two-dimensional mesh");
  const std::int32_t n = mesh.side(0), side = size.side();
  if (n % side == 0) return n / side;
  const std::int32_t below = n / side * side;
  throw InputError(name + "a side of " + std::to_string(n) + " nodes is not a multiple of " + std::to_string(side) +
                   ", the side of a supernode with f = " + std::to_string(size.f) +
                   " and k = " + std::to_string(size.k) + ": take " +
                   (below > 0 ? std::to_string(below) + " or " : "") + std::to_string(below + side));
}

}  // namespace starloom::links
