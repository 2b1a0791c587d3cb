// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tables of a report that a campaign asks for (`table:`).
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

/// Every table in each of its formats: the mean of a figure at each point, with half its 95 % interval behind it
/// where there are several runs (not in CSV, which has the number alone). Means of points of which runs were lost are
/// marked with a star; CSV has a column `lost` beside each.
std::vector<TableText> table_texts(const Campaign& campaign, const Report& report);

}  // namespace starloom
