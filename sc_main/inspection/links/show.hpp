#pragma once
/// \file `starloom show`: a picture in text of one step on a network of links.
#include <string>

#include <starloom/inspection/links/snapshot.hpp>

namespace starloom::links {

/// A grid of two dimensions is drawn: a cell shows how many packets are in a node, `>`, `<`, `^` and `v` the links that
/// carry something. Behind it, and for other shapes alone, lists of what is on links and in nodes.
std::string picture_text(const Snapshot& snapshot);

}  // namespace starloom::links
