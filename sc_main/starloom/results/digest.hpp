// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file SHA-256, as lower-case hexadecimal digits.
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

std::string sha256(const std::string& bytes);
/// The digest of the bytes of one file after the other. \throws InputError if one cannot be read.
std::string sha256_of_files(const std::vector<std::filesystem::path>& files);

}  // namespace starloom
