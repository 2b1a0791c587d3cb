#include <starloom/regression/scenarios.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <starloom/config/document.hpp>
#include <starloom/core/data_file.hpp>
#include <starloom/core/error.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

bool has_line(const std::string& text, const std::string& key) {
  const std::string start = key + ":";
  return text.rfind(start, 0) == 0 || text.find("\n" + start) != std::string::npos;
}

}  // namespace

bool is_scenario(const fs::path& file) {
  if (file.extension() != ".yaml" || !why_unreadable(file).empty()) return false;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    const DocumentValue document = parse_document(text, file.string());
    return document.find("schema") != nullptr && document.find("network") != nullptr;
  } catch (const InputError&) {
    return has_line(text, "schema") && has_line(text, "network");
  }
}

bool has_links(const fs::path& scenario) {
  try {
    const DocumentValue document = load_document(scenario);
    const DocumentValue* model = document.find("model");
    const DocumentValue* tlm = document.find("tlm");
    const DocumentValue* view = tlm == nullptr ? nullptr : tlm->find("view");
    return (model == nullptr || model->scalar != "message") && (view == nullptr || view->scalar == "cycle-accurate");
  } catch (const InputError&) {
    return true;  // its run tells what is wrong
  }
}

FoundScenarios find_scenarios(const std::vector<fs::path>& paths, const std::string& filter) {
  FoundScenarios found;
  const auto consider = [&](const fs::path& file) {
    if (file.string().find(filter) == std::string::npos || file.extension() != ".yaml") return;
    (is_scenario(file) ? found.scenarios : found.skipped).push_back(file.lexically_normal());
  };
  for (const fs::path& path : paths) {
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) consider(entry.path());
    } else if (fs::exists(path)) {
      consider(path);
    } else {
      throw InputError(fmt::format("{}: no such file or folder", path.string()));
    }
  }
  for (std::vector<fs::path>* files : {&found.scenarios, &found.skipped}) {
    std::sort(files->begin(), files->end());
    files->erase(std::unique(files->begin(), files->end()), files->end());
  }
  return found;
}

}  // namespace starloom
