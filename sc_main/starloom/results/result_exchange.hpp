// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Replacement of an earlier result by a new one, in a folder that may also contain files of the user. At every
/// moment one of the two is complete on the disk.
#include <filesystem>
#include <vector>

namespace starloom {

/// The file without which a folder does not contain a result: it is removed first and written last.
inline constexpr const char* result_seal = "result.json";

/// The names in a folder that this program gives to files of a result, sorted; all others belong to the user.
/// \throws OutputError if the folder cannot be read
std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

/// Moves the files of `temporary`, a folder in `folder`, to `folder`. An earlier result there is removed once they
/// are on the disk.
/// \throws OutputError; the earlier result is then where it was, and the new one in `temporary`
void exchange_results(const std::filesystem::path& temporary, const std::filesystem::path& folder);

/// Undoes the changes that a process killed within `exchange_results` has left in `folder`, with a message on stderr.
/// No other process may use the folder. \throws OutputError
void put_back_earlier_result(const std::filesystem::path& folder);

}  // namespace starloom
