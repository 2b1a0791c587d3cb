// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/figure_table.hpp>

#include <algorithm>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

FigureSpec text_figure(std::string path, std::string meaning) {
  return {std::move(path), FigureType::text, "", std::move(meaning)};
}

/// The figures of a section of latencies, behind it.
void add_latency_figures(std::vector<FigureSpec>& table, const std::string& section) {
  const std::string none_delivered = "no packet was delivered";
  const std::vector<FigureSpec> figures = {
      number_figure(section + ".mean", "steps", "the mean").null(none_delivered),
      integer_figure(section + ".p50", "steps", "half of the packets took no longer (nearest rank)")
          .null(none_delivered),
      integer_figure(section + ".p95", "steps", "95 % of the packets took no longer").null(none_delivered),
      integer_figure(section + ".p99", "steps", "99 % of the packets took no longer").null(none_delivered),
      integer_figure(section + ".max", "steps", "the longest").null(none_delivered),
      number_figure(section + ".per_hop", "steps per link", "the sum of latencies by the sum of `hops`")
          .null("no packet that crossed a link was delivered, or `hops` is null"),
      {section + ".partial", FigureType::boolean, "", "packets that never arrived are not in these figures"}};
  const auto at = std::find_if(table.begin(), table.end(), [&](const FigureSpec& one) { return one.path == section; });
  table.insert(at + 1, figures.begin(), figures.end());
}

std::vector<FigureSpec> make_common_figures() {
  const std::string no_packet = "there is no packet", none_delivered = "no packet was delivered";
  const std::string of_worms =
      "nodes store nothing (links-only, never-standing, POPS; transactions that are not cycle-accurate)";
  const std::string always_empty = "`queue.max` is 0";
  const std::string closed_loop = "the traffic is not open loop, with phases";
  const std::string none_measured = "no step was measured";
  const std::string with_optics = "the experiment has `optics`";
  const std::string with_tasks = "the traffic is `application`";
  const std::string with_transactions = "the traffic is `transactions`";
  std::vector<FigureSpec> table = {
      integer_figure("schema", "", "version of this file format"),
      text_figure("version", "version of the program"),
      {"experiment", FigureType::object, "", "with all defaults, and the SHA-256 of the files it names"},
      text_figure("outcome", "how the run ended"),
      integer_figure("steps", "steps", "the step of the last delivery, 0 if there is none"),
      figure_section("schedule", "what a machine without a global observer is charged")
          .null("the algorithm has no timetable, or did not come to its end"),
      integer_figure("schedule.steps", "steps", "all of it, blind drain included"),
      text_figure("schedule.unit", "what the algorithm counts: round, batch, slot, five-slot cycle"),
      integer_figure("schedule.units", "", "how many of them"),
      integer_figure("schedule.steps_per_unit", "steps", "of one"),
      figure_section("packets", "in open loop, those created in the measurement phase"),
      integer_figure("packets.total", "packets", "created"),
      integer_figure("packets.delivered", "packets", "arrived at their destinations"),
      integer_figure("packets.undelivered", "packets", "left when the run ended"),
      figure_section(
          "distance",
          "links on a shortest way from source to destination; in open loop, of packets of the measurement phase")
          .null("the network is a POPS network"),
      integer_figure("distance.max", "links", "the longest").null(no_packet),
      number_figure("distance.mean", "links", "the mean").null(no_packet),
      figure_section("hops", "links that delivered packets crossed; in open loop, those of the measurement phase")
          .null("the network is a POPS network, or `model` is `message`"),
      integer_figure("hops.max", "links", "the most").null(none_delivered),
      number_figure("hops.mean", "links", "the mean").null(none_delivered),
      figure_section("latency", "delivered - created; in open loop, of packets of the measurement phase"),
      figure_section("queue", "the longest queue of a node").null(of_worms),
      integer_figure("queue.max", "packets", "how long it was"),
      integer_figure("queue.node", "", "where it was first so long").null(always_empty),
      integer_figure("queue.step", "steps", "when it was first so long").null(always_empty),
      figure_section("throughput", "in the steps measured").null(closed_loop),
      number_figure("throughput.offered", "flits per processor and step", "created").null(none_measured),
      number_figure("throughput.accepted", "flits per processor and step", "arrived").null(none_measured),
      {"saturated", FigureType::boolean, "",
       "open loop: the outcome is `saturated`; `application`: its queues grew until its sources ended", "",
       closed_loop + ", nor `application`"},
      figure_section("saturation", "why the outcome is `saturated`").null("the outcome is another one"),
      text_figure("saturation.reason", "`full`, `backlog`, `drain` or `latency` (\"Open loop\" above)"),
      integer_figure("saturation.step", "steps", "the step before which it was found"),
      {"saturation.link", FigureType::text, "", "the link, or the node with the local port, that is full", "",
       "`saturation.reason` is not `full`"},
      figure_section("network_latency", "delivered - injected: the same without the time before the first flit leaves")
          .null("runs without virtual channels do not record it"),
      figure_section("deadlock", "packets that wait for each other for ever").null("the run ended otherwise"),
      integer_figure("deadlock.step", "steps", "the last in which something moved").null("nothing ever moved"),
      {"deadlock.circle", FigureType::object_list, "",
       "`packet` waits for out-port `port` and `channel` of `node`, which the packet of the next entry holds; a packet "
       "that stands behind another at the end of a link waits for the channel that it came over"},
      figure_section("links", "what crossed links; on POPS, what drove couplers"),
      integer_figure("links.flit_hops", "flits", "of packets, over all links"),
      integer_figure("links.control_hops", "flits", "keys, tokens and acknowledgements, over all links"),
      integer_figure("links.max_load", "flits", "of packets, over one directed link, the most"),
      figure_section("application", "of task graphs").only(with_tasks),
      {"application.placement", FigureType::integer_list, "", "the node of each task", with_tasks},
      figure_section("transactions", "of initiators and targets").only(with_transactions),
      integer_figure("transactions.total", "transactions", "of the file"),
      integer_figure("transactions.answered", "transactions", "that got a response"),
      integer_figure("transactions.errors", "transactions", "of these, with an error as response"),
      number_figure("transactions.mean", "steps", "completed - issued, the mean").null("none was answered"),
      integer_figure("transactions.max", "steps", "the longest").null("none was answered"),
      figure_section("bounds", "what theory promises for this run"),
      figure_section("algorithm", "figures of the algorithm"),
      figure_section("storage", "the storage model, for `verify`").null("the network is a POPS network"),
      text_figure("storage.model", "its name"),
      integer_figure("storage.bound", "packets", "that may stay in a node; 0 is no bound"),
      integer_figure("storage.channels", "", "virtual channels of a link"),
      integer_figure("storage.capacity", "flits", "of a buffer; 0 is no limit"),
      {"storage.routes_own", FigureType::boolean, "", "packets for their own node go through the controller"},
      {"storage.places", FigureType::integer_list, "packets", "that may stay in each node",
       "the bound differs from node to node"},
      figure_section("optics", "power, time and energy of the couplers").only(with_optics),
      number_figure("optics.margin_db", "dB", "power to spare"),
      number_figure("optics.time_ns", "ns", "of all slots"),
      number_figure("optics.energy_pj_per_packet", "pJ", "of all drives, for one packet delivered")
          .null(none_delivered),
  };
  add_latency_figures(table, "latency");
  add_latency_figures(table, "network_latency");
  return table;
}

bool is_number(FigureType type) {
  return type == FigureType::integer || type == FigureType::number || type == FigureType::boolean;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// True if a result with this table can have a value at the path.
bool has_path(const std::vector<FigureSpec>& table, const std::string& path) {
  return std::any_of(table.begin(), table.end(), [&](const FigureSpec& figure) {
    if (figure.path == path) return true;
    if (path.compare(0, figure.path.size() + 1, figure.path + ".") != 0) return false;
    const std::string rest = path.substr(figure.path.size() + 1);
    return figure.type == FigureType::object || (figure.type == FigureType::integer_list && is_number(rest)) ||
           (figure.type == FigureType::object_list && is_number(rest.substr(0, rest.find('.'))));
  });
}

}  // namespace

const std::vector<FigureSpec>& common_figures() {
  static const std::vector<FigureSpec> table = make_common_figures();
  return table;
}

std::vector<FigureSpec> own_figures(const AlgorithmEntry& algorithm, const std::string& section) {
  std::vector<FigureSpec> own;
  if (section == "bounds") own = algorithm.bounds;
  if (section == "algorithm") own = algorithm.figures;
  for (FigureSpec& figure : own) figure.path = section + "." + figure.path;
  return own;
}

std::vector<FigureSpec> figure_table(const AlgorithmEntry& algorithm) {
  std::vector<FigureSpec> table;
  for (const FigureSpec& figure : common_figures()) {
    table.push_back(figure);
    for (FigureSpec& own : own_figures(algorithm, figure.path)) table.push_back(std::move(own));
  }
  return table;
}

std::string section_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::vector<std::string> top_level_figures(const std::vector<FigureSpec>& table) {
  std::vector<std::string> names;
  for (const FigureSpec& figure : table)
    if (section_of(figure.path).empty()) names.push_back(figure.path);
  return names;
}

KnownFigures::KnownFigures(const std::vector<AlgorithmEntry>& all) : all_(all) {
  for (const AlgorithmEntry& algorithm : all) algorithms_.push_back(&algorithm);
}

std::optional<std::string> KnownFigures::fault(const std::string& path) const {
  std::vector<std::string> paths;
  for (const AlgorithmEntry* algorithm : algorithms_) {
    const std::vector<FigureSpec> table = figure_table(*algorithm);
    if (has_path(table, path)) return std::nullopt;
    for (const FigureSpec& figure : table) paths.push_back(figure.path);
  }
  std::vector<std::string> owners;
  for (const AlgorithmEntry& other : all_)
    if (has_path(figure_table(other), path)) owners.push_back(other.name);
  if (!owners.empty()) return path + ": no algorithm here has this figure; those that have it: " + joined(owners);
  return path + ": result.json has no such figure" + did_you_mean(path, paths);
}

std::optional<std::string> KnownFigures::fault_of_number(const std::string& path) const {
  if (auto unknown = fault(path)) return unknown;
  std::vector<std::string> inside;
  std::optional<FigureType> type;
  for (const AlgorithmEntry* algorithm : algorithms_)
    for (const FigureSpec& figure : figure_table(*algorithm)) {
      if (figure.path == path) type = figure.type;
      if (figure.path == path && is_number(figure.type)) return std::nullopt;
      const bool fresh = std::find(inside.begin(), inside.end(), figure.path) == inside.end();
      if (section_of(figure.path) == path && is_number(figure.type) && fresh) inside.push_back(figure.path);
    }
  if (!type) return std::nullopt;  // what is in a list or an object is only known when it is there
  const std::string text = path + " is a ";
  if (*type == FigureType::text) return text + "text, not a number; keep: all keeps it, too";
  if (*type == FigureType::integer_list) return text + "list, not a number; its first is " + path + ".0";
  if (*type == FigureType::object_list) return text + "list, not a number";
  constexpr std::size_t most = 5;
  if (inside.size() > most) inside.resize(most);
  return text + "section, not a number" + (inside.empty() ? "" : "; numbers in it: " + joined(inside));
}

}  // namespace starloom
