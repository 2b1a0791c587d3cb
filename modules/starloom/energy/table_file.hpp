// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Energy tables in files (docs/energy.md).
#include <filesystem>
#include <string>

#include <starloom/energy/table.hpp>

namespace starloom::energy {

/// The file of an output folder with the text of a table that is not built in.
inline constexpr const char* copy_of_table = "energy_table.yaml";

/// A table by its name, if it is built in, or else from a file.
/// \param folder, key as those of DataFile
/// \throws ConfigError for `key` if `name` is neither of them; DataFileError with all errors in the file
Table read_table(const std::filesystem::path& folder, const std::string& name, const std::string& key);

}  // namespace starloom::energy
