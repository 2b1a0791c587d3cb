// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Output files with known content.
#include <starloom/results/run_report.hpp>
#include <starloom/support/text_writer.hpp>
#include <string>
#include <utility>

namespace starloom {

inline OutputFile text_file(std::string name, std::string content) {
  return {std::move(name),
          [content = std::move(content)](const std::filesystem::path& file) { write_part(file, content); }};
}

}  // namespace starloom
