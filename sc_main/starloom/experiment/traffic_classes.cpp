// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/traffic_classes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/config/key_reader.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

constexpr const char* path = "traffic.classes";
constexpr const char* example = "{name: urgent, channels: [0, 1], priority: 1}";

const std::vector<KeySpec>& class_keys() {
  static const std::vector<KeySpec> keys = {
      text_key("name", "name of the class").is_required(),
      integer_list_key("channels", "first and last channel of every port that its packets may use; default: all")
          .within(0, 255),
      integer_key("priority", "greater ones come first, with routing.priority: class").by_default(0).within(-1e9, 1e9)};
  return keys;
}

/// Names are parts of paths of keys.
bool is_name(const std::string& text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

TrafficClass read_class(const DocumentValue& item, Diagnostics& diagnostics) {
  TrafficClass read;
  if (item.kind != Kind::map) {
    diagnostics.add(item.location,
                    fmt::format("{}: a class such as {} is expected, not {}", path, example, item.described()));
    return read;
  }
  check_key_names(item, names_of(class_keys()), path, diagnostics);
  const KeyValues values = read_keys(item, class_keys(), path, diagnostics);
  if (values.has("name")) read.name = values.text("name");
  if (values.has("name") && !is_name(read.name))
    diagnostics.add(item.find("name")->location, fmt::format("{}.name: letters, digits, - and _ are expected, not {}",
                                                             path, item.find("name")->described()));
  read.priority = values.integer("priority");
  if (!values.has("channels")) return read;
  const std::vector<std::int64_t>& ends = values.list("channels");
  if (ends.size() == 2 && ends[0] <= ends[1])
    read.channels = {static_cast<int>(ends[0]), static_cast<int>(ends[1] - ends[0] + 1)};
  else
    diagnostics.add(item.find("channels")->location,
                    fmt::format("{}.channels: the first and the last channel are expected, such as [0, 1]", path));
  return read;
}

}  // namespace

std::vector<TrafficClass> read_classes(const DocumentValue& list, Diagnostics& diagnostics) {
  std::vector<TrafficClass> classes;
  if (list.kind != Kind::list || list.items.empty()) {
    diagnostics.add(list.location, fmt::format("{}: a list of classes such as {} is expected, not {}", path, example,
                                               list.kind == Kind::list ? "an empty list" : list.described()));
    return classes;
  }
  for (const DocumentValue& item : list.items) {
    if (classes.size() == most_classes) {
      diagnostics.add(item.location, fmt::format("{}: there are at most {} classes", path, most_classes));
      return classes;
    }
    const TrafficClass& read = classes.emplace_back(read_class(item, diagnostics));
    const bool again = std::any_of(classes.begin(), classes.end() - 1,
                                   [&](const TrafficClass& other) { return other.name == read.name; });
    if (again && !read.name.empty())
      diagnostics.add(item.find("name")->location, fmt::format("{}: two classes have the name {}", path, read.name));
  }
  return classes;
}

nlohmann::ordered_json classes_json(const std::vector<TrafficClass>& classes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TrafficClass& of_traffic : classes) {
    nlohmann::ordered_json& json = list.emplace_back();
    json["name"] = of_traffic.name;
    json["channels"] = nullptr;
    if (const auto& channels = of_traffic.channels)
      json["channels"] = {channels->first, channels->first + channels->count - 1};
    json["priority"] = of_traffic.priority;
  }
  return list;
}

}  // namespace starloom
