// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/result.hpp>

#include <algorithm>

#include <starloom/experiment/metric_table.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/results/statistics.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

Json shares_json(const ShareList& shares) {
  Json list = Json::array();
  for (const auto& [number, share] : shares) list.push_back({number, number_json(share)});
  return list;
}

/// As in an experiment.
Json part_json(const PartValue& part) {
  if (!part.number && part.of.empty()) return part.name;
  Json json;
  if (part.number) json[part.name] = *part.number;
  if (!part.of.empty()) json[part.number ? "of" : part.name] = part_json(part.of.front());
  return json;
}

Json value_json(const KeyValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  if (const auto* real = std::get_if<double>(&value)) return number_json(*real);
  return std::visit(
      [](const auto& held) -> Json {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) return nullptr;
        else if constexpr (std::is_same_v<Held, ShareList>) return shares_json(held);
        else if constexpr (std::is_same_v<Held, PartValue>) return part_json(held);
        else return held;
      },
      value);
}

/// The selector of a section and its keys, in the order of the table.
Json section_json(const std::string& selector, const std::string& name, const std::vector<KeySpec>& keys,
                  const KeyValues& values, const std::filesystem::path& folder) {
  Json section = {{selector, name}};
  for (const KeySpec& spec : keys) {
    if (const std::string around = inner_section(spec.name); !around.empty()) {
      if (spec.only_where_given && !values.has(spec.name)) continue;
      // Any other nested section that is not given is null, or the plain value in its place.
      const std::string first = spec.name.substr(0, spec.name.find('.'));
      if (!section.contains(first)) section[first] = nullptr;
      if (values.has(spec.name)) section[pointer(spec.name)] = value_json(values.all().at(spec.name));
      continue;
    }
    if (spec.only_where_given && !values.differs(spec)) continue;
    section[spec.name] = value_json(values.all().at(spec.name));
    if (spec.type == KeyType::file && values.has(spec.name))
      section[spec.name + "_sha256"] = sha256_of_files({folder / values.text(spec.name)});
    if (spec.type == KeyType::rank_files) {
      std::vector<std::filesystem::path> files;
      for (const auto& [rank, file] : rank_files_at(folder / values.text(spec.name))) files.push_back(file);
      section[spec.name + "_sha256"] = sha256_of_files(files);
    }
  }
  return section;
}

/// With all defaults of its kind of transmitters.
Json optics_json(const pops::OpticalParts& parts) {
  Json json;
  json["launch_dbm"] = parts.least_launch ? Json("auto") : number_json(parts.launch_dbm);
  json["sensitivity_dbm"] = number_json(parts.sensitivity_dbm);
  json["margin_db"] = number_json(parts.margin_db);
  json["excess_db"] = number_json(parts.excess_db);
  json["connectors_db"] = number_json(parts.connectors_db);
  json["bit_rate_gbps"] = number_json(parts.bit_rate_gbps);
  json["ack_bytes"] = number_json(parts.ack_bytes);
  json["guard_ns"] = number_json(parts.guard_ns);
  if (!parts.transceivers) {
    json["transmitter_mw"] = number_json(parts.transmitter_mw);
    return json;
  }
  const pops::Transceivers& transceivers = *parts.transceivers;
  json["transmitter"] = "parts";
  json["laser_efficiency"] = number_json(transceivers.laser_efficiency);
  json["laser"] = transceivers.lasers_always_on ? "always" : "gated";
  json["modulator_pj_per_bit"] = number_json(transceivers.modulator_pj_per_bit);
  json["receiver_pj_per_bit"] = number_json(transceivers.receiver_pj_per_bit);
  json["receiver_mw"] = number_json(transceivers.receiver_mw);
  json["receivers"] = transceivers.receivers_always_on ? "all" : "listening";
  json["tuning_mw"] = number_json(transceivers.tuning_mw);
  json["losses"] = Json::array();
  for (const pops::PathLoss& loss : parts.losses)
    json["losses"].push_back({{"name", loss.name}, {"db", number_json(loss.db)}, {"count", number_json(loss.count)}});
  return json;
}

Json classes_json(const std::vector<ClassConfig>& classes, const std::filesystem::path& folder) {
  Json list = Json::array();
  for (const ClassConfig& config : classes) {
    Json& json = list.emplace_back();
    json["name"] = config.facts.name;
    json["channels"] = nullptr;
    if (const auto& channels = config.facts.channels)
      json["channels"] = {channels->first, channels->first + channels->count - 1};
    json["priority"] = config.facts.priority;
    if (!config.facts.subnet) json["subnet"] = any_subnet;
    else if (*config.facts.subnet > 0) json["subnet"] = *config.facts.subnet;
    if (const auto& reply = config.facts.reply) {
      json["reply"] = {{"class", config.reply_class}, {"flits", reply->flits}, {"service", reply->service}};
      if (reply->places > 0) json["reply"]["places"] = reply->places;
    }
    if (config.pattern != nullptr)
      json.update(section_json("pattern", config.pattern->name, keys_of_class(*config.pattern), config.keys, folder));
  }
  return list;
}

/// `limits.latency`.
Json latency_json(const std::optional<double>& limit) { return limit ? number_json(*limit) : Json("off"); }

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Without a packet delivered they have no value. `partial`: some packets never arrived.
void add_latency(MetricValues& values, const std::string& section, const Histogram& latencies, bool partial) {
  values[section + ".partial"] = partial;
  const auto metrics = statistics_of(latencies);
  if (!metrics) return;
  values[section + ".mean"] = metrics->mean;
  values[section + ".p50"] = metrics->p50;
  values[section + ".p95"] = metrics->p95;
  values[section + ".p99"] = metrics->p99;
  values[section + ".max"] = metrics->max;
}

}  // namespace

std::string program_version() { return STARLOOM_VERSION; }

std::string json_text(const nlohmann::ordered_json& json) { return json.dump(2) + "\n"; }

std::string json_text(nlohmann::ordered_json json, const std::map<std::string, std::string>& exact_numbers) {
  // No other text of a result has this character, which is written as is.
  const std::string mark = "\x7f";
  for (const auto& [path, number] : exact_numbers) json[pointer(path)] = mark + number;
  std::string text = json_text(json);
  for (const auto& [path, number] : exact_numbers) {
    const std::string quoted = '"' + mark + number + '"';
    text.replace(text.find(quoted), quoted.size(), number);
  }
  return text;
}

nlohmann::ordered_json experiment_json(const Experiment& experiment) {
  const auto folder = experiment.file.parent_path();
  Json json;
  json["schema"] = 1;
  json["network"] =
      section_json("topology", experiment.topology->name, experiment.topology->keys, experiment.network, folder);
  if (experiment.subnets() > 1) json["network"]["subnets"] = experiment.subnets();
  if (!experiment.clocks.empty()) json["network"]["clocks"] = clocks_json(experiment.clocks);
  if (!experiment.regions.empty()) json["network"]["regions"] = regions_json(experiment.regions, experiment.clocks);
  if (!experiment.link_changes.empty()) json["network"]["links"] = links_json(experiment.link_changes);
  json["model"] = experiment.model;
  json["routing"] =
      section_json("algorithm", experiment.algorithm->name, experiment.algorithm->keys, experiment.routing, folder);
  json["traffic"] =
      section_json("pattern", experiment.traffic.text("pattern"), experiment.pattern->keys, experiment.traffic, folder);
  if (!experiment.classes.empty()) json["traffic"]["classes"] = classes_json(experiment.classes, folder);
  json["seed"] = experiment.seed;
  json["limits"] = {{"steps", or_null(experiment.limits.steps)},
                    {"quiet", experiment.limits.quiet},
                    {"latency", latency_json(experiment.limits.latency)}};
  json["units"] = {{"clock_ns", number_json(experiment.units.clock_ns)}, {"flit_bytes", experiment.units.flit_bytes}};
  // Only if given, so that results without it do not change.
  if (experiment.optics) json["optics"] = optics_json(*experiment.optics);
  if (experiment.energy) {
    const bool is_file = !experiment.energy->table->file.empty();
    json["energy"] = experiment.energy->json(is_file ? sha256_of_files({folder / experiment.energy->table_name}) : "");
  }
  if (experiment.algorithm->storage == StorageModel::virtual_channels)
    json["stalls"] = {{"rate", number_json(experiment.stall_rate)}};
  if (experiment.tlm) json["tlm"] = experiment.tlm->json();
  if (experiment.link_faults) json["faults"] = experiment.link_faults->json(experiment.seed);
  if (experiment.coupler_faults) json["faults"] = {{"dead_couplers", experiment.coupler_faults->json()}};
  return json;
}

nlohmann::ordered_json result_json(const AlgorithmEntry& algorithm, nlohmann::ordered_json experiment,
                                   const std::optional<Phases>& phases, const RunReport& run) {
  // A permutation pattern has phases only with a rate, so their defaults are not in its table of keys.
  if (phases) {
    Json& traffic = experiment["traffic"];
    traffic["warmup"] = phases->warmup;
    traffic["measure"] = phases->measure;
    traffic["drain"] = phases->drain;
    const auto name_injection = [](Json& of) {
      if (of.contains("injection") && of["injection"].is_null()) of["injection"] = "bernoulli";
    };
    name_injection(traffic);
    if (traffic.contains("classes"))
      for (Json& of_class : traffic["classes"]) name_injection(of_class);
  } else {
    experiment["limits"]["latency"] = latency_json({});
  }
  MetricValues values = run.metrics;
  values["schema"] = 1;
  values["version"] = program_version();
  values["experiment"] = std::move(experiment);
  values["outcome"] = outcome_names[static_cast<std::size_t>(run.outcome)];
  values["steps"] = run.sums.last_delivered;
  const PacketSums& sums = run.sums;
  const std::int64_t undelivered = sums.total - sums.latency.count();
  values["packets.total"] = sums.total;
  values["packets.delivered"] = sums.latency.count();
  values["packets.undelivered"] = undelivered;
  add_latency(values, "latency", sums.latency, undelivered > 0);
  if (sums.network) add_latency(values, "network_latency", sums.network_latency, undelivered > 0);
  return arranged(metric_table(algorithm), values);
}

}  // namespace starloom
