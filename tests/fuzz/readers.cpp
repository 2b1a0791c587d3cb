// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/commands/program.hpp>
#include <starloom/config/overrides.hpp>
#include <starloom/experiment/declared_rules.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/planning/links/saved_plan.hpp>
#include <starloom/regression/golden.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/schema/diagnostic_list.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/trace_io/links/network_json.hpp>
#include <starloom/trace_io/links/transactions_csv.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include "support/places.hpp"
#include "unit/gzip.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

namespace fs = std::filesystem;

/// Networks of damaged files may be of any size; only small ones are made.
constexpr double most_made_nodes = 4096;

const Catalogue& catalogue() {
  static const Catalogue entries = standard_catalogue();
  return entries;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The shipped files of a folder with names that end in `ending`.
std::vector<std::string> shipped(const std::string& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(testbenches() / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(bytes_of(file));
  return texts;
}

std::string experiment_with(const std::string& shape, const std::string& routing, const std::string& traffic) {
  return "schema: 1\nnetwork: " + shape + "\nrouting: " + routing + "\ntraffic: " + traffic + "\n";
}

/// Reads an experiment and, if its network is small, what its traffic names.
void read_experiment_file(const fs::path& file) {
  const Experiment experiment = load_experiment(catalogue(), file);
  if (experiment.topology->size(experiment.network).nodes <= most_made_nodes) prepare(experiment);
}

FileReader experiments() {
  const auto folder = std::make_shared<ScratchFolder>();
  const fs::path shipped_files = testbenches();
  fs::create_directory(folder->file("scenarios"));
  fs::copy(shipped_files / "scenarios/data", folder->file("scenarios/data"));
  for (const char* data : {"applications", "graphs"}) fs::copy(shipped_files / data, folder->file(data));
  return {"experiment", shipped("scenarios", ".yaml"),
          [folder](const std::string& bytes) { read_experiment_file(folder->write("scenarios/e.yaml", bytes)); }};
}

FileReader campaigns() {
  const auto folder = std::make_shared<ScratchFolder>();
  std::vector<std::string> seeds = {
      "schema: 1\nname: few\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [3, 3]}\n"
      "  routing: {algorithm: greedy}\n  traffic: {pattern: random-permutation}\n"
      "axes: {network.shape: [[3, 3], [4, 4]], routing.discipline: [fifo, furthest-destination]}\nruns: 2\n"
      "keep: [steps, queue.max]\n"
      "reference: [{at: {network.shape: [3, 3], routing.discipline: fifo}, figure: steps, value: 4, tolerance: 2}]\n"};
  fs::create_directory(folder->file("campaigns"));
  fs::copy(testbenches() / "graphs", folder->file("graphs"));
  for (std::string& text : shipped("campaigns", ".yaml"))
    if (text.size() < 2000) seeds.push_back(std::move(text));
  return {"campaign", seeds,
          [folder](const std::string& bytes) { load_campaign(catalogue(), folder->write("campaigns/c.yaml", bytes)); }};
}

/// A file `data` that an experiment names.
FileReader data_files(const std::string& name, std::vector<std::string> seeds, const std::string& experiment) {
  const auto folder = std::make_shared<ScratchFolder>();
  folder->write("e.yaml", experiment);
  return {name, std::move(seeds), [folder](const std::string& bytes) {
            folder->write("data", bytes);
            read_experiment_file(folder->file("e.yaml"));
          }};
}

/// One that its traffic names. `more`: further sections.
FileReader traffic_files(const std::string& name, std::vector<std::string> seeds, const std::string& traffic,
                         const std::string& more = "") {
  return data_files(name, std::move(seeds),
                    experiment_with("{topology: torus, shape: [3, 4]}", "{algorithm: vc-wormhole, channels: 4}",
                                    "{" + traffic + ", file: data}") +
                        more);
}

FileReader graphs() {
  std::vector<std::string> seeds = shipped("graphs", ".yaml");
  seeds.push_back(
      "nodes: [{name: a, place: [0, 0]}, {name: b, place: [1, 0]}, {name: hub, role: switch, place: [0.5, "
      "1]}]\nlinks:\n"
      "  - {from: a, to: hub, both: true}\n  - {from: b, to: 2, both: true, latency: 4, interval: 2}\n");
  seeds.push_back("router 0 node 0 router 1 15 router 2\nrouter 1 node 1 3 router 2 3\nrouter 2 node 2 // the last\n");
  return data_files("graph", std::move(seeds),
                    experiment_with("{topology: graph, file: data}",
                                    "{algorithm: vc-wormhole, function: up-down, channels: 2}", "{pattern: reversal}"));
}

FileReader routing_tables() {
  return data_files(
      "routing_table", {bytes_of(testbenches() / "scenarios/data/ring_4.csv")},
      experiment_with("{topology: ring, nodes: 4}",
                      "{algorithm: vc-wormhole, function: table, table: data, channels: 2}", "{pattern: reversal}"));
}

FileReader overrides() {
  return {"override",
          {"limits.steps=5", "routing={algorithm: greedy, bound: 3}", "expect.queue.max=3", "a.b.c=[1, 2]"},
          [](const std::string& bytes) {
            DocumentValue document = parse_document("limits: {steps: 3}\nrouting: 5\n", "e.yaml");
            apply_override(document, parse_override(bytes));
          }};
}

FileReader plans() {
  return {"plan",
          {R"({"schema": 1, "network": {"topology": "mesh", "shape": [2, 2]}, "flits": 1, "length": 2,)"
           R"( "sources": [0, 1], "destinations": [3, 2], "starts": [0, 0], "first": ["H", "V"]})",
           R"({"schema": 1, "network": {"topology": "mesh", "shape": [2, 2]}, "flits": 1, "length": 3,)"
           R"( "sources": [0], "destinations": [3], "starts": [0], "moves": [[1, null, 2]]})"},
          [](const std::string& bytes) { links::read_saved_plan(bytes, "plan.json"); }};
}

/// An output folder, and what its files are.
std::shared_ptr<ScratchFolder> run_folder(const std::string& text) {
  auto folder = std::make_shared<ScratchFolder>();
  const Experiment experiment = load_experiment(catalogue(), folder->write("e.yaml", text));
  RunRequest request;
  request.folder = folder->path();
  request.trace = TraceWindow();
  const auto prepared = prepare(experiment);
  const RunReport run = prepared->run(request);
  write_packets(folder->file("packets.csv"), run.packets, run.delivered);
  for (const OutputFile& file : run.files) file.write(folder->file(file.name));
  folder->write("result.json", json_text(result_json(*experiment.algorithm, experiment_json(experiment),
                                                     prepared->facts().phases, run)));
  return folder;
}

/// A trace may be packed.
std::shared_ptr<ScratchFolder> packed(std::shared_ptr<ScratchFolder> folder) {
  folder->write("trace.csv.gz", gzip(folder->read("trace.csv")));
  fs::remove(folder->file("trace.csv"));
  return folder;
}

/// All that commands do with a folder; what one refuses, another may read.
void run_all_readers(const RunFolder& run) {
  const std::function<void()> actions[] = {[&] { run.verify(); }, [&] { run.show(1); },
                                           [&] {
                                             run.histories({0, 3});
                                           },
                                           [&] { run.waiting(); }, [&] { run.replay(TraceWindow()); }};
  std::exception_ptr refused;
  for (const auto& action : actions) {
    try {
      action();
    } catch (const InputError&) {
      refused = std::current_exception();
    }
  }
  if (refused) std::rethrow_exception(refused);
}

/// One of the files of an output folder; the others are sound.
FileReader folder_files(const std::string& name, const std::shared_ptr<ScratchFolder>& folder, const char* file) {
  KnownEntries known{topology_table()};
  known.pops_rules = [](const Pops& pops, const nlohmann::json& routing, const std::string& result) {
    return declared_rules(catalogue().algorithms, pops, routing, result);
  };
  for (const AlgorithmEntry& entry : catalogue().algorithms)
    if (entry.audit) known.audits[entry.name] = entry.audit;
  const std::string sound = folder->read(file);
  return {name, {sound}, [=](const std::string& bytes) {
            // A damaged file is restored in any case.
            const std::unique_ptr<const std::string, std::function<void(const std::string*)>> mend(
                &sound, [&](const std::string* text) { folder->write(file, *text); });
            folder->write(file, bytes);
            run_all_readers(*open_run_folder(folder->path(), known));
          }};
}

FileReader answered_transactions() {
  const auto folder = std::make_shared<ScratchFolder>();
  return {"transactions_csv",
          {std::string(links::transactions_header) + "\n0,0,22,TLM_OK_RESPONSE,00ff\n1,3,,,\n2,,,,\n"},
          [folder](const std::string& bytes) { links::read_transactions(folder->write("transactions.csv", bytes)); }};
}

FileReader networks() {
  const auto folder = std::make_shared<ScratchFolder>();
  const Experiment mesh = load_experiment(
      catalogue(), folder->write("e.yaml", experiment_with("{topology: mesh, shape: [2, 3]}", "{algorithm: greedy}",
                                                           "{pattern: reversal}")));
  return {"network",
          {links::network_json(make_link_network(*mesh.topology, mesh.network))},
          [folder](const std::string& bytes) { links::read_network_json(folder->write("network.json", bytes)); }};
}

FileReader goldens() {
  const auto folder =
      run_folder(experiment_with("{topology: mesh, shape: [2, 2]}", "{algorithm: greedy}", "{pattern: reversal}"));
  return {"golden", {golden_json(folder->path()).dump(1)}, [folder](const std::string& bytes) {
            golden_differences(folder->write("e.golden.json", bytes), folder->path());
          }};
}

FileReader stores() {
  const auto folder = std::make_shared<ScratchFolder>();
  {
    Store store(folder->file("seed"), Database::Mode::create);
    RunRow row;
    row.metrics = "[3]";
    const std::int64_t point = store.add_point({"key", "1", "label", R"(["steps"])", "{}"});
    StoreWriter writer(store);
    writer.add(point, row);
    writer.finish();
    store.database().run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  return {"store", {folder->read("seed")}, [folder](const std::string& bytes) {
            for (const char* beside : {"store-wal", "store-shm", "store-journal"}) fs::remove(folder->file(beside));
            Store(folder->write("store", bytes), Database::Mode::read).check();
          }};
}

}  // namespace

const std::vector<FileReader>& file_readers() {
  static const std::vector<FileReader> readers = [] {
    const auto links = run_folder(experiment_with("{topology: mesh, shape: [3, 3]}",
                                                  "{algorithm: vc-wormhole, channels: 2, buffer: 2}",
                                                  "{pattern: reversal, flits: 3}"));
    const std::string transpose =
        experiment_with("{topology: mesh, shape: [4, 4]}", "{algorithm: greedy, bound: 3}", "{pattern: transpose}");
    const auto greedy = run_folder(transpose);
    const auto pops = run_folder(experiment_with("{topology: pops, group_size: 2, groups: 2}",
                                                 "{algorithm: randomized}", "{pattern: random-permutation}"));
    return std::vector<FileReader>{
        experiments(),
        campaigns(),
        traffic_files("permutation", {"11 10 9 8 7 6 5 4 3 2 1 0\n", "- 0 # one\n- - 3 - - - - - - -\n"},
                      "pattern: file"),
        traffic_files("packets", {"cycle,source,destination,flits\n0,0,5,2\n3,1,1,1\n7,11,0,64\n"}, "pattern: packets"),
        traffic_files("transactions",
                      {"time,initiator,command,address,length,data,byte_enable\n0,0,write,0x1000,2,abcd,ff00\n"
                       "7,1,read,4096,16,,\n7,0,ignore,0,1,,\n"},
                      "pattern: transactions",
                      "tlm: {initiators: [0, 3], targets: [{node: 5, base: 0x1000, size: 256}]}\n"),
        traffic_files("application", {bytes_of(testbenches() / "scenarios/data/pipeline.yaml")},
                      "pattern: application, steps: 30"),
        traffic_files(
            "program",
            {bytes_of(testbenches() / "scenarios/data/training_step.yaml"),
             "schema: 1\nranks: 8\nmapping: snake\ngroups: {tp: {blocks: 4}, pair: [[0, 5], [1, 4]]}\nprogram:\n"
             "  - {compute: 100, name: forward}\n"
             "  - {op: all-reduce, algorithm: tree, flits: 64, group: tp, chunk: 16, root: 1}\n"
             "  - {repeat: 2, body: [{op: send, from: 0, to: 5, bytes: 40, after: [forward]}]}\n"},
            "pattern: program"),
        graphs(),
        routing_tables(),
        overrides(),
        plans(),
        folder_files("trace", greedy, "trace.csv"),
        folder_files("packed_trace", packed(run_folder(transpose)), "trace.csv.gz"),
        folder_files("packets_csv", greedy, "packets.csv"),
        folder_files("result", greedy, "result.json"),
        folder_files("channel_trace", links, "trace.csv"),
        folder_files("credits", links, "credits.csv"),
        folder_files("channel_result", links, "result.json"),
        folder_files("pops_trace", pops, "trace.csv"),
        folder_files("slots", pops, "slots.csv"),
        folder_files("pops_result", pops, "result.json"),
        answered_transactions(),
        networks(),
        goldens(),
        stores()};
  }();
  return readers;
}

std::string what_goes_wrong(const FileReader& reader, const std::string& bytes) {
  try {
    reader.read(bytes);
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.empty()) return "a fault without a word";
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    // The number of further errors is on a separate line.
    if (lines > DiagnosticList<int>::most + 1) return "a message of " + std::to_string(lines) + " lines";
  } catch (const std::exception& error) {
    return std::string("an unexpected fault: ") + error.what();
  }
  return "";
}

}  // namespace starloom
