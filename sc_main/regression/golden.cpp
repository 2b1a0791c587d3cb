#include <starloom/regression/golden.hpp>

#include <fmt/format.h>

#include <fstream>

#include <starloom/core/error.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/result.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError(fmt::format("{}: cannot be read", file.string()));
  try {
    return Json::parse(stream);
  } catch (const Json::exception& fault) {
    throw InputError(fmt::format("{}: not JSON: {}", file.string(), fault.what()));
  }
}

}  // namespace

std::filesystem::path golden_file(const std::filesystem::path& scenario) {
  return std::filesystem::path(scenario).replace_extension(".golden.json");
}

nlohmann::ordered_json golden_digests(const std::filesystem::path& folder) {
  Json result = read_json(folder / "result.json");
  result.erase("version");
  Json digests;
  if (std::filesystem::exists(folder / "trace.csv")) digests["trace.csv"] = sha256_of_file(folder / "trace.csv");
  digests["packets.csv"] = sha256_of_file(folder / "packets.csv");
  digests["result.json"] = sha256(json_text(result));
  return digests;
}

std::vector<std::string> golden_differences(const std::filesystem::path& golden, const std::filesystem::path& folder) {
  const Json wanted = read_json(golden);
  const Json found = golden_digests(folder);
  std::vector<std::string> differences;
  for (const auto& [name, digest] : found.items())
    if (!wanted.is_object() || wanted.value(name, Json()) != digest) differences.push_back(name);
  if (wanted.is_object())
    for (const auto& [name, digest] : wanted.items())
      if (!found.contains(name)) differences.push_back(name);
  return differences;
}

}  // namespace starloom
