// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/metric_table.hpp>

#include <algorithm>
#include <starloom/energy/costs.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

MetricSpec text_metric(std::string path, std::string meaning) {
  return {std::move(path), MetricType::text, "", std::move(meaning)};
}

/// The metrics of a section of latencies, appended to the table.
void add_latency_metrics(std::vector<MetricSpec>& table, const std::string& section) {
  const std::string none_delivered = "no packet was delivered";
  const std::vector<MetricSpec> metrics = {
      number_metric(section + ".mean", "steps", "the mean").null(none_delivered),
      integer_metric(section + ".p50", "steps", "median: half of the packets have at most this latency (nearest rank)")
          .null(none_delivered),
      integer_metric(section + ".p95", "steps", "95 % of the packets have at most this latency").null(none_delivered),
      integer_metric(section + ".p99", "steps", "99 % of the packets have at most this latency").null(none_delivered),
      integer_metric(section + ".max", "steps", "the longest").null(none_delivered),
      number_metric(section + ".per_hop", "steps per link", "sum of latencies divided by the sum of `hops`")
          .null("no packet that crossed a link was delivered, or `hops` is null"),
      {section + ".partial", MetricType::boolean, "",
       "true if some packets were not delivered; they are not in these metrics"}};
  const auto at = std::find_if(table.begin(), table.end(), [&](const MetricSpec& one) { return one.path == section; });
  table.insert(at + 1, metrics.begin(), metrics.end());
}

/// For sentences: `a`, `b`.
template <class Names>
std::string joined_names(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "`" : ", `") + std::string(name) + "`";
  return text;
}

std::vector<MetricSpec> make_common_metrics() {
  const std::string no_packet = "there are no packets", none_delivered = "no packet was delivered";
  const std::string of_worms =
      "nodes have no buffers (links-only, never-standing, POPS; transactions that are not cycle-accurate)";
  const std::string always_empty = "`queue.max` is 0";
  const std::string closed_loop = "the traffic is not open loop with phases";
  const std::string none_measured = "no step was measured";
  const std::string with_optics = "the experiment has `optics`";
  const std::string with_transceivers = "`optics.transmitter` is `parts`";
  const std::string with_faults = "the experiment has `faults`, and a network of links";
  const std::string with_errors = "the experiment has `faults.errors`";
  const std::string with_repetition = "`faults.errors.recovery` is `end-to-end`";
  const std::string with_energy = "the experiment has `energy`";
  const std::string none_ejected = "no flit was ejected";
  const std::string with_tasks = "the traffic is `application`";
  const std::string with_workload = "packets of the traffic wait for others";
  const std::string with_netrace = "the traffic is `netrace`";
  const std::string with_program = "the traffic is `collective`, `program` or `chakra`";
  const std::string with_closed_loop = "the traffic is `closed-loop`";
  const std::string with_reply = with_closed_loop + " and a reply was delivered";
  const std::string with_transactions = "the traffic is `transactions`";
  std::vector<MetricSpec> table = {
      integer_metric("schema", "", "version of this file format"),
      text_metric("version", "version of the program"),
      {"experiment", MetricType::object, "", "the experiment with all defaults, and the SHA-256 of its data files"},
      text_metric("outcome", "how the run ended"),
      integer_metric("steps", "steps", "step of the last delivery, 0 if there is none"),
      metric_section("schedule",
                     "duration that a real machine must allow, because it cannot see that all packets have arrived")
          .null("the algorithm has no fixed schedule, or did not complete it"),
      integer_metric("schedule.steps", "steps", "whole duration, including the final phase of fixed length"),
      text_metric("schedule.unit", "unit that the algorithm counts: round, batch, slot, five-slot cycle"),
      integer_metric("schedule.units", "", "number of units"),
      integer_metric("schedule.steps_per_unit", "steps", "duration of a unit"),
      metric_section("packets", "packets; in open loop, those created in the measurement phase"),
      integer_metric("packets.total", "packets", "created"),
      integer_metric("packets.delivered", "packets", "packets delivered"),
      integer_metric("packets.undelivered", "packets", "packets not delivered when the run ended"),
      metric_section("distance",
                     "number of links on a shortest path from source to destination; in open loop, of packets of the "
                     "measurement phase")
          .null("the network is a POPS network"),
      integer_metric("distance.max", "links", "the longest").null(no_packet),
      number_metric("distance.mean", "links", "the mean").null(no_packet),
      metric_section("hops",
                     "number of links that delivered packets crossed; in open loop, packets of the measurement phase")
          .null("the network is a POPS network, or `model` is `message`"),
      integer_metric("hops.max", "links", "the most").null(none_delivered),
      number_metric("hops.mean", "links", "the mean").null(none_delivered),
      metric_section("latency",
                     "delivered - created, of delivered packets; in open loop, packets of the measurement phase"),
      metric_section("queue", "longest queue of a node").null(of_worms),
      integer_metric("queue.max", "packets", "length of the longest queue"),
      integer_metric("queue.node", "", "node in which the longest queue first occurred").null(always_empty),
      integer_metric("queue.step", "steps", "step in which the longest queue first occurred").null(always_empty),
      metric_section("throughput", "flits per processor, over the measured steps").null(closed_loop),
      number_metric("throughput.offered", "flits per processor and step", "created").null(none_measured),
      number_metric("throughput.accepted", "flits per processor and step", "arrived").null(none_measured),
      {"saturated", MetricType::boolean, "",
       "open loop: true if the outcome is `saturated`; `application`: true if queues grew until the sources ended", "",
       closed_loop + " and not `application`"},
      metric_section("saturation", "reason for the outcome `saturated`").null("the outcome is not `saturated`"),
      text_metric("saturation.reason", "`full`, `backlog`, `drain` or `latency` (\"Open loop\" above)"),
      integer_metric("saturation.step", "steps", "step at which the run was found to be saturated"),
      {"saturation.link", MetricType::text, "", "full link, or node of the full local port", "",
       "`saturation.reason` is not `full`"},
      metric_section("network_latency", "delivered - injected: the latency without the time in the source queue")
          .null("the algorithm has no virtual channels"),
      metric_section("deadlock", "packets that wait for each other forever").null("the outcome is not `deadlock`"),
      integer_metric("deadlock.step", "steps", "last step in which a flit crossed a link or reached its processor")
          .null("no flit did"),
      {"deadlock.circle", MetricType::object_list, "",
       "`packet` waits for out-port `port` and `channel` of `node`, which the packet of the next entry holds; a packet "
       "behind another one at the end of a link waits for the channel on which it arrived. `port` is the number of "
       "ports of links while it waits for its processor, null while it waits in the memory of its processor"},
      metric_section("links", "flits on links; on POPS networks, messages on couplers"),
      integer_metric("links.flit_hops", "flits", "flits of packets, over all links"),
      integer_metric("links.control_hops", "flits", "flits of keys, tokens and acknowledgements, over all links"),
      integer_metric("links.max_load", "flits", "greatest number of flits of packets over one link"),
      {"classes", MetricType::object_list, "",
       "for each class of traffic its `name`, and `packets`, `latency`, `network_latency` and `throughput` in the form "
       "of "
       "those of all packets; `oldest`: the age in steps of its oldest packet that was not delivered, or null",
       "the experiment has `traffic.classes`, or `closed-loop` with `reply.channels`"},
      metric_section("faults", "dead hardware, and what it leaves; of networks of links").only(with_faults),
      integer_metric("faults.cables", "", "cables that are dead in step 0: no link of them is alive").only(with_faults),
      integer_metric("faults.links", "", "links that are dead in step 0, those of dead routers included")
          .only(with_faults),
      integer_metric("faults.routers", "", "routers that are dead in step 0").only(with_faults),
      integer_metric("faults.events", "", "links, routers and processors that died or were repaired after step 0")
          .only(with_faults),
      integer_metric("faults.parts", "", "parts of the network in step 0: the nodes of one reach one another")
          .only(with_faults),
      {"faults.connected", MetricType::boolean, "", "true if there is one part", with_faults},
      integer_metric("faults.unreachable_pairs", "",
                     "ordered pairs of living processors between which the routing function has no path")
          .only(with_faults),
      {"faults.acyclic", MetricType::boolean, "", "true if packets cannot wait for each other forever",
       with_faults + ", and the routing function is fixed and not too large to be searched"},
      {"faults.lost", MetricType::object, "", "number of lost packets, by cause; causes that did not occur are absent",
       with_faults},
      integer_metric("faults.flits_dropped", "flits", "flits that vanished in the network: rows `drop` of trace.csv")
          .only(with_faults),
      integer_metric("faults.corrupt", "flits", "flits that arrived corrupt, those that were ignored included")
          .only(with_errors),
      integer_metric("faults.nacks", "flits", "corrupt flits that the sender of their link learned of")
          .only(with_errors),
      integer_metric("faults.resends", "flits", "flits that entered a link again: rows `resend` of trace.csv")
          .only(with_errors),
      integer_metric("faults.discards", "flits",
                     "flits that were not accepted, corrupt or ignored behind a corrupt one: rows `discard`")
          .only(with_errors),
      integer_metric("faults.duplicates", "packets", "attempts that arrived after another one of their packet")
          .only(with_repetition),
      {"faults.changes", MetricType::integer_list, "",
       "steps in which routing functions learned of dead and repaired hardware", with_faults},
      metric_section("energy", "energy and area of routers and links over the measured steps; of networks of links")
          .only(with_energy),
      text_metric("energy.table", "name of the table of components"),
      integer_metric("energy.steps", "steps", "measured steps: those of `links.csv`"),
      number_metric("energy.total_pj", "pJ", "dynamic energy and leakage; sums in `energy` have all digits"),
      number_metric("energy.dynamic_pj", "pJ", "energy of all events"),
      number_metric("energy.leakage_pj", "pJ", "energy that routers and links take without events"),
      {"energy.dynamic", MetricType::object, "pJ", "energy by kind of event: " + joined_names(energy::event_names)},
      {"energy.leakage", MetricType::object, "pJ", "leakage by component: " + joined_names(energy::silicon_names)},
      {"energy.counts", MetricType::object, "",
       "events by kind, of which those of `clock` are steps of a router; `vc_requests` and `switch_requests`: requests "
       "to "
       "the allocators"},
      number_metric("energy.per_packet_pj", "pJ", "total energy per packet that arrived over routers or links")
          .null("no packet arrived"),
      number_metric("energy.per_flit_pj", "pJ", "dynamic energy per flit that was ejected").null(none_ejected),
      number_metric("energy.per_bit_pj", "pJ", "total energy per bit that was ejected").null(none_ejected),
      number_metric("energy.power_mw", "mW", "mean power").null(none_measured),
      number_metric("energy.peak_mw", "mW", "greatest mean power of a row of `energy_windows.csv`")
          .null("`energy.window` is 0, or no step was measured"),
      number_metric("energy.edp_pj_ns", "pJ ns", "`per_packet_pj` times the mean latency in ns")
          .null("no packet arrived"),
      {"energy.area_um2", MetricType::object, "um2", "area by component, as `leakage`, and `total`"},
      metric_section("application", "results of application graphs").only(with_tasks),
      {"application.placement", MetricType::integer_list, "", "node of each task", with_tasks},
      metric_section("workload", "messages and events that wait for each other").only(with_workload),
      metric_section("workload.messages", "messages of the input").only(with_workload),
      integer_metric("workload.messages.total", "messages", "also those that were not created").only(with_workload),
      integer_metric("workload.messages.delivered", "messages", "messages all of whose packets were delivered")
          .only(with_workload),
      integer_metric("workload.end", "steps", "step in which the last message or event completes").only(with_workload),
      integer_metric("workload.late", "messages", "messages created later than their `cycle`").only(with_workload),
      integer_metric("workload.paused", "steps", "steps in which a full `window` stopped the reading of a netrace file")
          .only(with_workload),
      {"workload.classes", MetricType::object_list, "",
       "for each class of messages its `name`, `messages`, `latency` {`mean`, `p50`, `p95`, `p99`, `max`} from "
       "creation to delivery, and `missed`: messages delivered later than their `deadline`, or never; without classes "
       "one entry, without a name; with phases, messages created in the measured steps",
       with_workload},
      {"workload.collectives", MetricType::object_list, "",
       "the first 1,000 collectives of the program, with the columns of `collectives.csv`", with_program},
      metric_section("workload.netrace", "the netrace file").only(with_netrace),
      integer_metric("workload.netrace.records", "packets", "records of the file, or of its region").only(with_netrace),
      integer_metric("workload.netrace.trace_cycles", "cycles", "duration of the same in the recorded machine")
          .only(with_netrace),
      number_metric("workload.netrace.slowdown", "steps per cycle", "`workload.end` / `trace_cycles`")
          .only(with_netrace + " and `trace_cycles` is not 0"),
      metric_section("workload.closed_loop", "replies; with phases, those delivered in the measured steps")
          .only(with_closed_loop),
      integer_metric("workload.closed_loop.replies", "packets", "replies delivered").only(with_closed_loop),
      number_metric("workload.closed_loop.rate", "packets per step", "replies delivered, over all clients")
          .only(with_closed_loop + " and a step counts"),
      metric_section("workload.closed_loop.round_trip",
                     "time from the creation of a request to the delivery of its reply")
          .only(with_reply),
      number_metric("workload.closed_loop.round_trip.mean", "steps", "the mean").only(with_reply),
      integer_metric("workload.closed_loop.round_trip.p50", "steps", "the median").only(with_reply),
      integer_metric("workload.closed_loop.round_trip.p95", "steps", "95th percentile").only(with_reply),
      integer_metric("workload.closed_loop.round_trip.p99", "steps", "99th percentile").only(with_reply),
      integer_metric("workload.closed_loop.round_trip.max", "steps", "the longest").only(with_reply),
      metric_section("transactions", "results of transactions").only(with_transactions),
      integer_metric("transactions.total", "transactions", "transactions of the file"),
      integer_metric("transactions.answered", "transactions", "transactions with a response"),
      integer_metric("transactions.errors", "transactions", "transactions with an error response"),
      number_metric("transactions.mean", "steps", "mean of completed - issued").null("no transaction was answered"),
      integer_metric("transactions.max", "steps", "the longest").null("no transaction was answered"),
      metric_section("bounds", "proven bounds for this run"),
      integer_metric("bounds.critical_path", "steps",
                     "step of the last delivery in a network in which no packet meets another one: no run is faster")
          .only(with_workload + ", other than `closed-loop` with phases or random servers"),
      metric_section("algorithm", "metrics of the algorithm"),
      metric_section("storage", "storage model, for `verify`").null("the network is a POPS network"),
      text_metric("storage.model", "name of the storage model"),
      integer_metric("storage.bound", "packets", "greatest number of packets that may stay in a node; 0: no bound"),
      integer_metric("storage.channels", "", "number of virtual channels of a link"),
      integer_metric("storage.capacity", "flits", "capacity of a buffer; 0: no limit"),
      {"storage.routes_own", MetricType::boolean, "", "true if packets for their own node go through the controller"},
      {"storage.places", MetricType::integer_list, "packets", "greatest number of packets that may stay in each node",
       "the bound differs from node to node"},
      metric_section("optics", "power, time and energy of the couplers").only(with_optics),
      number_metric("optics.margin_db", "dB", "power margin"),
      number_metric("optics.time_ns", "ns", "duration of all slots"),
      number_metric("optics.energy_pj_per_packet", "pJ",
                    "energy of all transmissions, or with parts of the whole run, per delivered packet")
          .null(none_delivered),
      number_metric("optics.launch_dbm", "dBm", "power from a transmitter into its coupler").only(with_transceivers),
      metric_section("optics.parts", "energy of the parts of transmitters and receivers").only(with_transceivers),
      number_metric("optics.parts.laser_pj", "pJ", "energy of lasers"),
      number_metric("optics.parts.modulators_pj", "pJ", "energy of modulators, for the bits that are driven"),
      number_metric("optics.parts.receivers_pj", "pJ", "energy of receivers, for the bits that are heard"),
      number_metric("optics.parts.receivers_static_pj", "pJ", "energy of receivers that are on, whatever they hear"),
      number_metric("optics.parts.tuning_pj", "pJ", "energy of tuning transmitters and receivers"),
      number_metric("optics.parts.total_pj", "pJ", "energy of the run"),
  };
  add_latency_metrics(table, "latency");
  add_latency_metrics(table, "network_latency");
  return table;
}

bool is_number(MetricType type) {
  return type == MetricType::integer || type == MetricType::number || type == MetricType::boolean;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// True if a result with this table can have a value at the path.
bool has_path(const std::vector<MetricSpec>& table, const std::string& path) {
  return std::any_of(table.begin(), table.end(), [&](const MetricSpec& metric) {
    if (metric.path == path) return true;
    if (path.compare(0, metric.path.size() + 1, metric.path + ".") != 0) return false;
    const std::string rest = path.substr(metric.path.size() + 1);
    return metric.type == MetricType::object || (metric.type == MetricType::integer_list && is_number(rest)) ||
           (metric.type == MetricType::object_list && (is_number(rest) || rest.find('.') != std::string::npos));
  });
}

}  // namespace

const std::vector<MetricSpec>& common_metrics() {
  static const std::vector<MetricSpec> table = make_common_metrics();
  return table;
}

std::vector<MetricSpec> own_metrics(const AlgorithmEntry& algorithm, const std::string& section) {
  std::vector<MetricSpec> own;
  if (section == "bounds") own = algorithm.bounds;
  if (section == "algorithm") own = algorithm.metrics;
  for (MetricSpec& metric : own) metric.path = section + "." + metric.path;
  return own;
}

std::vector<MetricSpec> metric_table(const AlgorithmEntry& algorithm) {
  std::vector<MetricSpec> table;
  for (const MetricSpec& metric : common_metrics()) {
    table.push_back(metric);
    for (MetricSpec& own : own_metrics(algorithm, metric.path)) table.push_back(std::move(own));
  }
  return table;
}

std::string section_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::vector<std::string> top_level_metrics(const std::vector<MetricSpec>& table) {
  std::vector<std::string> names;
  for (const MetricSpec& metric : table)
    if (section_of(metric.path).empty()) names.push_back(metric.path);
  return names;
}

KnownMetrics::KnownMetrics(const std::vector<AlgorithmEntry>& all) : all_(all) {
  for (const AlgorithmEntry& algorithm : all) algorithms_.push_back(&algorithm);
}

std::optional<std::string> KnownMetrics::error(const std::string& path) const {
  std::vector<std::string> paths;
  for (const AlgorithmEntry* algorithm : algorithms_) {
    const std::vector<MetricSpec> table = metric_table(*algorithm);
    if (has_path(table, path)) return std::nullopt;
    for (const MetricSpec& metric : table) paths.push_back(metric.path);
  }
  std::vector<std::string> owners;
  for (const AlgorithmEntry& other : all_)
    if (has_path(metric_table(other), path)) owners.push_back(other.name);
  if (!owners.empty())
    return path + ": no algorithm of this campaign has this metric; algorithms with it: " + joined(owners);
  return path + ": result.json has no such metric" + did_you_mean(path, paths);
}

std::optional<std::string> KnownMetrics::error_of_number(const std::string& path) const {
  if (auto unknown = error(path)) return unknown;
  std::vector<std::string> inside;
  std::optional<MetricType> type;
  for (const AlgorithmEntry* algorithm : algorithms_)
    for (const MetricSpec& metric : metric_table(*algorithm)) {
      if (metric.path == path) type = metric.type;
      if (metric.path == path && is_number(metric.type)) return std::nullopt;
      const bool fresh = std::find(inside.begin(), inside.end(), metric.path) == inside.end();
      if (section_of(metric.path) == path && is_number(metric.type) && fresh) inside.push_back(metric.path);
    }
  if (!type) return std::nullopt;  // the elements of a list or an object are known only in a result
  const std::string text = path + " is a ";
  if (*type == MetricType::text) return text + "text, not a number; keep: all stores it as well";
  if (*type == MetricType::integer_list) return text + "list, not a number; its first is " + path + ".0";
  if (*type == MetricType::object_list) return text + "list, not a number";
  constexpr std::size_t most = 5;
  if (inside.size() > most) inside.resize(most);
  return text + "section, not a number" + (inside.empty() ? "" : "; numbers in it: " + joined(inside));
}

}  // namespace starloom
