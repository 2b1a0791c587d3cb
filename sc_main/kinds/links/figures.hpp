#pragma once
/// \file The figures of result.json, and the lines of the summary, that runs on networks of links have.
#include <optional>
#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/traffic/traffic.hpp>
#include <vector>

namespace starloom::links {

/// `schedule`, `distance`, `queue`, `links`, `bounds`, `algorithm`, `storage`.
FigureValues figures_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record,
                        const std::optional<Phases>& phases);
/// About queues and links.
std::vector<Line> summary_of(const NetworkGraph& graph, const Algorithm& algorithm, const RunRecord& record);

}  // namespace starloom::links
