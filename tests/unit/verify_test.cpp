// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/run_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/trace_io/links/trace_writer.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/links/queue_tally.hpp>
#include "gzip.hpp"
#include "sample_traces.hpp"
#include "scratch_folder.hpp"

namespace starloom::links {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// `queue` by definition: after every step, all packets looked at. For runs that inject everything in step 0.
QueueMaximum plain_queue(const SampleRun& run) {
  QueueMaximum queue;
  const Step end = run.rows.empty() ? 0 : run.rows.back().step;
  for (Step step = 0; step <= end; ++step) {
    std::vector<NodeId> location(run.packets.size());
    std::vector<Step> counts_from(run.packets.size());
    for (std::size_t i = 0; i < location.size(); ++i) {
      location[i] = run.packets[i].source;
      counts_from[i] = run.packets[i].created;
    }
    for (const TraceRow& row : run.rows)
      if (row.event == TraceEvent::hop && row.step <= step) {
        location[row.packet] = row.to;
        counts_from[row.packet] = row.step + run.latency - 1;
      }
    std::vector<std::int64_t> count(static_cast<std::size_t>(run.topology.nodes()), 0);
    for (std::size_t i = 0; i < location.size(); ++i)
      count[location[i]] += counts_from[i] <= step && location[i] != run.packets[i].destination ? 1 : 0;
    for (NodeId node = 0; node < run.topology.nodes(); ++node) queue.update(count[node], node, step);
  }
  return queue;
}

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

/// Greatest and mean; null of none.
json metrics_of(const std::vector<std::int64_t>& values) {
  if (values.empty()) return {{"max", nullptr}, {"mean", nullptr}};
  return {{"max", *std::max_element(values.begin(), values.end())},
          {"mean", static_cast<double>(sum_of(values)) / static_cast<double>(values.size())}};
}

json latencies_of(std::vector<std::int64_t> latencies, const std::vector<std::int64_t>& hops, bool partial) {
  json section = metrics_of(latencies);
  std::sort(latencies.begin(), latencies.end());
  const std::size_t count = latencies.size();
  for (const std::size_t percent : {50, 95, 99})
    section["p" + std::to_string(percent)] = count > 0 ? json(latencies[(count * percent + 99) / 100 - 1]) : json();
  section["per_hop"] =
      sum_of(hops) > 0 ? json(static_cast<double>(sum_of(latencies)) / static_cast<double>(sum_of(hops))) : json();
  section["partial"] = partial;
  return section;
}

/// A measurement phase: packets created in [from, to) count.
struct Phase {
  Step from = 0, to = 0;
};

/// The values of a valid result, recomputed here.
json result_of(const SampleRun& run, const std::optional<Phase>& phase = {}) {
  constexpr std::array models{"store-and-forward", "virtual-channels", "links-only", "never-standing"};
  json result;
  result["schema"] = 1;
  result["outcome"] = "completed";
  result["experiment"]["network"] = {{"topology", run.topology.kind_name()}, {"shape", run.topology.shape()}};
  if (run.latency != 1) result["experiment"]["network"]["link_latency"] = run.latency;
  result["experiment"]["routing"] = {{"algorithm", "greedy"}};
  result["experiment"]["traffic"] = {{"pattern", "packets"}};
  result["storage"] = {{"model", models[static_cast<std::size_t>(run.rules.storage)]},
                       {"bound", run.rules.bound},
                       {"channels", run.rules.channels},
                       {"capacity", run.rules.capacity},
                       {"routes_own", run.rules.routes_own}};
  for (const char* const section : {"network_latency", "throughput", "saturated", "saturation", "deadlock"})
    result[section] = nullptr;
  const bool routers = run.rules.storage == RefereeRules::Storage::virtual_channels;
  const NetworkGraph graph = make_grid_graph(run.topology, run.latency);
  std::int64_t controls = 0, most = 0;
  std::vector<std::int64_t> hops(run.packets.size(), 0);
  std::vector<Step> injected(run.packets.size(), no_step);
  std::map<std::pair<NodeId, Port>, std::int64_t> load;
  for (const TraceRow& row : run.rows) {
    controls += row.event == TraceEvent::key || row.event == TraceEvent::token ? 1 : 0;
    if (row.event == TraceEvent::inject && row.flit == 0) injected[row.packet] = row.step;
    if (row.event != TraceEvent::hop) continue;
    if (row.flit == 0) ++hops[row.packet];
    most = std::max(most, ++load[{row.node, row.port}]);
  }
  Step steps = 0;
  std::int64_t flits = 0;
  std::vector<std::int64_t> distances, crossed, latencies, network_latencies;
  for (std::size_t i = 0; i < run.packets.size(); ++i) {
    const Packet& packet = run.packets[i];
    if (run.delivered[i] != no_step) steps = std::max(steps, run.delivered[i]);
    if (phase && (packet.created < phase->from || packet.created >= phase->to)) continue;
    flits += packet.flits;
    distances.push_back(routers ? graph.distance_over_routers(packet.source, packet.destination)
                                : graph.distance(packet.source, packet.destination));
    if (run.delivered[i] == no_step) continue;
    crossed.push_back(hops[i]);
    latencies.push_back(run.delivered[i] - packet.created);
    network_latencies.push_back(run.delivered[i] - injected[i]);
  }
  const auto total = static_cast<std::int64_t>(distances.size());
  const auto delivered = static_cast<std::int64_t>(latencies.size());
  result["packets"] = {{"total", total}, {"delivered", delivered}, {"undelivered", total - delivered}};
  result["steps"] = steps;
  result["links"] = {
      {"flit_hops", std::accumulate(load.begin(), load.end(), std::int64_t{0},
                                    [](std::int64_t sum, const auto& link) { return sum + link.second; })},
      {"control_hops", controls},
      {"max_load", most}};
  result["distance"] = metrics_of(distances);
  result["hops"] = metrics_of(crossed);
  result["latency"] = latencies_of(latencies, crossed, delivered < total);
  if (routers) result["network_latency"] = latencies_of(network_latencies, crossed, delivered < total);
  if (phase) {
    const auto rate = [&](std::int64_t count) {
      return static_cast<double>(count) / (static_cast<double>(phase->to - phase->from) * graph.nodes());
    };
    const auto arrives = [&](const TraceRow& row) {
      return row.event == TraceEvent::eject && row.step >= phase->from && row.step < phase->to;
    };
    result["throughput"] = {{"offered", rate(flits)},
                            {"accepted", rate(std::count_if(run.rows.begin(), run.rows.end(), arrives))}};
    result["saturated"] = false;
    result["experiment"]["traffic"] = {
        {"pattern", "uniform"}, {"rate", 0.1}, {"warmup", phase->from}, {"measure", phase->to - phase->from}};
  }
  result["queue"] = nullptr;
  if (run.rules.storage == RefereeRules::Storage::store_and_forward) {
    const QueueMaximum queue = plain_queue(run);
    result["queue"] = {{"max", queue.max},
                       {"node", queue.max > 0 ? json(queue.node) : json()},
                       {"step", queue.max > 0 ? json(queue.step) : json()}};
  }
  return result;
}

/// An output folder that can be damaged before it is verified.
struct Folder {
  explicit Folder(const SampleRun& run, const std::optional<Phase>& phase = {}) : result(result_of(run, phase)) {
    write_packets(scratch.file("packets.csv"), run.packets, run.delivered);
    TraceWriter writer(scratch.file("trace.csv"));
    writer.rows(run.rows);
    writer.close();
  }
  VerifyReport verify() const {
    scratch.write("result.json", result.dump(2) + "\n");
    return open_run_folder(scratch.path(), {topology_table(), {}, {"leaves-packets"}})->verify();
  }
  /// The text of the InputError that verifying ends in.
  std::string error() const {
    try {
      verify();
    } catch (const InputError& error) {
      EXPECT_EQ(error.status(), ExitStatus::usage);
      return error.what();
    }
    return "no fault";
  }

  ScratchFolder scratch;
  json result;
};

std::vector<SampleRun> samples() {
  return {store_and_forward_sample(Grid::mesh({5, 5}), 2, 1), store_and_forward_sample(Grid::torus({4, 4, 2}), 5, 3),
          virtual_channels_sample(), links_only_sample(), never_standing_sample()};
}

TEST(Verify, AcceptsSoundFolders) {
  for (const SampleRun& run : samples()) {
    const Folder folder(run);
    const VerifyReport report = folder.verify();
    EXPECT_EQ(report.violation, "");
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.rows, static_cast<std::int64_t>(run.rows.size()));
    EXPECT_EQ(report.packets, static_cast<std::int64_t>(run.packets.size()));
  }
}

TEST(Verify, ComparesWhenPacketsWereInjected) {
  const SampleRun run = virtual_channels_sample();
  std::vector<Step> injected(run.packets.size(), no_step);
  for (const TraceRow& row : run.rows)
    if (row.event == TraceEvent::inject && row.flit == 0) injected[static_cast<std::size_t>(row.packet)] = row.step;
  const Folder folder(run);
  const auto said = [&](const std::vector<Step>& steps) {
    write_packets(folder.scratch.file("packets.csv"), run.packets, run.delivered, steps);
    return folder.verify().violation;
  };
  EXPECT_EQ(said(injected), "");
  const Step step = injected[1];
  injected[1] = step + 1;
  EXPECT_EQ(said(injected), "packets.csv says that packet 1 was injected in step " + std::to_string(step + 1) +
                                ", but by the rows it was injected in step " + std::to_string(step));
  injected[1] = no_step;
  EXPECT_THAT(said(injected), testing::StartsWith("packets.csv says that packet 1 was never injected, but"));
}

TEST(Verify, ReadsAPackedTraceAndPrefersThePlainOne) {
  const Folder folder(links_only_sample());
  const std::string plain = folder.scratch.read("trace.csv");
  folder.scratch.write("trace.csv.gz", gzip(plain));
  std::filesystem::remove(folder.scratch.file("trace.csv"));
  EXPECT_EQ(folder.verify().violation, "");
  folder.scratch.write("trace.csv.gz", gzip(plain).substr(0, 40));
  EXPECT_THAT(folder.error(), HasSubstr("trace.csv.gz:1:1: the gzip data is damaged or ends too early"));
  folder.scratch.write("trace.csv", plain);
  EXPECT_EQ(folder.verify().violation, "");
}

TEST(Verify, RejectsADamagedTrace) {
  for (const SampleRun& run : samples()) {
    SampleRun damaged = run;
    damaged.rows.erase(damaged.rows.begin() + static_cast<std::ptrdiff_t>(run.rows.size() / 2));
    Folder folder(damaged);
    folder.result = result_of(run);
    const VerifyReport report = folder.verify();
    EXPECT_THAT(report.violation, HasSubstr("step "));
  }
}

TEST(Verify, RejectsWhatPacketsCsvReportsFalsely) {
  SampleRun run = never_standing_sample();
  ++run.delivered[3];
  EXPECT_THAT(Folder(run).verify().violation,
              HasSubstr("packet 3, flit 1 is reported delivered in step 11, but by the rows it arrives in step 10"));
}

TEST(Verify, RejectsFiguresThatTheRowsDoNotGive) {
  const SampleRun run = store_and_forward_sample(Grid::mesh({5, 5}), 2, 1);
  for (const char* const metric :
       {"/packets/total", "/packets/delivered", "/packets/undelivered", "/steps", "/links/flit_hops",
        "/links/control_hops", "/links/max_load", "/latency/max", "/latency/p50", "/latency/p95", "/latency/p99",
        "/distance/max", "/hops/max", "/queue/max", "/queue/node", "/queue/step"}) {
    const json::json_pointer at(metric);
    Folder folder(run);
    const auto value = folder.result[at].get<std::int64_t>();
    folder.result[at] = value + 1;
    std::string name = std::string(metric).substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    EXPECT_EQ(folder.verify().violation, "in result.json " + name + " is " + std::to_string(value + 1) +
                                             ", but packets and rows give " + std::to_string(value));
    if (name == "packets.undelivered") continue;  // it is read before
    folder.result[at] = nullptr;
    EXPECT_THAT(folder.verify().violation, HasSubstr(" is null, but packets and rows give "));
  }
}

TEST(Verify, RejectsMeansAndWordsThatAreNotSo) {
  Folder folder(store_and_forward_sample(Grid::mesh({5, 5}), 2, 1));
  const json sound = folder.result;
  const auto with = [&](const char* metric, const json& value) {
    folder.result = sound;
    folder.result[json::json_pointer(metric)] = value;
    return folder.verify().violation;
  };
  for (const char* const metric : {"/latency/mean", "/distance/mean", "/hops/mean"})
    EXPECT_THAT(with(metric, sound[json::json_pointer(metric)].get<double>() + 0.25),
                HasSubstr(", but packets and rows give " + sound[json::json_pointer(metric)].dump()));
  EXPECT_EQ(with("/latency/partial", true), "in result.json latency.partial is true, but packets and rows give false");
  EXPECT_EQ(with("/saturated", true), "in result.json saturated is true, but packets and rows give null");
  EXPECT_EQ(with("/deadlock", {{"step", 3}}), "in result.json deadlock is a section, but packets and rows give null");
  EXPECT_EQ(with("/hops", nullptr),
            "in result.json hops.max is null, but packets and rows give " + sound["hops"]["max"].dump());
  EXPECT_EQ(with("/steps", 2.5), "in result.json steps is 2.5, but packets and rows give " + sound["steps"].dump());
}

TEST(Verify, ACompletedRunHasDelivered) {
  SampleRun run = store_and_forward_sample(Grid::mesh({3, 3}), 2, 1);
  const PacketId last = run.rows.back().packet;
  run.rows.pop_back();
  run.delivered[last] = no_step;
  Folder folder(run);
  EXPECT_THAT(folder.verify().violation, HasSubstr("the run is completed, but packets are not delivered"));
  folder.result["outcome"] = "step-limit";
  EXPECT_EQ(folder.verify().violation, "");
  folder.result["outcome"] = "violation";
  EXPECT_THAT(folder.verify().violation, HasSubstr("the outcome of the run is violation"));
  folder.result["outcome"] = "completed";
  folder.result["experiment"]["routing"]["algorithm"] = "leaves-packets";
  EXPECT_EQ(folder.verify().violation, "");
}

TEST(Verify, FiguresOfOpenLoopAreOfItsMeasurement) {
  Folder folder(links_only_sample(), Phase{2, 7});
  EXPECT_EQ(folder.verify().violation, "");
  const json whole = result_of(links_only_sample());
  const json measured = std::exchange(folder.result["packets"], whole["packets"]);
  EXPECT_EQ(folder.verify().violation, "in result.json packets.total is 5, but packets and rows give 1");
  folder.result["packets"] = measured;
  folder.result["latency"]["max"] = whole["latency"]["max"];
  EXPECT_EQ(folder.verify().violation, "in result.json latency.max is 8, but packets and rows give 6");
  folder.result["latency"]["max"] = 6;
  for (const char* const metric : {"offered", "accepted"}) {
    json& rate = folder.result["throughput"][metric];
    const json sound = std::exchange(rate, rate.get<double>() + 1);
    EXPECT_THAT(folder.verify().violation, HasSubstr(std::string("throughput.") + metric));
    rate = sound;
  }
}

// Both packets are created in step 0; the second leaves its processor's memory when it leaves the node.
TEST(Verify, UnsentPacketsCountUnlessNothingTells) {
  SampleRun run{Grid::mesh({1, 2})};
  for (Step step = 0; step < 2; ++step) {
    const PacketId packet = run.add({0, 1, 1, 0});
    run.row(step, TraceEvent::inject, packet, 0, 0);
    run.row(step, TraceEvent::hop, packet, 0, 0, 1);
    run.consume(step + 1, packet, 0, 1);
  }
  run.sort();
  const json closed = {{"max", 1}, {"node", 0}, {"step", 0}}, open = {{"max", 0}, {"node", nullptr}, {"step", nullptr}};
  Folder folder(run);
  const auto violation = [&folder](const json& traffic, const json& queue) {
    folder.result["experiment"]["traffic"] = traffic;
    folder.result["queue"] = queue;
    return folder.verify().violation;
  };
  const json never = {{"pattern", "hot-spot"}, {"rate", nullptr}}, either = {{"pattern", "packets"}};
  EXPECT_EQ(violation(never, closed), "");
  EXPECT_THAT(violation(never, open), HasSubstr("queue.max is 0, but packets and rows give 1"));
  EXPECT_EQ(violation(either, closed), "");
  EXPECT_EQ(violation(either, open), "");
  EXPECT_THAT(violation(either, {{"max", 2}, {"node", 0}, {"step", 0}}),
              HasSubstr("queue.max is 2, but packets and rows give 1"));
}

// Sources continue after the measurement, so a completed run leaves packets of the drain in flight.
TEST(Verify, PacketsOfTheDrainMayBeUnderWay) {
  SampleRun run = store_and_forward_sample(Grid::mesh({3, 3}), 2, 1);
  const PacketId last = run.rows.back().packet;
  run.rows.pop_back();
  run.delivered[last] = no_step;
  const Folder measured(run, Phase{0, 9});
  EXPECT_THAT(measured.verify().violation, HasSubstr("the run is completed, but packets are not delivered"));
  EXPECT_EQ(Folder(run, Phase{100, 109}).verify().violation, "");
}

TEST(Verify, RefusesAnotherSchema) {
  Folder folder(links_only_sample());
  for (const json& schema : {json(2), json("word"), json(1.5), json()}) {
    folder.result["schema"] = schema;
    EXPECT_THAT(folder.error(), HasSubstr("result.json: 'schema' is " + schema.dump() +
                                          ", and this program reads 1; use the version that wrote the folder"));
  }
  folder.result.erase("schema");
  EXPECT_THAT(folder.error(), HasSubstr("'schema' is missing"));
}

TEST(Verify, TakesTheLatencyOfLinksFromNetworkOrRouter) {
  Folder folder(store_and_forward_sample(Grid::mesh({4, 4}), 2, 3));
  EXPECT_EQ(folder.verify().violation, "");
  folder.result["experiment"]["network"]["link_latency"] = 4;
  EXPECT_THAT(folder.verify().violation, HasSubstr("when it is readable"));
  folder.result["experiment"]["network"].erase("link_latency");
  folder.result["experiment"]["routing"]["link_latency"] = 3;
  EXPECT_EQ(folder.verify().violation, "");
}

TEST(Verify, TheBoundIsTheOneTheRunDeclared) {
  Folder folder(bounded_sample());
  EXPECT_EQ(folder.verify().violation, "");
  folder.result["storage"]["bound"] = bounded_sample().rules.bound - 1;
  EXPECT_THAT(folder.verify().violation, HasSubstr("more than the bound"));
}

TEST(Verify, SaysHowToGetATrace) {
  const Folder folder(links_only_sample());
  std::filesystem::remove(folder.scratch.file("trace.csv"));
  EXPECT_EQ(folder.error(),
            folder.scratch.path().string() + ": there is no trace.csv or trace.csv.gz; run with --trace");
}

TEST(Verify, AnUnreadableFolderIsAFaultOfTheInput) {
  const ScratchFolder empty;
  EXPECT_THROW(open_run_folder(empty.file("none"), {topology_table()})->verify(), InputError);
  EXPECT_THROW(open_run_folder(empty.path(), {topology_table()})->verify(), InputError);
  const Folder folder(links_only_sample());
  folder.verify();
  std::filesystem::remove(folder.scratch.file("packets.csv"));
  EXPECT_THAT(folder.error(), HasSubstr("packets.csv: cannot be read: No such file"));
  folder.scratch.write("result.json", "{\n  \"steps\": 3,\n  \"outcome\" completed\n}\n");
  try {
    open_run_folder(folder.scratch.path(), {topology_table()})->verify();
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("result.json:3:13: this is not JSON"));
  }
  folder.scratch.write("result.json", "");
  EXPECT_THROW(open_run_folder(folder.scratch.path(), {topology_table()})->verify(), InputError);
}

TEST(Verify, NamesTheKeyThatIsMissingOrWrong) {
  const auto said = [](const std::function<void(json&)>& damage) {
    Folder folder(links_only_sample());
    damage(folder.result);
    return folder.error();
  };
  const auto with = [&said](const char* at, const json& value) {
    return said([&](json& result) { result[json::json_pointer(at)] = value; });
  };
  EXPECT_THAT(said([](json& r) { r.erase("storage"); }), HasSubstr("result.json: 'storage.model' is missing"));
  EXPECT_THAT(said([](json& r) { r["links"].erase("max_load"); }), HasSubstr("'links.max_load' is missing"));
  EXPECT_THAT(said([](json& r) { r.erase("queue"); }), HasSubstr("'queue' is missing"));
  EXPECT_THAT(said([](json& r) { r = json::array(); }), HasSubstr("'schema' is missing"));
  EXPECT_THAT(with("/storage/model", "shelf"), HasSubstr("'storage.model' is shelf, which is not a storage model"));
  EXPECT_THAT(with("/storage/channels", 0), HasSubstr("'storage.channels' is out of range"));
  EXPECT_THAT(with("/storage/places", json::array({1, 2})),
              HasSubstr("'storage.places' is not one number from 0 for each of the "));
  EXPECT_THAT(with("/storage/routes_own", 1), HasSubstr("'storage.routes_own' is not true or false"));
  EXPECT_THAT(with("/experiment/network/topology", "moebius"),
              HasSubstr("'experiment.network.topology' is moebius, which is not a known topology of links"));
  EXPECT_THAT(with("/experiment/network/topology", "pops"), HasSubstr("'experiment.network.group_size' is missing"));
  EXPECT_THAT(with("/experiment/network/shape", json::array({0, 5})),
              HasSubstr("'experiment.network.shape' is out of range"));
  EXPECT_THAT(with("/experiment/network/shape", "3x5"), HasSubstr("is not a list of integers"));
  EXPECT_THAT(with("/experiment/network/link_latency", 2),
              HasSubstr("links have latency and interval 1 where worms move as units, not 2"));
  EXPECT_THAT(said([](json& r) { r["latency"].erase("per_hop"); }), HasSubstr("'latency.per_hop' is missing"));
  EXPECT_THAT(with("/packets/undelivered", 2.5), HasSubstr("'packets.undelivered' is not an integer"));
  EXPECT_THAT(with("/packets/undelivered", -1), HasSubstr("'packets.undelivered' is out of range"));
  EXPECT_THAT(with("/packets/undelivered", 18446744073709551615u), HasSubstr("is out of range"));
  EXPECT_THAT(with("/outcome", "done"), HasSubstr("'outcome' is done, which is not an outcome"));
  EXPECT_THAT(with("/outcome", 4), HasSubstr("'outcome' is not a text"));
}

TEST(QueueTally, AgreesWithTheDefinition) {
  for (std::int32_t latency = 1; latency <= 3; ++latency)
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const SampleRun run = store_and_forward_sample(Grid::mesh({4, 6}), seed, latency);
      QueueTally tally(make_grid_graph(run.topology, latency), run.packets);
      for (std::size_t i = 0; i < run.rows.size();) {
        std::vector<TraceRow> step;
        do step.push_back(run.rows[i++]);
        while (i < run.rows.size() && run.rows[i].step == step.front().step);
        tally.rows(step);
      }
      const auto found = tally.finish();
      const QueueMaximum plain = plain_queue(run);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->max, plain.max);
      EXPECT_EQ(found->node, plain.node);
      EXPECT_EQ(found->step, plain.step);
    }
}

TEST(QueueTally, CountsUnsentPacketsFromTheirCreationOn) {
  // Two packets of node 0 are created in steps 2 and 5, long before anything moves.
  const std::vector<Packet> packets = {{0, 1, 1, 2}, {0, 1, 1, 5}};
  QueueTally tally(make_grid_graph(Grid::mesh({1, 2})), packets);
  tally.rows({{9, TraceEvent::inject, 0, 0, 0, -1, -1}, {9, TraceEvent::hop, 0, 0, 0, 1, 1}});
  tally.rows({{10, TraceEvent::eject, 0, 0, 1, -1, -1}});
  const auto found = tally.finish();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->max, 2);
  EXPECT_EQ(found->step, 5);
  EXPECT_EQ(found->node, 0);
}

TEST(QueueTally, CanLeaveUnsentPacketsOut) {
  // The first packet stays in the node for two steps after it has left the memory, the second for none.
  const std::vector<Packet> packets = {{0, 1, 1, 2}, {0, 1, 1, 5}};
  QueueTally tally(make_grid_graph(Grid::mesh({1, 2})), packets, false);
  tally.rows({{9, TraceEvent::inject, 0, 0, 0, -1, -1}});
  tally.rows({{11, TraceEvent::hop, 0, 0, 0, 1, 1}});
  tally.rows({{12, TraceEvent::inject, 1, 0, 0, -1, -1},
              {12, TraceEvent::hop, 1, 0, 0, 1, 1},
              {12, TraceEvent::eject, 0, 0, 1, -1, -1}});
  tally.rows({{13, TraceEvent::eject, 1, 0, 1, -1, -1}});
  const auto found = tally.finish();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->max, 1);
  EXPECT_EQ(found->step, 9);
  EXPECT_EQ(found->node, 0);
}

TEST(QueueTally, CountsPacketsUntilTheyAreLost) {
  // In step 1, one is lost in the memory, and another one when it is created.
  const std::vector<Packet> packets = {{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 1}, {0, 1, 1, 1}};
  const Losses lost = {{1, {LossCause::disconnected, 1}}, {2, {LossCause::disconnected, 1}}};
  QueueTally tally(make_grid_graph(Grid::mesh({1, 2})), packets, true, lost);
  tally.rows({{0, TraceEvent::inject, 0, 0, 0, -1, -1}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
  tally.rows({{1, TraceEvent::eject, 0, 0, 1, -1, -1}});
  tally.rows({{3, TraceEvent::inject, 3, 0, 0, -1, -1}, {3, TraceEvent::hop, 3, 0, 0, 1, 1}});
  tally.rows({{4, TraceEvent::eject, 3, 0, 1, -1, -1}});
  const auto found = tally.finish();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->max, 1);
  EXPECT_EQ(found->step, 0);
}

TEST(QueueTally, HasNoAnswerWhereRowsDoNotTell) {
  const std::vector<Packet> packets = {{0, 1, 1, 0}};
  QueueTally late(make_grid_graph(Grid::mesh({1, 2})), packets);
  late.rows({{0, TraceEvent::hop, 0, 0, 0, 1, 1}});
  late.rows({{2, TraceEvent::eject, 0, 0, 1, -1, -1}});
  EXPECT_FALSE(late.finish());
  QueueTally stored(make_grid_graph(Grid::mesh({1, 2})), packets);
  stored.rows({{1, TraceEvent::store, 0, 0, 0, -1, -1}});
  EXPECT_FALSE(stored.finish());
}

}  // namespace
}  // namespace starloom::links
