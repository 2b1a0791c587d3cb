// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/messages_csv.hpp>

#include <limits>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view header = "message,id,flow,class,source,destination,flits,created,delivered,released_by";

}  // namespace

void write_messages(const std::filesystem::path& file, std::size_t count,
                    const std::function<MessageRow(std::size_t)>& row, const std::vector<MulticastGroup>& groups) {
  TextWriter out(file);
  out << header << '\n';
  const auto number_or_empty = [&out](std::int64_t value) {
    if (value >= 0) out << value;
  };
  for (std::size_t number = 0; number < count; ++number) {
    const MessageRow message = row(number);
    if (!message.exists()) continue;
    out << static_cast<std::int64_t>(number) << ',';
    number_or_empty(message.id);
    out << ',' << message.flow << ',' << message.traffic_class << ',' << message.source << ','
        << destination_text(message.destination, groups) << ',' << message.flits << ',' << message.created << ',';
    number_or_empty(message.delivered);
    out << ',';
    number_or_empty(message.released_by);
    out << '\n';
  }
  out.close();
}

std::vector<MessageRow> read_messages(const std::filesystem::path& file, Numbering numbering,
                                      DestinationCells& destinations) {
  constexpr std::int64_t max_number = std::numeric_limits<std::int32_t>::max();
  CsvReader csv(file, header);
  std::vector<MessageRow> messages;
  while (csv.next_line()) {
    messages.resize(numbering.next(csv, "message", messages.size()));
    MessageRow& message = messages.emplace_back();
    message.id = csv.number_or_empty(std::numeric_limits<std::int64_t>::max());
    message.flow = csv.cell();
    message.traffic_class = csv.cell();
    message.source = static_cast<NodeId>(csv.number(max_number));
    message.destination = destinations.read(csv, message.source);
    if (message.destination == no_node) csv.fail("a message has a destination");
    message.flits = csv.number(max_number);
    if (message.flits == 0) csv.fail("a message has at least one flit");
    message.created = csv.number(most_steps);
    message.delivered = csv.number_or_empty(most_steps);
    message.released_by = csv.number_or_empty(max_number);
    if (message.released_by + 1 >= static_cast<std::int64_t>(messages.size()) && message.released_by >= 0)
      csv.fail("a message is released by one with a lower number");
  }
  return messages;
}

}  // namespace starloom::links
