// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Features of a file system that stores need, and that network disks may lack.
#include <filesystem>

namespace starloom {

/// \throws OutputError for a file system without locks, where two campaigns could write one store. `why`: the errno.
[[noreturn]] void refuse_disk_without_locks(const std::filesystem::path& store, int why);

/// True if processes can share memory through files on this disk, as the write-ahead log of SQLite does. Creates the
/// file if `create`. The process must not have the file open, because its locks would be lost. `store`: the name in
/// errors.
/// \throws OutputError as above
bool has_shared_memory(const std::filesystem::path& file, bool create, const std::filesystem::path& store);

}  // namespace starloom
