// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What stores need of a file system, and network disks may lack.
#include <filesystem>

namespace starloom {

/// \throws OutputError for a file system without locks, where two campaigns could write one store. `why`: the errno.
[[noreturn]] void refuse_disk_without_locks(const std::filesystem::path& store, int why);

/// True if processes can share memory by way of files on this disk, as the write-ahead log of SQLite does. Makes the
/// file if `create`. The process must not have the file open: its locks would be lost. `store`: as faults call it.
/// \throws OutputError as above
bool has_shared_memory(const std::filesystem::path& file, bool create, const std::filesystem::path& store);

}  // namespace starloom
