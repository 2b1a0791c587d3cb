// SPDX-License-Identifier: Apache-2.0
#include <starloom/yaml/yaml_data.hpp>

#include <algorithm>
#include <sstream>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/yaml/silent_events.hpp>
#include <starloom/yaml/yaml_error.hpp>

namespace starloom {
namespace {

/// Finds the beginning of a document.
class DocumentStart final : public SilentEvents {
 public:
  std::size_t line = 1;
  std::size_t column = 1;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.is_null()) return;
    line = static_cast<std::size_t>(mark.line) + 1;
    column = static_cast<std::size_t>(mark.column) + 1;
  }
};

}  // namespace

YAML::Node YamlData::load() {
  try {
    // Not LoadAll, which never ends on a stray comma.
    std::istringstream stream(file_.text());
    YAML::Parser parser(stream);
    DocumentStart location;
    if (parser.HandleNextDocument(location) && parser.HandleNextDocument(location))
      file_.add_error(location.line, location.column, "the file holds more than one YAML document");
    return YAML::Load(file_.text());
  } catch (const YAML::Exception& e) {
    const bool known = !e.mark.is_null();
    const YamlError yaml = yaml_error(file_.text(), known ? e.mark.line + 1 : 1, known ? e.mark.column + 1 : 1, e.msg);
    file_.add_error(yaml.line, yaml.column, yaml.text);
    file_.stop_if_invalid();
  }
  return {};
}

YamlMembers YamlData::members_of(const YAML::Node& map, const std::vector<std::string>& keys) {
  YamlMembers members;
  for (const auto& member : map) {
    const YAML::Node& key = member.first;
    const std::string name = key.IsScalar() ? key.Scalar() : "";
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      add_error(key, "unknown key " + written(key) + did_you_mean(name, keys));
    else if (!members.emplace(name, member.second).second) add_error(key, "the key " + name + " is given twice");
  }
  return members;
}

void YamlData::add_error(const YAML::Node& at, const std::string& text) {
  const YAML::Mark mark = at.Mark();
  const bool known = !mark.is_null();
  file_.add_error(known ? mark.line + 1 : 1, known ? mark.column + 1 : 1, text);
}

std::optional<std::string> plain(const YAML::Node& node) {
  if (!node.IsScalar() || node.Tag() == "!") return std::nullopt;
  return node.Scalar();
}

std::optional<std::int64_t> integer_of(const YAML::Node& node) {
  const auto text = plain(node);
  return text ? parse_integer(*text) : std::nullopt;
}

std::string written(const YAML::Node& node) {
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  if (node.IsSequence()) return "a list";
  return node.IsMap() ? "a mapping" : "nothing";
}

}  // namespace starloom
