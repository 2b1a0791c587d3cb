// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/scenarios.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <system_error>

#include <starloom/config/document.hpp>
#include <starloom/regression/golden.hpp>
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

/// From the keys at the top. One of the two of a scenario is sufficient, because the other may be misspelt. In a file
/// that is not YAML they are lines that begin with them. A file that cannot be read is a scenario, whose run reports
/// the reason.
YamlKind kind_of(const fs::path& file) {
  if (!why_unreadable(file).empty()) return YamlKind::scenario;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::function<bool(const std::string&)> has = [&text](const std::string& key) { return has_line(text, key); };
  try {
    has = [document = parse_document(text, file.string())](const std::string& key) {
      return document.find(key) != nullptr;
    };
  } catch (const InputError&) {  // its run reports the error
  }
  if (has("network")) return YamlKind::scenario;
  for (const char* key : {"base", "experiment", "axes", "zip", "keep"})
    if (has(key)) return YamlKind::campaign;
  if (has("program")) return YamlKind::other;
  return has("schema") ? YamlKind::scenario : YamlKind::other;
}

bool is_yaml(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".yaml" || ending == ".yml";
}

/// Collects scenarios from paths.
class Search {
 public:
  explicit Search(const std::string& filter) : filter_(filter) {}

  void add(const fs::path& path) {
    std::error_code why;
    const fs::file_status status = fs::status(path, why);
    if (status.type() == fs::file_type::not_found)
      throw InputError(fmt::format("{}: no such file or folder", path.string()));
    if (why) throw InputError(fmt::format("{}: cannot be read: {}", path.string(), why.message()));
    if (!fs::is_directory(status)) return add_named(path);
    seen_ = 0;
    search(path);
    if (seen_ == 0)
      throw InputError(fmt::format("{}: has no scenario; a scenario is a YAML file with the keys schema and network",
                                   path.string()));
  }

  FoundScenarios found() {
    for (std::vector<fs::path>* files : {&found_.scenarios, &found_.skipped}) {
      std::sort(files->begin(), files->end());
      files->erase(std::unique(files->begin(), files->end()), files->end());
    }
    std::sort(found_.unreadable.begin(), found_.unreadable.end());
    std::map<fs::path, fs::path> of_golden;
    for (const fs::path& file : found_.scenarios) {
      const auto [other, is_new] = of_golden.emplace(golden_file(file), file);
      if (!is_new)
        throw InputError(fmt::format("{}: would share {} with {}; rename one of them", file.string(),
                                     other->first.filename().string(), other->second.filename().string()));
    }
    return std::move(found_);
  }

 private:
  void add_named(const fs::path& file) {
    if (kind_of(file) == YamlKind::campaign)
      throw InputError(
          fmt::format("{0}: this is a campaign, not a scenario; starloom campaign {0} runs it", file.string()));
    add(file, found_.scenarios);
  }

  /// Links to folders are not followed, because they may lead back.
  void search(const fs::path& folder) {
    std::error_code why;
    fs::directory_iterator entry(folder, why);
    for (; !why && entry != fs::directory_iterator(); entry.increment(why)) {
      std::error_code ignored;
      if (fs::is_directory(entry->symlink_status(ignored))) search(entry->path());
      else if (is_yaml(entry->path()) && !fs::is_directory(entry->status(ignored))) add_found(entry->path());
    }
    if (!why) return;
    ++seen_;
    found_.unreadable.emplace_back(folder, why.message());
  }
  void add_found(const fs::path& file) {
    const bool scenario = kind_of(file) == YamlKind::scenario;
    if (scenario) ++seen_;
    add(file, scenario ? found_.scenarios : found_.skipped);
  }
  void add(const fs::path& file, std::vector<fs::path>& files) {
    if (file.string().find(filter_) == std::string::npos) ++found_.filtered;
    else files.push_back(file.lexically_normal());
  }

  const std::string& filter_;
  FoundScenarios found_;
  std::int64_t seen_ = 0;  ///< scenarios, and folders that may contain some, below the path that is searched
};

}  // namespace

bool has_links(const fs::path& scenario) {
  try {
    const DocumentValue document = load_document(scenario);
    const DocumentValue* model = document.find("model");
    const DocumentValue* tlm = document.find("tlm");
    const DocumentValue* view = tlm == nullptr ? nullptr : tlm->find("view");
    return (model == nullptr || model->scalar != "message") && (view == nullptr || view->scalar == "cycle-accurate");
  } catch (const InputError&) {
    return true;  // its run reports the error
  }
}

FoundScenarios find_scenarios(const std::vector<fs::path>& paths, const std::string& filter) {
  Search search(filter);
  for (const fs::path& path : paths) search.add(path);
  return search.found();
}

}  // namespace starloom
