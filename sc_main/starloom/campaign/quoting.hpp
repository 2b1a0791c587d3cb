// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Texts of users as data in the files of a report: they are never executed and do not change the layout.
#include <nlohmann/json.hpp>
#include <string>

namespace starloom {

/// A cell of points.csv: lists and sections as JSON, and also a text that a spreadsheet would take for a formula,
/// that has control characters, or that begins as JSON does. A cell that begins with `"`, `[` or `{` is therefore
/// JSON, and any other is the text itself; no cell has several lines.
std::string csv_cell(const nlohmann::ordered_json& value);

/// A part of a line of Markdown, in a heading, a list or a table: displayed literally, with visible control
/// characters.
std::string markdown_text(const std::string& text);

/// A part of a line of LaTeX, outside of mathematics: without commands.
std::string latex_text(const std::string& text);

/// A constant expression of gnuplot, made of texts in single quotes, in which it substitutes no variables; with
/// visible control characters.
std::string gnuplot_text(const std::string& text);

}  // namespace starloom
