// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Networks of any shape, from a file.
#include <starloom/schema/data_file.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Reads a network (docs/topologies.md, "A network of your own"), in one of two forms:
///
/// - YAML: `nodes: [{name, role: processor|switch|host, place: [x, y]}]` and `links: [{from, to, latency, interval,
///   both, from_port, to_port}]`. Nodes are numbered in the order of the file, and `from` and `to` are their names or
///   numbers;
/// - a list of routers in the format of BookSim2, one per line: `router 0 node 0 router 1 15`. Processors come first.
///
/// Processors whose positions are all cells of a grid, row by row, have it as their arrangement.
///
/// \throws DataFileError with all errors of the file.
NetworkGraph read_graph(DataFile& file);

}  // namespace starloom
