// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/link_faults.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <starloom/config/key_reader.hpp>
#include <starloom/core/most_steps.hpp>
#include <starloom/support/names.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* dead_path = "faults.dead";
constexpr const char* errors_path = "faults.errors";
constexpr const char* dead_example = "link_r00_c00_east, node_r01_c01 or {processor: 3}";

KeySpec step_key(const char* name, const char* help) {
  return integer_key(name, help).within(0, static_cast<double>(most_steps));
}

/// A section names one thing, by one of the first five keys. `places` are those of a `channel`, and `of` is its link.
const std::vector<KeySpec>& item_keys() {
  static const std::vector<KeySpec> keys = {
      text_key("cable", "a link and the one that leads back, by the name of one"),
      text_key("link", "this direction only"),
      text_key("router", "a node, by name or number"),
      text_key("processor", "by the name of its node, or by number"),
      integer_key("channel", "number of a virtual channel of the link `of`").within(0, most_channels - 1),
      integer_key("places", "of the buffer behind the channel, whose other places are alive").at_least(0),
      text_key("of", "the link of the channel"),
      step_key("at", "it dies at the beginning of this step"),
      step_key("until", "it is repaired at the beginning of this step")};
  return keys;
}
constexpr double most_replay_places = 65536;
constexpr double most_attempts = 65536;
constexpr double longest_mean = 4294967296;  // as ExponentialTimes

constexpr DeadItem::Kind item_kinds[] = {DeadItem::Kind::cable, DeadItem::Kind::link, DeadItem::Kind::router,
                                         DeadItem::Kind::processor, DeadItem::Kind::channel};

/// Reads the keys `at` and `until` behind a prefix, as far as they are given.
void read_times(const KeyValues& values, const std::string& prefix, Step& at, Step& until) {
  if (values.has(prefix + "at")) at = values.integer(prefix + "at");
  if (values.has(prefix + "until")) until = values.integer(prefix + "until");
}

DeadItem read_item(const DocumentValue& item, const std::string& entry, Diagnostics& diagnostics) {
  DeadItem read;
  if (item.kind == Kind::scalar) {
    read.name = item.scalar;
    return read;
  }
  if (item.kind != Kind::map) {
    diagnostics.add(item.location, fmt::format("{}: {} is expected, not {}", entry, dead_example, item.described()));
    return read;
  }
  check_key_names(item, names_of(item_keys()), entry, diagnostics);
  const KeyValues values = read_keys(item, item_keys(), entry, diagnostics);
  const auto given = std::count_if(std::begin(item_kinds), std::end(item_kinds), [&](const DeadItem::Kind& kind) {
    const std::string& key = item_keys()[static_cast<std::size_t>(&kind - item_kinds)].name;
    if (item.find(key.c_str()) == nullptr) return false;
    read.kind = kind;
    if (kind == DeadItem::Kind::channel) read.number = values.has(key) ? static_cast<int>(values.integer(key)) : 0;
    else read.name = values.has(key) ? values.text(key) : "";
    return true;
  });
  const bool channel = read.kind == DeadItem::Kind::channel;
  if (given != 1)
    diagnostics.add(item.location, fmt::format("{}: one of cable, link, router, processor and channel is expected, "
                                               "such as {{processor: 3}}",
                                               entry));
  else if (channel != values.has("of"))
    diagnostics.add(item.location, channel ? fmt::format("{}: of is missing (the link of the channel)", entry)
                                           : fmt::format("{}: only a channel has the key of; leave it out", entry));
  if (channel && values.has("of")) read.name = values.text("of");
  read_times(values, "", read.at, read.until);
  if (channel && (item.find("at") != nullptr || item.find("until") != nullptr))
    diagnostics.add(item.location, fmt::format("{}: channels and places are dead throughout a run; leave at and until "
                                               "out, or name the link",
                                               entry));
  if (!values.has("places")) return read;
  if (channel) read.kind = DeadItem::Kind::places;
  else
    diagnostics.add(item.location,
                    fmt::format("{}: places are those of a channel; give its number, such as {{places: 2, "
                                "channel: 0, of: link_r00_c00_east}}",
                                entry));
  read.places = static_cast<int>(values.integer("places"));
  return read;
}

const std::vector<KeySpec>& crossing_keys() {
  static const std::vector<KeySpec> keys = {
      text_key("link", "by its name").is_required(),
      integer_key("step", "in which a flit enters the link").is_required().within(0, static_cast<double>(most_steps))};
  return keys;
}

std::optional<ErrorKeys::At> read_crossing(const DocumentValue& item, const std::string& entry,
                                           Diagnostics& diagnostics) {
  if (item.kind != Kind::map) {
    diagnostics.add(item.location, fmt::format("{}: a link and a step are expected, such as {{link: link_r00_c00_east, "
                                               "step: 4}}, not {}",
                                               entry, item.described()));
    return std::nullopt;
  }
  check_key_names(item, names_of(crossing_keys()), entry, diagnostics);
  const KeyValues values = read_keys(item, crossing_keys(), entry, diagnostics);
  if (!values.has("link") || !values.has("step")) return std::nullopt;
  return ErrorKeys::At{values.text("link"), values.integer("step")};
}

/// \param at the list, or null.
ErrorKeys read_errors(const KeyValues& values, const DocumentValue& given, const DocumentValue* at,
                      Diagnostics& diagnostics) {
  ErrorKeys errors;
  if (values.has("errors.flit")) errors.flit = values.number("errors.flit");
  if (values.has("errors.bit")) errors.bit = values.number("errors.bit");
  if (values.has("errors.replay")) errors.replay = static_cast<int>(values.integer("errors.replay"));
  if (values.has("errors.recovery"))
    errors.recovery = static_cast<LinkErrors::Recovery>(
        std::find(std::begin(recovery_names), std::end(recovery_names), values.text("errors.recovery")) -
        std::begin(recovery_names));
  const bool end_to_end = errors.recovery == LinkErrors::Recovery::end_to_end;
  for (const char* const key : {"timeout", "attempts"})
    if (!end_to_end && given.find(key) != nullptr)
      diagnostics.add(
          given.location,
          fmt::format("{}: {} applies to packets that processors send again, which needs recovery: end-to-end; "
                      "leave {} out",
                      errors_path, key, key));
  if (values.has("errors.timeout")) errors.repetition.timeout = values.integer("errors.timeout");
  if (values.has("errors.attempts")) errors.repetition.attempts = static_cast<int>(values.integer("errors.attempts"));
  if (errors.replay > 0 && errors.recovery != LinkErrors::Recovery::retry)
    diagnostics.add(given.location,
                    fmt::format("{}: replay is the number of flits that links keep to repeat them, which needs "
                                "recovery: retry; leave replay out",
                                errors_path));
  if (errors.flit && errors.bit)
    diagnostics.add(given.location,
                    fmt::format("{}: flit and bit are probabilities of the same errors; leave one out", errors_path));
  if (at == nullptr) return errors;
  const std::string path = key_path(errors_path, "at");
  if (at->kind != Kind::list)
    diagnostics.add(at->location, fmt::format("{}: a list such as [{{link: link_r00_c00_east, step: 4}}] is expected, "
                                              "not {}",
                                              path, at->described()));
  for (std::size_t i = 0; i < at->items.size(); ++i)
    if (const auto crossing = read_crossing(at->items[i], key_path(path, std::to_string(i)), diagnostics))
      errors.at.push_back(*crossing);
  return errors;
}

void read_lifetimes(const KeyValues& values, const DocumentValue& section, FaultKeys& keys, Diagnostics& diagnostics) {
  const auto mtbf = values.has("lifetime.cables.mtbf"), mttr = values.has("lifetime.cables.mttr");
  if (mtbf && mttr)
    keys.lifetimes = Lifetimes{values.integer("lifetime.cables.mtbf"), values.integer("lifetime.cables.mttr")};
  else if (mtbf || mttr)
    diagnostics.add(section.find("lifetime")->location,
                    fmt::format("faults.lifetime.cables: {} is missing; cables need a mean time to the failure (mtbf) "
                                "and to the repair (mttr)",
                                mtbf ? "mttr" : "mtbf"));
}

void read_reroute(const KeyValues& values, const DocumentValue& section, LinkFaults& faults, Diagnostics& diagnostics) {
  const DocumentValue& given = *section.find("reroute");
  faults.reroute_is_given = true;
  if (!values.has("reroute.after") || !values.has("reroute.transition")) return;  // with an error
  const bool is_word = values.is_word("reroute.after");
  if (is_word && values.text("reroute.after") == "never") {
    faults.reroute.reset();
    if (given.find("transition") != nullptr)
      diagnostics.add(given.location,
                      "faults.reroute: with after: never, routing functions do not change; leave transition out");
    return;
  }
  faults.reroute->floods = is_word;
  if (!is_word) faults.reroute->after = values.integer("reroute.after");
  const std::string& transition = values.text("reroute.transition");
  faults.reroute->transition = static_cast<Transition>(
      std::find(std::begin(transition_names), std::end(transition_names), transition) - std::begin(transition_names));
}

}  // namespace

std::vector<KeySpec> link_fault_keys() {
  return {
      text_key("dead",
               "dead hardware: a list of names of links (the cable) and nodes (the router), and of {cable}, {link}, "
               "{router}, {processor}, {channel, of} or {places, channel, of} (docs/faults.md)"),
      integer_key("random.cables", "this number of cables, drawn by the seed; a greater number adds to the same ones")
          .at_least(0),
      number_key("random.cable_rate", "each cable is dead with this probability").within(0, 1),
      integer_key("random.routers", "this number of routers").at_least(0),
      number_key("random.router_rate", "each router is dead with this probability").within(0, 1),
      step_key("random.at", "they die at the beginning of this step; default: they are dead from the start"),
      step_key("random.until", "they are repaired at the beginning of this step; default: never"),
      integer_key("lifetime.cables.mtbf",
                  "each cable fails at random, again and again: mean steps from a repair, or from the start, to a "
                  "failure")
          .within(1, longest_mean),
      integer_key("lifetime.cables.mttr", "mean steps from a failure to the repair").within(1, longest_mean),
      integer_key(
          "reroute.after",
          "steps from a death or repair during the run until routing functions know of it; flood: until a message "
          "from the ends of the fault has come to all nodes; never: only routers at a dead link know that it is "
          "dead")
          .by_default(0)
          .within(0, static_cast<double>(most_steps))
          .or_word("flood")
          .or_word("never"),
      choice_key("reroute.transition", {std::begin(transition_names), std::end(transition_names)},
                 "the change of routing functions: processors begin no packet until the network is empty (drain); "
                 "packets in the network are lost (flush); they stay, and heads ask the new function in their next "
                 "router (keep); algorithms without virtual channels have flush, and keep by default")
          .by_default("drain"),
      number_key("errors.flit", "each crossing of a link is corrupt with this probability").within(0, 1),
      number_key("errors.bit", "each bit of a flit is wrong with this probability where a link ends").within(0, 1),
      text_key("errors.at", "corrupt crossings: a list of {link, step}, the step in which a flit enters the link"),
      choice_key("errors.recovery", {std::begin(recovery_names), std::end(recovery_names)},
                 "corrupt flits are repeated by the link, with all behind them (retry), or travel on, and their packet "
                 "is lost when it arrives (none); or processors send lost packets of any cause again (end-to-end)")
          .by_default("retry"),
      integer_key("errors.replay",
                  "flits that the sender of a link keeps until they are acknowledged; default: the least number that "
                  "delays no flit, twice the latency of the link and 2 more with a crossbar of one step")
          .within(1, most_replay_places),
      integer_key("errors.timeout",
                  "end-to-end: steps from the first flit of a packet leaving its processor until the packet is sent "
                  "again, unless its arrival is known by then; default: 1000")
          .within(1, static_cast<double>(most_steps)),
      integer_key("errors.attempts", "end-to-end: of each packet in total, at most; default: 16")
          .within(1, most_attempts),
      choice_key("losses", {"fail", "count"},
                 "a run that loses packets is incomplete (fail), or completed as if it had not (count)")
          .by_default("fail"),
      integer_key("seed", "seed of random faults and errors; default: that of the experiment")
          .within(0, 9223372036854775807.0)};
}

LinkFaults read_link_faults(const DocumentValue& given, Diagnostics& diagnostics) {
  // Lists are read apart, and are words in their places.
  DocumentValue section = given;
  const DocumentValue* const dead = given.find("dead");
  const DocumentValue* const errors = given.find("errors");
  const DocumentValue* const at = errors == nullptr ? nullptr : errors->find("at");
  for (DocumentEntry& entry : section.entries) {
    if (entry.key == "dead") entry.value = word_value("*");
    if (entry.key != "errors") continue;
    for (DocumentEntry& inner : entry.value.entries)
      if (inner.key == "at") inner.value = word_value("*");
  }
  const KeyValues values = read_keys(section, link_fault_keys(), "faults", diagnostics);
  LinkFaults faults;
  const auto number = [&](const char* key) -> std::optional<std::int64_t> {
    return values.has(key) ? std::optional(values.integer(key)) : std::nullopt;
  };
  const auto rate = [&](const char* key) -> std::optional<double> {
    return values.has(key) ? std::optional(values.number(key)) : std::nullopt;
  };
  faults.keys.cables = number("random.cables");
  faults.keys.routers = number("random.routers");
  faults.keys.cable_rate = rate("random.cable_rate");
  faults.keys.router_rate = rate("random.router_rate");
  read_times(values, "random.", faults.keys.at, faults.keys.until);
  if (values.has("random.at") || values.has("random.until"))
    if (!faults.keys.cables && !faults.keys.routers && !faults.keys.cable_rate && !faults.keys.router_rate)
      diagnostics.add(section.find("random")->location,
                      "faults.random: at and until are times of random cables or routers; give cables, cable_rate, "
                      "routers or router_rate, or leave them out");
  read_lifetimes(values, section, faults.keys, diagnostics);
  if (errors != nullptr) faults.keys.errors = read_errors(values, *errors, at, diagnostics);
  if (section.find("reroute") != nullptr) read_reroute(values, section, faults, diagnostics);
  if (const auto seed = number("seed")) faults.keys.seed = static_cast<std::uint64_t>(*seed);
  faults.counts_losses = values.has("losses") && values.text("losses") == "count";
  const auto refuse_both = [&](bool both, const char* one, const char* other) {
    if (both)
      diagnostics.add(section.find("random")->location,
                      fmt::format("faults.random: {} and {} exclude each other; leave one out", one, other));
  };
  refuse_both(faults.keys.cables && faults.keys.cable_rate, "cables", "cable_rate");
  refuse_both(faults.keys.routers && faults.keys.router_rate, "routers", "router_rate");
  if (dead != nullptr && dead->kind != Kind::list)
    diagnostics.add(dead->location, fmt::format("{}: a list such as [{}] is expected, not {}", dead_path,
                                                "link_r00_c00_east", dead->described()));
  for (std::size_t i = 0; dead != nullptr && i < dead->items.size(); ++i)
    faults.keys.dead.push_back(read_item(dead->items[i], key_path(dead_path, std::to_string(i)), diagnostics));
  return faults;
}

bool LinkFaults::change_hardware() const {
  const auto has_times = [](const auto& of) { return of.at > 0 || of.until != no_step; };
  return keys.lifetimes || has_times(keys) || std::any_of(keys.dead.begin(), keys.dead.end(), has_times);
}

nlohmann::ordered_json LinkFaults::json(std::uint64_t seed) const {
  nlohmann::ordered_json json;
  const auto add_times = [](nlohmann::ordered_json& of, Step at, Step until) {
    if (at > 0) of["at"] = at;
    if (until != no_step) of["until"] = until;
  };
  json["dead"] = nlohmann::ordered_json::array();
  for (const DeadItem& item : keys.dead) {
    if (item.kind == DeadItem::Kind::named) json["dead"].push_back(item.name);
    else if (item.kind == DeadItem::Kind::channel)
      json["dead"].push_back({{"channel", item.number}, {"of", item.name}});
    else if (item.kind == DeadItem::Kind::places)
      json["dead"].push_back({{"places", item.places}, {"channel", item.number}, {"of", item.name}});
    else
      json["dead"].push_back(
          {{item_keys()[static_cast<std::size_t>(item.kind) - static_cast<std::size_t>(item_kinds[0])].name,
            item.name}});
    if (json["dead"].back().is_object()) add_times(json["dead"].back(), item.at, item.until);
  }
  json["random"] = nullptr;
  const auto add = [&json](const char* key, const auto& value) {
    if (value) json["random"][key] = *value;
  };
  add("cables", keys.cables);
  add("cable_rate", keys.cable_rate);
  add("routers", keys.routers);
  add("router_rate", keys.router_rate);
  if (json["random"].is_object()) add_times(json["random"], keys.at, keys.until);
  if (keys.lifetimes) json["lifetime"]["cables"] = {{"mtbf", keys.lifetimes->mtbf}, {"mttr", keys.lifetimes->mttr}};
  if (reroute_is_given || change_hardware()) {
    nlohmann::ordered_json& own = json["reroute"];
    if (!reroute) own["after"] = "never";
    else if (reroute->floods) own["after"] = "flood";
    else own["after"] = reroute->after;
    if (reroute) own["transition"] = transition_names[static_cast<std::size_t>(reroute->transition)];
  }
  if (keys.errors) {
    nlohmann::ordered_json& own = json["errors"];
    if (keys.errors->flit) own["flit"] = *keys.errors->flit;
    if (keys.errors->bit) own["bit"] = *keys.errors->bit;
    own["at"] = nlohmann::ordered_json::array();
    for (const ErrorKeys::At& at : keys.errors->at) own["at"].push_back({{"link", at.link}, {"step", at.step}});
    own["recovery"] = recovery_names[static_cast<std::size_t>(keys.errors->recovery)];
    if (keys.errors->replay > 0) own["replay"] = keys.errors->replay;
    if (keys.errors->recovery == LinkErrors::Recovery::end_to_end) {
      own["timeout"] = keys.errors->repetition.timeout;
      own["attempts"] = keys.errors->repetition.attempts;
    }
  }
  json["losses"] = counts_losses ? "count" : "fail";
  json["seed"] = keys.seed.value_or(seed);
  return json;
}

}  // namespace starloom
