// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requirements of algorithms that begin by sorting subsquares.
#include <numeric>
#include <string>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/schema/config_error.hpp>

namespace starloom::links {

/// `name` is the algorithm's. \throws InputError if the network is not a mesh of rows and columns
inline void check_plane(const Grid& mesh, const std::string& name) {
  if (mesh.dimensions() != 2) throw InputError(name + " needs a two-dimensional mesh");
}

/// \throws InputError if there is not exactly one packet per node, all created in step 0
inline void check_sortable(const Grid& mesh, const std::vector<Packet>* packets, const std::string& name) {
  if (packets == nullptr)
    throw InputError(name + " sorts once, so its traffic must end: choose a pattern without rate");
  check_one_packet_each(mesh, *packets, name + " accepts");
}

/// The key `s`, the side of a subsquare. `if_not_given`: the end of its meaning.
inline KeySpec subsquare_key(const std::string& if_not_given) {
  return integer_key("s", "side of a subsquare, a divisor of both sides of the mesh" + if_not_given)
      .within(1, 1 << 15)
      .measured_in("nodes");
}

/// \throws InputError if subsquares of s x s nodes do not fill the mesh
inline void check_subsquares(const Grid& mesh, std::int64_t s) {
  const std::int32_t rows = mesh.side(0), columns = mesh.side(1);
  if (rows % s == 0 && columns % s == 0) return;
  throw ConfigError("s", std::to_string(s) + " does not divide " + std::to_string(rows) + " x " +
                             std::to_string(columns) + " nodes; choose a divisor of " +
                             std::to_string(std::gcd(rows, columns)));
}

}  // namespace starloom::links
