// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file SHA-256, as lower-case hexadecimal digits.
#include <filesystem>
#include <string>

namespace starloom {

std::string sha256(const std::string& bytes);
/// \throws InputError if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace starloom
