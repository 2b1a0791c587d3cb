// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Texts that a user wrote, as data in the files of a report: nothing in them is executed or changes the layout.
#include <nlohmann/json.hpp>
#include <string>

namespace starloom {

/// A cell of points.csv: lists and sections as JSON, and likewise a text that a spreadsheet would take for a formula,
/// that has control characters, or that begins as JSON does. So a cell that begins with `"`, `[` or `{` is JSON, and
/// any other is the text itself; no cell goes over several lines.
std::string csv_cell(const nlohmann::ordered_json& value);

/// A part of a line of Markdown, in a heading, a list or a table: shown as it is, control characters visible.
std::string markdown_text(const std::string& text);

/// A part of a line of LaTeX, outside of mathematics: nothing in it is a command.
std::string latex_text(const std::string& text);

/// A constant expression of gnuplot, made of texts between single quotes, where it substitutes nothing; control
/// characters visible.
std::string gnuplot_text(const std::string& text);

}  // namespace starloom
