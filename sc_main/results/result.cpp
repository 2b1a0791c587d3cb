#include <starloom/results/result.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <starloom/experiment/result_keys.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/results/counted.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers are written as such.
Json number_json(double value) {
  if (value == std::floor(value) && std::abs(value) < 9007199254740992.0) return static_cast<std::int64_t>(value);
  return value;
}

Json value_json(const KeyValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  if (const auto* real = std::get_if<double>(&value)) return number_json(*real);
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) return nullptr;
        else return held;
      },
      value);
}

/// The selector of a section and its keys, in the order of the table.
Json section_json(const std::string& selector, const std::string& name, const std::vector<KeySpec>& keys,
                  const KeyValues& values, const std::filesystem::path& folder) {
  Json section = {{selector, name}};
  for (const KeySpec& spec : keys) {
    section[spec.name] = value_json(values.all().at(spec.name));
    if (spec.type == KeyType::file && values.has(spec.name))
      section[spec.name + "_sha256"] = sha256_of_file(folder / values.text(spec.name));
  }
  return section;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json packets_json(const links::RunRecord& record, const Counted& counted) {
  std::int64_t total = 0, delivered = 0;
  for (std::size_t p = 0; p < record.packets.size(); ++p) {
    if (!counted(record.packets[p])) continue;
    ++total;
    if (record.delivered[p] != no_step) ++delivered;
  }
  return {{"total", total}, {"delivered", delivered}, {"undelivered", total - delivered}};
}

Json distance_json(const links::RunRecord& record, const NetworkGraph& graph, const Counted& counted) {
  std::vector<std::int64_t> distances;
  for (const Packet& packet : record.packets)
    if (counted(packet)) distances.push_back(graph.distance(packet.source, packet.destination));
  const auto figures = statistics_of(std::move(distances));
  if (!figures) return {{"max", nullptr}, {"mean", nullptr}};
  return {{"max", figures->max}, {"mean", figures->mean}};
}

Json latency_json(const links::RunRecord& record, const Counted& counted) {
  const auto figures = statistics_of(latencies_of(record, counted));
  if (!figures) return {{"mean", nullptr}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  return {{"mean", figures->mean},
          {"p50", figures->p50},
          {"p95", figures->p95},
          {"p99", figures->p99},
          {"max", figures->max}};
}

Json queue_json(const links::RunRecord& record, const links::Declaration& declaration) {
  // Nodes store nothing there.
  if (links::moves_worms(declaration.storage)) return nullptr;
  const links::QueueMaximum& queue = record.queue;
  if (queue.max == 0) return {{"max", 0}, {"node", nullptr}, {"step", nullptr}};
  return {{"max", queue.max}, {"node", queue.node}, {"step", queue.step}};
}

Json schedule_json(const std::optional<Schedule>& schedule) {
  if (!schedule) return nullptr;
  return {{"steps", schedule->steps},
          {"unit", schedule->unit},
          {"units", schedule->units},
          {"steps_per_unit", schedule->steps_per_unit}};
}

Json links_json(const links::RunRecord& record) {
  const auto& load = record.link_load;
  return {{"flit_hops", record.flit_hops},
          {"control_hops", record.control_hops},
          {"max_load", load.empty() ? 0 : *std::max_element(load.begin(), load.end())}};
}

Json figures_json(const std::map<std::string, double>& figures) {
  Json json = Json::object();
  for (const auto& [name, value] : figures) json[name] = number_json(value);
  return json;
}

Json storage_json(const links::Declaration& declaration) {
  Json storage = {{"model", storage_model_names[static_cast<std::size_t>(declaration.storage)]},
                  {"bound", declaration.bound},
                  {"channels", declaration.channels},
                  {"capacity", declaration.capacity},
                  {"routes_own", declaration.routes_own}};
  if (!declaration.places.empty()) storage["places"] = declaration.places;
  return storage;
}

void add_grid_figures(Json& json, const Setup& setup, const links::RunRecord& record, const Counted& counted) {
  const links::Algorithm& algorithm = *setup.algorithm;
  json["schedule"] = schedule_json(algorithm.schedule());
  json["distance"] = distance_json(record, setup.network->graph, counted);
  json["queue"] = queue_json(record, algorithm.declaration());
  json["links"] = links_json(record);
  json["bounds"] = figures_json(algorithm.bounds(record.packets));
  json["algorithm"] = figures_json(algorithm.figures());
  json["algorithm"].update(figures_json(record.figures));
  json["storage"] = storage_json(algorithm.declaration());
}

/// Couplers have no distance, and processors only the buffers of the protocol: no queue, no storage model.
void add_star_figures(Json& json, const Setup& setup, const links::RunRecord& record, const pops::Result& star) {
  json["schedule"] = schedule_json(star.schedule);
  json["links"] = {
      {"flit_hops", record.flit_hops}, {"control_hops", record.control_hops}, {"max_load", star.record.max_load}};
  json["bounds"] = figures_json(setup.star->bounds());
  json["algorithm"] = figures_json(star.figures);
}

/// Time of the slots and energy of the drives that there were; energy null without a packet delivered.
Json optics_json(const pops::OpticalParts& parts, const pops::Algorithm& algorithm, const links::RunRecord& record,
                 const pops::RunRecord& star) {
  const Pops& pops = algorithm.pops();
  const auto slots = static_cast<double>(star.slots.size()), acks = static_cast<double>(algorithm.ack_slots(star));
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  Json json = {{"margin_db", number_json(pops::power_margin_db(parts, pops.group_size()))},
               {"time_ns", number_json(pops::time_ns(parts, {slots - acks, acks, 0, 0}))},
               {"energy_pj_per_packet", nullptr}};
  if (record.delivered_count > 0)
    json["energy_pj_per_packet"] = number_json(
        pops::energy_pj(parts, number(record.flit_hops), number(record.control_hops)) / number(record.delivered_count));
  return json;
}

}  // namespace

std::string program_version() { return STARLOOM_VERSION; }

std::string json_text(const nlohmann::ordered_json& json) { return json.dump(2) + "\n"; }

nlohmann::ordered_json experiment_json(const Experiment& experiment) {
  const auto folder = experiment.file.parent_path();
  const NetworkConfig& network = experiment.network;
  Json json;
  json["schema"] = 1;
  const TopologyEntry& topology = *network.topology;
  json["network"] = section_json("topology", topology.name, topology.keys, network.keys, folder);
  json["model"] = experiment.model;
  json["routing"] =
      section_json("algorithm", experiment.algorithm->name, experiment.algorithm->keys, experiment.routing, folder);
  json["traffic"] =
      section_json("pattern", experiment.pattern->name, experiment.pattern->keys, experiment.traffic, folder);
  json["seed"] = experiment.seed;
  json["limits"] = {{"steps", or_null(experiment.limits.steps)}, {"quiet", experiment.limits.quiet}};
  json["units"] = {{"clock_ns", number_json(experiment.units.clock_ns)}, {"flit_bytes", experiment.units.flit_bytes}};
  // Not of every network, so that results without it stay what they were.
  if (experiment.optics)
    for (const KeySpec& spec : section_spec("optics").keys)
      json["optics"][spec.name] = value_json(experiment.optics->all().at(spec.name));
  if (network.topology->has_couplers()) json["faults"] = {{"dead_couplers", experiment.coupler_faults.json()}};
  return json;
}

nlohmann::ordered_json result_json(const nlohmann::ordered_json& experiment, const Setup& setup,
                                   const SimulationResult& run) {
  const links::RunRecord& record = run.record;
  const Counted counted(setup.traffic->phases());
  Step steps = 0;
  for (const Step delivered : record.delivered) steps = std::max(steps, delivered);
  Json json;
  for (const std::string& key : result_keys()) json[key] = nullptr;
  json["schema"] = 1;
  json["version"] = program_version();
  json["experiment"] = experiment;
  // A permutation pattern has phases only with a rate, so their defaults are not in its table of keys.
  if (const auto phases = setup.traffic->phases()) {
    Json& traffic = json["experiment"]["traffic"];
    traffic["warmup"] = phases->warmup;
    traffic["measure"] = phases->measure;
    traffic["drain"] = phases->drain;
  }
  json["outcome"] = outcome_names[static_cast<std::size_t>(run.outcome)];
  json["steps"] = steps;
  json["packets"] = packets_json(record, counted);
  json["latency"] = latency_json(record, counted);
  if (run.star) add_star_figures(json, setup, record, *run.star);
  else add_grid_figures(json, setup, record, counted);
  if (setup.optics) json["optics"] = optics_json(*setup.optics, *setup.star, record, run.star->record);
  else json.erase("optics");
  return json;
}

}  // namespace starloom
