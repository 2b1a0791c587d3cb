#include <starloom/inspection/links/run_files.hpp>

#include <fmt/format.h>

#include <starloom/core/error.hpp>
#include <starloom/inspection/packet_numbers.hpp>
#include <starloom/records/find_trace.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/links/run_network.hpp>
#include <starloom/verify/run_title.hpp>

namespace starloom::links {
namespace {

std::vector<DeadlockEntry> read_deadlock(const ResultDocument& result, const LinkNetwork& network,
                                         std::size_t packets) {
  std::vector<DeadlockEntry> circle;
  if (!result.given("deadlock.circle")) return circle;
  const auto cell = [&](const nlohmann::json& entry, const char* key, std::int64_t most, std::int64_t none) {
    const auto found = entry.is_object() ? entry.find(key) : entry.end();
    if (found == entry.end() || found->is_null()) return none;
    const std::int64_t value = found->is_number_integer() ? found->get<std::int64_t>() : -1;
    if (value < 0 || value > most) result.fail("deadlock.circle", fmt::format("has an entry without a sound {}", key));
    return value;
  };
  const nlohmann::json& entries = result.at("deadlock.circle");
  if (!entries.is_array()) result.fail("deadlock.circle", "is not a list");
  for (const nlohmann::json& entry : entries) {
    DeadlockEntry one;
    one.node = static_cast<NodeId>(cell(entry, "node", network.graph.nodes() - 1, no_node));
    one.port = static_cast<Port>(cell(entry, "port", network.graph.ports(), no_port));
    one.channel = static_cast<std::int32_t>(cell(entry, "channel", 1 << 20, -1));
    one.packet = static_cast<PacketId>(cell(entry, "packet", static_cast<std::int64_t>(packets) - 1, no_packet));
    circle.push_back(one);
  }
  return circle;
}

}  // namespace

RunFiles read_run_files(const std::filesystem::path& folder, const std::vector<TopologyEntry>& topologies) {
  if (!std::filesystem::is_directory(folder)) throw InputError(folder.string() + ": is not a folder");
  const ResultDocument result(folder / "result.json");
  find_trace(folder);
  RunFiles run{folder, read_network(folder, result, topologies), {}, {}, {}, {}, {}};
  KnownEntries known;
  known.topologies = topologies;
  RunFacts facts = read_run_facts(result, run.network.graph.nodes(), known);
  run.rules = std::move(facts.rules);
  run.outcome = std::move(facts.outcome);
  run.title = run_title(result, run.network.title);
  run.packets = read_packets(folder / "packets.csv");
  check_times(folder, run.packets);
  if (result.given("experiment.routing.discipline")) run.discipline = result.text("experiment.routing.discipline");
  run.stalls = result.given("experiment.stalls");
  run.deadlock = read_deadlock(result, run.network, run.packets.packets.size());
  for (const Packet& packet : run.packets.packets)
    if (packet.source < 0 || packet.source >= run.network.graph.nodes() || packet.destination < 0 ||
        packet.destination >= run.network.graph.nodes())
      throw InputError((folder / "packets.csv").string() + ": a packet has no source or destination in the network");
  return run;
}

void reject_row(const RunFiles& run, const TraceRow& row, const std::string& text) {
  throw InputError(fmt::format("{}: step {}: {}", find_trace(run.folder).string(), row.step, text));
}

void check_row(const RunFiles& run, const TraceRow& row) {
  const NetworkGraph& graph = run.network.graph;
  const bool crosses = row.event == TraceEvent::hop || row.event == TraceEvent::key || row.event == TraceEvent::token;
  const bool of_packet = row.event != TraceEvent::key && row.event != TraceEvent::token;
  if (row.node < 0 || row.node >= graph.nodes()) reject_row(run, row, "a row names a node that is not there");
  if (crosses &&
      (row.port < 0 || row.port >= graph.ports() || graph.far_end(row.node, row.port).node != row.to || row.to < 0))
    reject_row(run, row, "a row names a link that is not there");
  if (of_packet && (row.packet < 0 || static_cast<std::size_t>(row.packet) >= run.packets.packets.size()))
    reject_row(run, row, "a row names a packet that packets.csv does not have");
}

}  // namespace starloom::links
