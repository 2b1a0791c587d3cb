// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs gnuplot.
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// A script for gnuplot that draws one picture, and the files that come of it.
struct PlotScript {
  std::string name;  ///< of the files, without suffix
  std::string text;
  std::vector<std::string> formats;  ///< their suffixes
};

/// Runs gnuplot on scripts in `folder`, `<name>.gp`. What went wrong, as a sentence, or nothing.
std::string draw_plots(const std::vector<PlotScript>& scripts, const std::filesystem::path& folder);

}  // namespace starloom
