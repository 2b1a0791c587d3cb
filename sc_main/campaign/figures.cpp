#include <starloom/campaign/figures.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/config/key_reader.hpp>
#include <starloom/core/nearest.hpp>
#include <starloom/experiment/expectation.hpp>
#include <starloom/experiment/result_keys.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

void collect(const Json& value, const std::string& path, std::vector<std::string>& paths) {
  if (value.is_number() || value.is_boolean()) paths.push_back(path);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) collect(inner, key_path(path, key), paths);
}

}  // namespace

bool check_figure(const std::string& path, const Place& place, const std::string& what, Faults& faults) {
  const std::string first = path.substr(0, path.find('.'));
  const auto& keys = result_keys();
  if (std::find(keys.begin(), keys.end(), first) != keys.end()) return true;
  faults.add(place, fmt::format("{}: {}: result.json has no key {}{}", what, path, first, did_you_mean(first, keys)));
  return false;
}

Figures read_figures(const DocumentValue& keep, Faults& faults) {
  Figures figures;
  if (keep.kind == DocumentValue::Kind::scalar && keep.scalar == "all") {
    figures.all = true;
    return figures;
  }
  if (keep.kind != DocumentValue::Kind::list || keep.items.empty()) {
    faults.add(keep.place, fmt::format("keep: a list of paths of result.json, or all, is expected, not {}",
                                       keep.kind == DocumentValue::Kind::list ? "an empty list" : keep.described()));
    return figures;
  }
  for (const DocumentValue& item : keep.items) {
    if (item.kind != DocumentValue::Kind::scalar) {
      faults.add(item.place, fmt::format("keep: a path of result.json is expected, not {}", item.described()));
    } else if (std::find(figures.paths.begin(), figures.paths.end(), item.scalar) != figures.paths.end()) {
      faults.add(item.place, fmt::format("keep: {} is given twice", item.scalar));
    } else if (check_figure(item.scalar, item.place, "keep", faults)) {
      figures.paths.push_back(item.scalar);
    }
  }
  return figures;
}

std::string Figures::pick(const Json& result) const {
  if (all) return "";
  Json values = Json::array();
  for (const auto& path : canonical()) values.push_back(value_at(result, path.get<std::string>()));
  return values.dump();
}

Json Figures::canonical() const {
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
