// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packet files: CSV, header `cycle,source,destination,flits`, a row for each packet.
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Packets in the order of the file. Empty lines are skipped.
/// \throws InputError if the file cannot be read; DataFileError with all its errors. A wrong header ends the reading,
/// because the meaning of the columns is unknown.
std::vector<Packet> read_packet_file(const TrafficContext& context, const std::string& name);

}  // namespace starloom
