// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Execution traces in the format of MLCommons Chakra (schema/protobuf/et_def.proto): the nodes of a rank.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace starloom {

enum class ChakraType : std::uint8_t {
  metadata = 1,
  memory_load,
  memory_store,
  compute,
  send,
  receive,
  collective,
};

/// A node of the graph of a rank. Attributes that it does not have are 0, as in the format, or empty.
struct ChakraNode {
  std::uint64_t id = 0;
  std::string name;
  ChakraType type = ChakraType::metadata;
  std::vector<std::uint64_t> after;  ///< ids of the nodes for which it waits: control, then data dependencies
  std::uint64_t microseconds = 0;    ///< of a computation
  std::int64_t comm_type = 0;        ///< of a collective
  std::int64_t bytes = 0;
  std::optional<std::int64_t> source{}, destination{};
  std::int64_t tag = 0;
  std::string group{};  ///< name of a process group; empty: all ranks
  bool on_host = false;
  std::int64_t record = 0;  ///< its number in the file; that of the metadata is 0
  std::int64_t offset = 0;  ///< of the record, in bytes from the first one
};

/// `NAME: record 3 (offset 79)`, for errors in a record.
std::string record_location(const std::string& name, std::int64_t record, std::int64_t offset);

/// The nodes of a file, in its order. \param name of the file in errors.
/// \throws DataFileError if it is damaged, with the place of the first fault.
std::vector<ChakraNode> read_chakra(const std::filesystem::path& file, const std::string& name);

}  // namespace starloom
