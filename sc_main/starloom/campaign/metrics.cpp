// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/metrics.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/config/key_reader.hpp>
#include <starloom/experiment/expectation.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

void collect(const Json& value, const std::string& path, std::vector<std::string>& paths) {
  if (value.is_number() || value.is_boolean()) paths.push_back(path);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) collect(inner, key_path(path, key), paths);
}

}  // namespace

Metrics read_metrics(const DocumentValue& keep, Diagnostics& diagnostics) {
  Metrics metrics;
  if (keep.kind == DocumentValue::Kind::scalar && keep.scalar == "all") {
    metrics.all = true;
    return metrics;
  }
  if (keep.kind != DocumentValue::Kind::list || keep.items.empty()) {
    diagnostics.add(keep.location,
                    fmt::format("keep: a list of paths of result.json, or all, is expected, not {}",
                                keep.kind == DocumentValue::Kind::list ? "an empty list" : keep.described()));
    return metrics;
  }
  for (const DocumentValue& item : keep.items) {
    if (item.kind != DocumentValue::Kind::scalar) {
      diagnostics.add(item.location, fmt::format("keep: a path of result.json is expected, not {}", item.described()));
    } else if (std::find(metrics.paths.begin(), metrics.paths.end(), item.scalar) != metrics.paths.end()) {
      diagnostics.add(item.location, fmt::format("keep: {} is given twice", item.scalar));
    } else {
      metrics.paths.push_back(item.scalar);
    }
  }
  return metrics;
}

void check_paths(const DocumentValue& keep, const KnownMetrics& known, Diagnostics& diagnostics) {
  for (const DocumentValue& item : keep.items) {
    if (item.kind != DocumentValue::Kind::scalar) continue;
    if (const auto error = known.error_of_number(item.scalar)) diagnostics.add(item.location, "keep: " + *error);
  }
}

std::string Metrics::pick(const Json& result) const {
  if (all) return "";
  Json values = Json::array();
  for (const auto& path : canonical()) values.push_back(value_at(result, path.get<std::string>()));
  return values.dump();
}

Json Metrics::canonical() const {
  if (all) return "all";
  auto sorted = paths;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<std::string> numeric_paths(const Json& result) {
  std::vector<std::string> paths;
  for (const auto& [key, value] : result.items())
    if (key != "schema" && key != "version" && key != "experiment") collect(value, key, paths);
  return paths;
}

}  // namespace starloom
