// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The YAML form of a network in a file.
#include <starloom/topologies/graph/graph_draft.hpp>

namespace starloom {

/// Reads a text of the keys `nodes` and `links` into `draft`; adds errors there.
void read_graph_yaml(const std::string& text, GraphDraft& draft);

}  // namespace starloom
