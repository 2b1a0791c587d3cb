#pragma once
/// \file Curves of a report, drawn by gnuplot.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/campaign/report.hpp>

namespace starloom {

/// A script for gnuplot that draws one figure.
struct PlotScript {
  std::string name;  ///< of the files, without suffix
  std::string text;
};

/// A script for every figure: the mean over the first axis of numbers with several values, with its 95 % interval; a
/// curve for each combination of the other axes; references as points. Nothing if there is no such axis.
std::vector<PlotScript> plot_scripts(const Campaign& campaign, const Report& report);

/// Runs gnuplot on scripts in `folder`, `<name>.gp`. What went wrong, as a sentence, or nothing.
std::string draw_plots(const std::vector<PlotScript>& scripts, const std::filesystem::path& folder);

}  // namespace starloom
