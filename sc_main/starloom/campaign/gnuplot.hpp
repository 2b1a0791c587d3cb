// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs gnuplot.
#include <filesystem>
#include <string>
#include <vector>

namespace starloom {

/// A script for gnuplot that draws one picture, and the names of its files.
struct PlotScript {
  std::string name;  ///< of the files, without suffix
  std::string text;
  std::vector<std::string> formats;  ///< their suffixes
};

/// A picture that gnuplot did not draw.
struct UndrawnPicture {
  std::string file;  ///< its name
  std::string why;   ///< the rest of a sentence
};

/// Runs gnuplot on the scripts in `folder`, `<name>.gp`. Settings of the user (`~/.gnuplot`, environment, fonts at
/// home) and the time of day do not change a byte of the pictures. Removes incomplete pictures.
std::vector<UndrawnPicture> draw_plots(const std::vector<PlotScript>& scripts, const std::filesystem::path& folder);

}  // namespace starloom
