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
      integer_figure(section + ".p50", "steps", "median: half of the packets have at most this latency (nearest rank)")
          .null(none_delivered),
      integer_figure(section + ".p95", "steps", "95 % of the packets have at most this latency").null(none_delivered),
      integer_figure(section + ".p99", "steps", "99 % of the packets have at most this latency").null(none_delivered),
      integer_figure(section + ".max", "steps", "the longest").null(none_delivered),
      number_figure(section + ".per_hop", "steps per link", "sum of latencies divided by the sum of `hops`")
          .null("no packet that crossed a link was delivered, or `hops` is null"),
      {section + ".partial", FigureType::boolean, "",
       "true if some packets were not delivered; they are not in these metrics"}};
  const auto at = std::find_if(table.begin(), table.end(), [&](const FigureSpec& one) { return one.path == section; });
  table.insert(at + 1, figures.begin(), figures.end());
}

std::vector<FigureSpec> make_common_figures() {
  const std::string no_packet = "there are no packets", none_delivered = "no packet was delivered";
  const std::string of_worms =
      "nodes have no buffers (links-only, never-standing, POPS; transactions that are not cycle-accurate)";
  const std::string always_empty = "`queue.max` is 0";
  const std::string closed_loop = "the traffic is not open loop with phases";
  const std::string none_measured = "no step was measured";
  const std::string with_optics = "the experiment has `optics`";
  const std::string with_tasks = "the traffic is `application`";
  const std::string with_transactions = "the traffic is `transactions`";
  std::vector<FigureSpec> table = {
      integer_figure("schema", "", "version of this file format"),
      text_figure("version", "version of the program"),
      {"experiment", FigureType::object, "", "the experiment with all defaults, and the SHA-256 of its data files"},
      text_figure("outcome", "how the run ended"),
      integer_figure("steps", "steps", "step of the last delivery, 0 if there is none"),
      figure_section("schedule",
                     "duration that a real machine must allow, because it cannot see that all packets have arrived")
          .null("the algorithm has no fixed schedule, or did not complete it"),
      integer_figure("schedule.steps", "steps", "whole duration, including the final phase of fixed length"),
      text_figure("schedule.unit", "unit that the algorithm counts: round, batch, slot, five-slot cycle"),
      integer_figure("schedule.units", "", "number of units"),
      integer_figure("schedule.steps_per_unit", "steps", "duration of a unit"),
      figure_section("packets", "packets; in open loop, those created in the measurement phase"),
      integer_figure("packets.total", "packets", "created"),
      integer_figure("packets.delivered", "packets", "packets delivered"),
      integer_figure("packets.undelivered", "packets", "packets not delivered when the run ended"),
      figure_section("distance",
                     "number of links on a shortest path from source to destination; in open loop, of packets of the "
                     "measurement phase")
          .null("the network is a POPS network"),
      integer_figure("distance.max", "links", "the longest").null(no_packet),
      number_figure("distance.mean", "links", "the mean").null(no_packet),
      figure_section("hops",
                     "number of links that delivered packets crossed; in open loop, packets of the measurement phase")
          .null("the network is a POPS network, or `model` is `message`"),
      integer_figure("hops.max", "links", "the most").null(none_delivered),
      number_figure("hops.mean", "links", "the mean").null(none_delivered),
      figure_section("latency",
                     "delivered - created, of delivered packets; in open loop, packets of the measurement phase"),
      figure_section("queue", "longest queue of a node").null(of_worms),
      integer_figure("queue.max", "packets", "length of the longest queue"),
      integer_figure("queue.node", "", "node in which the longest queue first occurred").null(always_empty),
      integer_figure("queue.step", "steps", "step in which the longest queue first occurred").null(always_empty),
      figure_section("throughput", "flits per processor, over the measured steps").null(closed_loop),
      number_figure("throughput.offered", "flits per processor and step", "created").null(none_measured),
      number_figure("throughput.accepted", "flits per processor and step", "arrived").null(none_measured),
      {"saturated", FigureType::boolean, "",
       "open loop: true if the outcome is `saturated`; `application`: true if queues grew until the sources ended", "",
       closed_loop + " and not `application`"},
      figure_section("saturation", "reason for the outcome `saturated`").null("the outcome is not `saturated`"),
      text_figure("saturation.reason", "`full`, `backlog`, `drain` or `latency` (\"Open loop\" above)"),
      integer_figure("saturation.step", "steps", "step at which the run was found to be saturated"),
      {"saturation.link", FigureType::text, "", "full link, or node of the full local port", "",
       "`saturation.reason` is not `full`"},
      figure_section("network_latency", "delivered - injected: the latency without the time in the source queue")
          .null("the algorithm has no virtual channels"),
      figure_section("deadlock", "packets that wait for each other forever").null("the outcome is not `deadlock`"),
      integer_figure("deadlock.step", "steps", "last step in which a flit moved").null("no flit moved"),
      {"deadlock.circle", FigureType::object_list, "",
       "`packet` waits for out-port `port` and `channel` of `node`, which the packet of the next entry holds; a packet "
       "behind another one at the end of a link waits for the channel on which it arrived"},
      figure_section("links", "flits on links; on POPS networks, messages on couplers"),
      integer_figure("links.flit_hops", "flits", "flits of packets, over all links"),
      integer_figure("links.control_hops", "flits", "flits of keys, tokens and acknowledgements, over all links"),
      integer_figure("links.max_load", "flits", "greatest number of flits of packets over one link"),
      figure_section("application", "results of application graphs").only(with_tasks),
      {"application.placement", FigureType::integer_list, "", "node of each task", with_tasks},
      figure_section("transactions", "results of transactions").only(with_transactions),
      integer_figure("transactions.total", "transactions", "transactions of the file"),
      integer_figure("transactions.answered", "transactions", "transactions with a response"),
      integer_figure("transactions.errors", "transactions", "transactions with an error response"),
      number_figure("transactions.mean", "steps", "mean of completed - issued").null("no transaction was answered"),
      integer_figure("transactions.max", "steps", "the longest").null("no transaction was answered"),
      figure_section("bounds", "proven bounds for this run"),
      figure_section("algorithm", "metrics of the algorithm"),
      figure_section("storage", "storage model, for `verify`").null("the network is a POPS network"),
      text_figure("storage.model", "name of the storage model"),
      integer_figure("storage.bound", "packets", "greatest number of packets that may stay in a node; 0: no bound"),
      integer_figure("storage.channels", "", "number of virtual channels of a link"),
      integer_figure("storage.capacity", "flits", "capacity of a buffer; 0: no limit"),
      {"storage.routes_own", FigureType::boolean, "", "true if packets for their own node go through the controller"},
      {"storage.places", FigureType::integer_list, "packets", "greatest number of packets that may stay in each node",
       "the bound differs from node to node"},
      figure_section("optics", "power, time and energy of the couplers").only(with_optics),
      number_figure("optics.margin_db", "dB", "power margin"),
      number_figure("optics.time_ns", "ns", "duration of all slots"),
      number_figure("optics.energy_pj_per_packet", "pJ", "energy of all transmissions per delivered packet")
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
  if (!owners.empty())
    return path + ": no algorithm of this campaign has this metric; algorithms with it: " + joined(owners);
  return path + ": result.json has no such metric" + did_you_mean(path, paths);
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
  if (*type == FigureType::text) return text + "text, not a number; keep: all stores it as well";
  if (*type == FigureType::integer_list) return text + "list, not a number; its first is " + path + ".0";
  if (*type == FigureType::object_list) return text + "list, not a number";
  constexpr std::size_t most = 5;
  if (inside.size() > most) inside.resize(most);
  return text + "section, not a number" + (inside.empty() ? "" : "; numbers in it: " + joined(inside));
}

}  // namespace starloom
