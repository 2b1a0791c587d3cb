// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The page of `starloom replay`: one HTML file with all that it needs.
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

/// What a page shows. Facts are for reading; columns of numbers stand in sections, which waveforms/replay/decode.js
/// reads.
struct ReplayContent {
  nlohmann::ordered_json facts;  ///< `title`, `kind`, `from`, `to`, and what the kind of network needs
  std::vector<std::pair<std::string, ByteStream>> sections;
};

/// The most rows of a trace that a page is made of.
inline constexpr std::int64_t most_replay_rows = 4'000'000;

/// \throws InputError that says how many rows there are, what the page would weigh, and to choose fewer steps.
[[noreturn]] void refuse_rows(const std::filesystem::path& trace, std::int64_t rows, Step first, Step last);

/// \throws InputError for a window in which there is nothing: its steps are not in [first, last] of the trace.
void require_window(const TraceWindow& window, Step first, Step last);

/// The waits of packets, in the order of their numbers. \param number of a link, from 1; 0: of no link.
ByteStream histories_section(const std::vector<PacketHistory>& histories,
                             const std::function<std::uint64_t(const std::string& link)>& number);

/// The whole page.
std::string replay_page(const ReplayContent& content);

}  // namespace starloom
