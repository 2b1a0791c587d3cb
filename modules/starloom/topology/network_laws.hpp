// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The laws of networks that only a complete one can break.
#include <starloom/topology/network_tables.hpp>

namespace starloom {

/// Letters, digits and `_`, no digit first: a name in SystemC and in VCD.
bool is_identifier(std::string_view name);

/// \throws InputError if the tables break a law of NetworkGraph: one sentence that names nodes and ports and suggests
/// a remedy.
void require_laws(const NetworkTables& tables);

/// Only those of the names of nodes and links. \throws InputError as above
void require_names(const NetworkTables& tables);

}  // namespace starloom
