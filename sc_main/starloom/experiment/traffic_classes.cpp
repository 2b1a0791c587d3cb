// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/traffic_classes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <starloom/config/key_reader.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* path = "traffic.classes";
constexpr const char* example = "{name: urgent, channels: [0, 1], priority: 1}";

/// As those of `traffic.reply`, but the channels of replies are those of their class.
std::vector<KeySpec> keys_of_replies() {
  std::vector<KeySpec> keys = {text_key("reply.class", "name of the class of the replies").is_required()};
  for (KeySpec& key : reply_keys())
    if (key.name != "reply.channels") keys.push_back(std::move(key));
  keys.push_back(integer_key("reply.places",
                             "requests that a processor accepts before it has sent their replies; default: no limit")
                     .within(1, 1e6)
                     .measured_in("packets"));
  return keys;
}

std::vector<KeySpec> own_keys() {
  std::vector<KeySpec> keys = {
      text_key("name", "name of the class").is_required(),
      integer_list_key("channels", "first and last channel of every port that its packets may use; default: all")
          .within(0, 255),
      integer_key("priority", "greater ones come first, with routing.priority: class").by_default(0).within(-1e9, 1e9),
      integer_key("subnet", "number of the subnet of its packets; with any, each packet draws one")
          .by_default(0)
          .within(0, most_subnets - 1)
          .or_word(any_subnet)};
  for (KeySpec& key : keys_of_replies()) keys.push_back(std::move(key));
  return keys;
}

/// Names are parts of paths of keys.
bool is_name(const std::string& text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

/// Reads one entry.
class ClassReader {
 public:
  ClassReader(const DocumentValue& item, const std::vector<PatternEntry>* patterns, Diagnostics& diagnostics)
      : item_(item), patterns_(patterns), diagnostics_(diagnostics) {}

  ClassConfig read() {
    ClassConfig config;
    if (item_.kind != Kind::map) {
      add(item_, "", fmt::format("a class such as {} is expected, not {}", example, item_.described()));
      return config;
    }
    if (const DocumentValue* name = item_.find("name"); name != nullptr && name->kind == Kind::scalar) {
      config.facts.name = name->scalar;
      if (!is_name(name->scalar))
        add(*name, "name", fmt::format("letters, digits, - and _ are expected, not {}", name->described()));
      else path_ = class_path(name->scalar);
    }
    std::vector<KeySpec> keys = own_keys();
    if (patterns_ != nullptr) config.pattern = read_pattern();
    if (config.pattern != nullptr)
      for (KeySpec& key : keys_of_class(*config.pattern)) keys.push_back(std::move(key));
    std::vector<std::string> known = names_of(keys);
    known.emplace_back("pattern");
    check_key_names(item_, known, path_, diagnostics_);
    const KeyValues values = read_keys(item_, keys, path_, diagnostics_);
    config.facts.priority = values.integer("priority");
    if (values.is_word("subnet")) config.facts.subnet.reset();
    else config.facts.subnet = static_cast<int>(values.integer("subnet"));
    if (values.has("channels")) config.facts.channels = read_channels(values.list("channels"));
    if (values.has("reply.class") && values.has("reply.flits") && values.has("reply.service")) {
      config.facts.reply = reply_rules(values);
      config.reply_class = values.text("reply.class");
      if (values.has("reply.places"))
        config.facts.reply->places = static_cast<std::int32_t>(values.integer("reply.places"));
    }
    if (config.pattern != nullptr) {
      std::map<std::string, KeyValue> of_pattern = values.all();
      for (const KeySpec& key : own_keys()) of_pattern.erase(key.name);
      config.keys = KeyValues(std::move(of_pattern));
    }
    return config;
  }

 private:
  void add(const DocumentValue& value, const std::string& key, const std::string& text) {
    diagnostics_.add(value.location, fmt::format("{}: {}", key_path(path_, key), text));
  }
  const PatternEntry* read_pattern() {
    const DocumentValue* const value = item_.find("pattern");
    std::vector<std::string> serving;
    for (const PatternEntry& entry : *patterns_)
      if (entry.audience == Audience::networks && has_rate(entry)) serving.push_back(entry.name);
    if (value == nullptr && std::all_of(item_.entries.begin(), item_.entries.end(), is_own)) return nullptr;
    if (value == nullptr || value->kind != Kind::scalar) {
      const DocumentValue& at = value == nullptr ? item_ : *value;
      add(at, "pattern", fmt::format("one of {} is expected", fmt::join(serving, ", ")));
      return nullptr;
    }
    const PatternEntry* const entry = find_entry(*patterns_, value->scalar);
    if (entry == nullptr) add(*value, "pattern", unknown_name("pattern", value->scalar, serving));
    else if (!has_rate(*entry))
      add(*value, "pattern",
          fmt::format("{} cannot be the pattern of a class; use {}", entry->name, fmt::join(serving, ", ")));
    return entry != nullptr && has_rate(*entry) ? entry : nullptr;
  }
  /// True if classes without a pattern have the key.
  static bool is_own(const DocumentEntry& entry) {
    const std::vector<KeySpec> own = own_keys();
    return std::any_of(own.begin(), own.end(),
                       [&](const KeySpec& key) { return key.name.substr(0, key.name.find('.')) == entry.key; });
  }
  static bool has_rate(const PatternEntry& entry) {
    return std::any_of(entry.keys.begin(), entry.keys.end(),
                       [&](const KeySpec& key) { return key.name == entry.load_key; });
  }
  std::optional<routing::ChannelRange> read_channels(const std::vector<std::int64_t>& ends) {
    if (ends.size() == 2 && ends[0] <= ends[1])
      return routing::ChannelRange{static_cast<int>(ends[0]), static_cast<int>(ends[1] - ends[0] + 1)};
    add(*item_.find("channels"), "channels", "the first and the last channel are expected, such as [0, 1]");
    return std::nullopt;
  }

  const DocumentValue& item_;
  const std::vector<PatternEntry>* patterns_;
  Diagnostics& diagnostics_;
  std::string path_ = path;
};

/// Finds the classes of replies.
void connect_replies(std::vector<ClassConfig>& classes, const DocumentValue& list, bool patterns,
                     Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const ClassConfig& config : classes) names.push_back(config.facts.name);
  std::vector<bool> answers(classes.size(), false);
  for (std::size_t number = 0; number < classes.size(); ++number) {
    ClassConfig& config = classes[number];
    if (config.reply_class.empty() || !config.facts.reply) continue;
    const DocumentValue& reply = *list.items[number].find("reply");
    const std::string reply_path = key_path(class_path(config.facts.name), "reply");
    const auto of_replies = std::find(names.begin(), names.end(), config.reply_class);
    if (of_replies == names.end()) {
      diagnostics.add(reply.find("class")->location,
                      fmt::format("{}.class: {}", reply_path, unknown_name("class", config.reply_class, names)));
      return;
    }
    config.facts.reply->traffic_class = static_cast<int>(of_replies - names.begin());
    if (patterns && config.pattern == nullptr)
      diagnostics.add(reply.location, fmt::format("{}: a class without a pattern has only replies, which are not "
                                                  "answered; give it a pattern, or remove this key",
                                                  reply_path));
    else answers[static_cast<std::size_t>(config.facts.reply->traffic_class)] = true;
  }
  if (!patterns || diagnostics.any()) return;
  for (std::size_t number = 0; number < classes.size(); ++number)
    if (classes[number].pattern == nullptr && !answers[number])
      diagnostics.add(list.items[number].location,
                      fmt::format("{}: a class without a pattern has only replies, but no class has them; give it a "
                                  "pattern, or another class reply: {{class: {}, flits: 1, service: 10}}",
                                  class_path(names[number]), names[number]));
}

}  // namespace

std::string class_path(const std::string& name) { return key_path(path, name); }

std::vector<KeySpec> keys_of_class(const PatternEntry& pattern) {
  static const std::vector<std::string> common = {"warmup", "measure", "drain", "reply"};
  std::vector<KeySpec> keys;
  for (const KeySpec& key : pattern.keys)
    if (!contains(common, key.name.substr(0, key.name.find('.')))) keys.push_back(key);
  return keys;
}

std::vector<ClassConfig> read_classes(const DocumentValue& list, const std::vector<PatternEntry>* patterns,
                                      Diagnostics& diagnostics) {
  std::vector<ClassConfig> classes;
  if (list.kind != Kind::list || list.items.empty()) {
    diagnostics.add(list.location, fmt::format("{}: a list of classes such as {} is expected, not {}", path, example,
                                               list.kind == Kind::list ? "an empty list" : list.described()));
    return classes;
  }
  for (const DocumentValue& item : list.items) {
    if (classes.size() == most_classes) {
      diagnostics.add(item.location, fmt::format("{}: there are more than {} classes", path, most_classes));
      return classes;
    }
    const TrafficClass& read = classes.emplace_back(ClassReader(item, patterns, diagnostics).read()).facts;
    const bool again = std::any_of(classes.begin(), classes.end() - 1,
                                   [&](const ClassConfig& other) { return other.facts.name == read.name; });
    if (again && !read.name.empty())
      diagnostics.add(item.find("name")->location, fmt::format("{}: two classes have the name {}", path, read.name));
  }
  connect_replies(classes, list, patterns != nullptr, diagnostics);
  return classes;
}

}  // namespace starloom
