// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packet files: CSV, header `cycle,source,destination,flits` and further columns, a row for each packet.
#include <memory>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The packets of the file: a list, or messages and events that wait for each other if the file has a column for that,
/// or if messages are cut into packets. Empty lines are skipped.
/// \param longest_packet into which messages are cut; 0: a row is a packet.
/// \throws InputError if the file cannot be read; DataFileError with all its errors. A wrong header ends the reading,
/// because the meaning of the columns is unknown.
std::unique_ptr<Traffic> read_packet_file(const TrafficContext& context, const std::string& name,
                                          std::int32_t longest_packet = 0);

}  // namespace starloom
