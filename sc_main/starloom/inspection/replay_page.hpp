// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The page of `starloom replay`: one self-contained HTML file.
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <starloom/inspection/byte_stream.hpp>
#include <starloom/inspection/packet_history.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom {

/// The page without its data (waveforms/replay, joined by the build).
extern const char* const replay_template;

/// The content of a page. Facts are JSON; columns of numbers are sections, which waveforms/replay/decode.js reads.
struct ReplayContent {
  nlohmann::ordered_json facts;  ///< `title`, `kind`, `from`, `to`, and the facts of the kind of network
  std::vector<std::pair<std::string, ByteStream>> sections;
};

/// The greatest number of trace rows of a page.
inline constexpr std::int64_t most_replay_rows = 4'000'000;

/// \throws InputError with the number of rows, the size of the page, and advice to choose fewer steps.
[[noreturn]] void refuse_rows(const std::filesystem::path& trace, std::int64_t rows, Step first, Step last);

/// \throws InputError for an empty window: its steps are not in [first, last] of the trace.
void require_window(const TraceWindow& window, Step first, Step last);

/// The waits of packets, in the order of their numbers. \param number of a link, from 1; 0: not a link.
ByteStream histories_section(const std::vector<PacketHistory>& histories,
                             const std::function<std::uint64_t(const std::string& link)>& number);

/// The whole page.
std::string replay_page(const ReplayContent& content);

}  // namespace starloom
