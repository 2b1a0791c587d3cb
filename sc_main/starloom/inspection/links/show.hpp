// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom show`: a picture in text of one step on a network of links.
#include <string>

#include <starloom/inspection/links/snapshot.hpp>

namespace starloom::links {

/// A grid of one or two dimensions is drawn: a cell shows the number of packets in the buffers of a node, and after
/// `+` the number that wait in its source; `>`, `<`, `^` and `v` are busy links, those around a torus at its edges.
/// Lists of flits on links and packets in nodes follow, and are the only output for other shapes. A deadlock's cycle
/// of waiting packets is a separate list, and is marked in the grid: `( )` around its nodes, `*` for the links waited
/// for.
std::string picture_text(const Snapshot& snapshot);

}  // namespace starloom::links
