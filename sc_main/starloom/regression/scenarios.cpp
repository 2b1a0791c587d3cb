// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/scenarios.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include <starloom/config/document.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

bool has_line(const std::string& text, const std::string& key) {
  const std::string start = key + ":";
  return text.rfind(start, 0) == 0 || text.find("\n" + start) != std::string::npos;
}

enum class YamlKind { scenario, campaign, other };

/// By the keys at the top. One of the two of a scenario is enough, for the other may be misspelt. In a file that is not
/// YAML they are lines that begin so.
YamlKind kind_of(const fs::path& file) {
  if (!why_unreadable(file).empty()) return YamlKind::other;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::function<bool(const std::string&)> has = [&text](const std::string& key) { return has_line(text, key); };
  try {
    has = [document = parse_document(text, file.string())](const std::string& key) {
      return document.find(key) != nullptr;
    };
  } catch (const InputError&) {  // its run tells what is wrong
  }
  if (has("network")) return YamlKind::scenario;
  for (const char* key : {"base", "experiment", "axes", "zip", "keep"})
    if (has(key)) return YamlKind::campaign;
  return has("schema") ? YamlKind::scenario : YamlKind::other;
}

}  // namespace

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
  const auto consider = [&](const fs::path& file, bool named) {
    if (file.extension() != ".yaml") return;
    if (file.string().find(filter) == std::string::npos) {
      ++found.filtered;
      return;
    }
    const YamlKind kind = kind_of(file);
    const bool counts = kind == YamlKind::scenario || (named && kind != YamlKind::campaign);
    (counts ? found.scenarios : found.skipped).push_back(file.lexically_normal());
  };
  for (const fs::path& path : paths) {
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) consider(entry.path(), false);
    } else if (fs::exists(path)) {
      consider(path, true);
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
