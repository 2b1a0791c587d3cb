// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom show`: a picture in text of one step on a network of links.
#include <string>

#include <starloom/inspection/links/snapshot.hpp>

namespace starloom::links {

/// A grid of one or two dimensions is drawn: a cell shows how many packets are in the buffers of a node, and behind `+`
/// how many wait in its source; `>`, `<`, `^` and `v` are the links that carry something, those around a torus at its
/// edges. Behind it, and for other shapes alone, lists of what is on links and in nodes. A deadlock's circle of waiting
/// packets stands between them, and in the grid: `( )` around its nodes, `*` for the links waited for.
std::string picture_text(const Snapshot& snapshot);

}  // namespace starloom::links
