// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/replay_page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <initializer_list>
#include <string_view>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

constexpr double bytes_per_row = 3;  ///< of a page, on average in congested networks

std::string zipped(const std::string& bytes) {
  namespace io = boost::iostreams;
  std::string packed;
  io::filtering_ostream out;
  out.push(io::gzip_compressor(io::gzip_params(6)));
  out.push(io::back_inserter(packed));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.reset();
  return packed;
}

std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < there ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= there ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// Text between tags.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

/// The template with each mark replaced by a text. Marks within these texts are data. \param texts in the order of
/// their marks in the template
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string>> texts) {
  std::string whole;
  for (const auto& [mark, text] : texts) {
    const std::size_t at = page.find(mark);
    whole.append(page.substr(0, at)).append(text);
    page.remove_prefix(at + mark.size());
  }
  return whole.append(page);
}

}  // namespace

void refuse_rows(const std::filesystem::path& trace, std::int64_t rows, Step first, Step last) {
  const double megabytes = static_cast<double>(rows) * bytes_per_row / 1e6;
  const auto share = static_cast<double>(most_replay_rows) / static_cast<double>(rows);
  const auto steps = static_cast<Step>(static_cast<double>(last - first + 1) * share);
  throw InputError(
      fmt::format("{}: has {} rows; a page of all of them would have about {:.0f} MB, and the limit is {} rows: choose "
                  "about {} steps of {} to {} with --from and --to",
                  trace.string(), rows, megabytes, most_replay_rows, std::max<Step>(steps, 1), first, last));
}

void require_window(const TraceWindow& window, Step first, Step last) {
  if (window.to != no_step && window.to <= window.from)
    throw InputError(fmt::format("--from {} --to {}: the interval is empty; --from is included, --to is not",
                                 window.from, window.to));
  if (window.from > last) throw InputError(fmt::format("--from {}: the trace ends in step {}", window.from, last));
  if (window.to != no_step && window.to <= first)
    throw InputError(fmt::format("--to {}: the trace begins in step {}", window.to, first));
}

ByteStream histories_section(const std::vector<PacketHistory>& histories,
                             const std::function<std::uint64_t(const std::string& link)>& number) {
  ByteStream stream;
  stream.number(histories.size());
  PacketId last = 0;
  for (const PacketHistory& history : histories) {
    stream.number(static_cast<std::uint64_t>(history.packet - last));
    last = history.packet;
    stream.number(static_cast<std::uint64_t>(history.distance));
    stream.number(history.waits.size());
    Step end = history.created;
    for (const Wait& wait : history.waits) {
      stream.number(static_cast<std::uint64_t>(wait.cause));
      stream.number(static_cast<std::uint64_t>(wait.node));
      stream.number(static_cast<std::uint64_t>(wait.from - end));
      stream.number(static_cast<std::uint64_t>(wait.to - wait.from));
      end = wait.to;
      stream.number(number(wait.what));
      stream.number(wait.behind.size());
      for (const PacketId other : wait.behind) stream.difference(other - history.packet);
    }
  }
  return stream;
}

std::string replay_page(const ReplayContent& content) {
  nlohmann::ordered_json facts = content.facts;
  std::string numbers;
  for (const auto& [name, stream] : content.sections) {
    facts["sections"][name] = stream.bytes().size();
    numbers += stream.bytes();
  }
  ByteStream length;
  const std::string text = facts.dump();
  length.number(text.size());
  return filled(replay_template, {{"@title@", escaped(facts.at("title").get<std::string>())},
                                  {"@data@", base64(zipped(length.bytes() + text + numbers))}});
}

}  // namespace starloom
