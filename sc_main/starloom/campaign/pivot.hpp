// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tables of a report that a campaign requests (`table:`).
#include <string>
#include <vector>

#include <starloom/campaign/report.hpp>

namespace starloom {

/// A table as the text of a file.
struct TableText {
  std::string file;    ///< its name
  std::string format;  ///< markdown, csv or latex
  std::string text;
};

/// Every table in each of its formats: the mean of a metric at each point, followed by half its 95 % confidence
/// interval if there are several runs (not in CSV, which has only the number). Means of points with lost runs are
/// marked with a star; CSV has a column `lost` for each.
std::vector<TableText> table_texts(const Campaign& campaign, const Report& report);

}  // namespace starloom
