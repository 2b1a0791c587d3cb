// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A new result in place of an earlier one, in a folder that may hold files of the user as well. At every moment
/// one of the two is whole on the disk.
#include <filesystem>
#include <vector>

namespace starloom {

/// The file without which a folder does not hold a result: it is removed first and written last.
inline constexpr const char* result_seal = "result.json";

/// The names in a folder that this program gives to files of a result, sorted; all others belong to the user.
/// \throws OutputError if the folder cannot be read
std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

/// Moves the files of `temporary`, a folder in `folder`, to `folder`. An earlier result there is removed once they
/// are on the disk.
/// \throws OutputError; the earlier result is then where it was, and the new one in `temporary`
void exchange_results(const std::filesystem::path& temporary, const std::filesystem::path& folder);

/// Undoes what a process that was killed within `exchange_results` has left in `folder`, and says so on stderr. No
/// other process may be at work there. \throws OutputError
void put_back_earlier_result(const std::filesystem::path& folder);

}  // namespace starloom
