#include <starloom/inspection/show.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include <starloom/inspection/links/show.hpp>
#include <starloom/inspection/pops/show.hpp>

namespace starloom {
namespace {

/// True for the output folder of a run on a POPS network.
bool has_couplers(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "result.json");
  const auto result = nlohmann::json::parse(stream, nullptr, false);
  const nlohmann::json::json_pointer path("/experiment/network/topology");
  return result.is_object() && result.contains(path) && result.at(path) == "pops";
}

}  // namespace

std::string show_text(const std::filesystem::path& folder, Step step) {
  if (has_couplers(folder)) return pops::slot_text(folder, step);
  return links::picture_text(links::take_snapshot(folder, step));
}

}  // namespace starloom
