// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/link_list.hpp>

#include <fmt/format.h>

#include <starloom/config/key_reader.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/names.hpp>
#include <starloom/topology/clocks.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* links_path = "network.links";
constexpr const char* links_example = "{links: \"link_*_east\", width: 1/2}";

const std::vector<KeySpec>& link_keys() {
  static const std::vector<KeySpec> keys = {
      text_key("links", "names of links; * and ? are wildcards").is_required(),
      integer_key("latency", "steps of the first part of a flit from entering the link to leaving it")
          .within(1, most_link_latency)
          .measured_in("steps"),
      text_key("width", "the part of a flit that enters the link in one step: 1, or 1/2 for two steps, 1/3 ..."),
      integer_key("interval", "the link takes at most one flit per this number of steps")
          .within(1, most_link_interval)
          .measured_in("steps"),
      integer_key("synchroniser",
                  "cycles of the clock that flits and credits pass to (without: 0 if one period divides the other, "
                  "else 2)")
          .within(0, most_synchroniser_cycles)
          .measured_in("cycles"),
      integer_key("fifo", "flits on the link and in the FIFO behind it with which the sender waits")
          .within(1, most_crossing_flits)
          .measured_in("flits")};
  return keys;
}

LinkChange read_change(const DocumentValue& item, const std::string& entry, Diagnostics& diagnostics) {
  if (item.kind != Kind::map) {
    diagnostics.add(item.location,
                    fmt::format("{}: links such as {} are expected, not {}", entry, links_example, item.described()));
    return {};
  }
  check_key_names(item, names_of(link_keys()), entry, diagnostics);
  const KeyValues values = read_keys(item, link_keys(), entry, diagnostics);
  const auto given = [&](const char* key) -> std::optional<std::int32_t> {
    if (!values.has(key)) return std::nullopt;
    return static_cast<std::int32_t>(values.integer(key));
  };
  LinkChange change{values.has("links") ? values.text("links") : "",
                    given("latency"),
                    {},
                    given("interval"),
                    given("synchroniser"),
                    given("fifo")};
  if (values.has("width")) {
    change.phits = phits_of_width(values.text("width"));
    const DocumentValue& width = *item.find("width");
    if (!change.phits)
      diagnostics.add(width.location, fmt::format("{}: 1, or 1/2 to 1/{}, is expected, not {}",
                                                  key_path(entry, "width"), most_phits, width.described()));
  }
  if (values.has("links") && item.entries.size() == 1)
    diagnostics.add(item.location,
                    fmt::format("{}: give latency, width, interval, synchroniser or fifo of these links", entry));
  return change;
}

}  // namespace

std::vector<LinkChange> read_links(const DocumentValue& list, Diagnostics& diagnostics) {
  std::vector<LinkChange> changes;
  if (list.kind != Kind::list || list.items.empty())
    diagnostics.add(list.location,
                    fmt::format("{}: a list of links such as {} is expected, not {}", links_path, links_example,
                                list.kind == Kind::list ? "an empty list" : list.described()));
  for (const DocumentValue& item : list.items)
    changes.push_back(read_change(item, key_path(links_path, std::to_string(changes.size())), diagnostics));
  return changes;
}

std::string link_change_text(const LinkChange& change) {
  std::string text = change.links;
  if (change.latency) text += fmt::format(", latency {}", *change.latency);
  if (change.phits) text += ", width " + width_of_phits(*change.phits);
  if (change.interval) text += fmt::format(", interval {}", *change.interval);
  if (change.synchroniser) text += fmt::format(", synchroniser {}", *change.synchroniser);
  if (change.fifo) text += fmt::format(", fifo {}", *change.fifo);
  return text;
}

nlohmann::ordered_json links_json(const std::vector<LinkChange>& changes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LinkChange& change : changes) {
    nlohmann::ordered_json& json = list.emplace_back();
    json["links"] = change.links;
    if (change.latency) json["latency"] = *change.latency;
    if (change.phits) json["width"] = width_of_phits(*change.phits);
    if (change.interval) json["interval"] = *change.interval;
    if (change.synchroniser) json["synchroniser"] = *change.synchroniser;
    if (change.fifo) json["fifo"] = *change.fifo;
  }
  return list;
}

}  // namespace starloom
