// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All that reads files of others, one reader each, for those who feed them with damaged ones.
#include <functional>
#include <string>
#include <vector>

namespace starloom {

struct FileReader {
  std::string name;                ///< of the folder of its found cases, `corpus/NAME`
  std::vector<std::string> seeds;  ///< sound files
  /// Reads a file as the commands do. \throws InputError if it is refused
  std::function<void(const std::string& bytes)> read;
};

/// They write below a folder for temporary files.
const std::vector<FileReader>& file_readers();

/// Reads a file. Empty if it is sound or refused as a fault of input is; else what went wrong.
std::string what_goes_wrong(const FileReader& reader, const std::string& bytes);

}  // namespace starloom
