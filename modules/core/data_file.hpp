#pragma once
/// \file What may be read as data.
#include <filesystem>
#include <string>

namespace starloom {

/// Why a file cannot be read as data; empty if it can. Only regular files are data: a pipe blocks, and a device such as
/// /dev/zero has no end.
inline std::string why_unreadable(const std::filesystem::path& file) {
  std::error_code why;
  const std::filesystem::file_status status = std::filesystem::status(file, why);
  if (why) return why.message();
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (!std::filesystem::is_regular_file(status)) return "it is a device or a pipe, not a file";
  return "";
}

}  // namespace starloom
