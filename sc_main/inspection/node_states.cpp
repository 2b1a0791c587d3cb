#include <starloom/inspection/node_states.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include <starloom/core/error.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

struct StateChange {
  Step step = 0;
  std::uint64_t value = 0;
};

struct StateField {
  std::size_t node = 0;
  std::string name;
  std::vector<StateChange> changes{};
};

/// Reads the value change dumps that the program writes: a variable a line, numbers in binary.
class StateReader {
 public:
  StateReader(const std::filesystem::path& file, const std::vector<std::string>& names) : file_(file) {
    for (std::size_t node = 0; node < names.size(); ++node) nodes_[names[node]] = node;
    std::ifstream in(file);
    if (!in) throw InputError(file.string() + ": cannot be opened");
    std::string line;
    while (std::getline(in, line) && line.rfind("$enddefinitions", 0) != 0) declare(line);
    while (std::getline(in, line) && count_ <= most_state_changes) change(line);
    settle();
  }
  const std::vector<StateField>& fields() const { return fields_; }
  bool too_many() const { return count_ > most_state_changes; }

 private:
  void declare(const std::string& line) {
    std::istringstream words(line);
    std::string word, type, width, code, name;
    words >> word;
    if (word == "$scope") {
      words >> type >> name;
      scopes_.push_back(name);
    } else if (word == "$upscope" && !scopes_.empty()) {
      scopes_.pop_back();
    } else if (word == "$var") {
      words >> type >> width >> code >> name;
      const auto node = scopes_.empty() ? nodes_.end() : nodes_.find(scopes_.back());
      if (name == "step" && scopes_.size() == 1) step_code_ = code;
      if (node == nodes_.end()) return;
      by_code_[code] = fields_.size();
      fields_.push_back({node->second, name});
    }
  }

  /// All changes of a time come before the next one; the variable `step` may stand behind others.
  void change(const std::string& line) {
    if (line.empty() || line[0] == '$') return;
    if (line[0] == '#') return settle();
    const bool vector = line[0] == 'b';
    const std::size_t blank = vector ? line.find(' ') : 1;
    if (blank == std::string::npos || blank > line.size()) fail(line);
    const std::string digits = vector ? line.substr(1, blank - 1) : line.substr(0, 1);
    const std::string code = line.substr(vector ? blank + 1 : blank);
    const bool is_step = code == step_code_;
    const auto field = by_code_.find(code);
    if (!is_step && field == by_code_.end()) return;
    std::uint64_t value = 0;
    for (const char digit : digits) {
      if (digit == 'z' || digit == 'x') return;
      if (digit != '0' && digit != '1') fail(line);
      value = value << 1 | (digit == '1' ? 1u : 0u);
    }
    if (is_step) step_ = static_cast<Step>(value);
    else now_.emplace_back(field->second, value);
  }

  void settle() {
    for (const auto& [field, value] : now_) fields_[field].changes.push_back({step_, value});
    count_ += static_cast<std::int64_t>(now_.size());
    now_.clear();
  }

  [[noreturn]] void fail(const std::string& line) const {
    throw InputError(fmt::format("{}: '{}' is no change of a value", file_.string(), line.substr(0, 40)));
  }

  const std::filesystem::path file_;
  std::unordered_map<std::string, std::size_t> nodes_;    ///< looked up by name, never gone through
  std::unordered_map<std::string, std::size_t> by_code_;  ///< likewise
  std::vector<std::string> scopes_;
  std::string step_code_;
  std::vector<StateField> fields_;
  std::vector<std::pair<std::size_t, std::uint64_t>> now_;
  Step step_ = 0;
  std::int64_t count_ = 0;
};

/// The names of a field's values: `waves.FIELD.filter` has a line `VALUE NAME` for each.
Json value_names(const std::filesystem::path& file) {
  Json names = Json::object();
  std::ifstream in(file);
  for (std::string value, name; in >> value && std::getline(in >> std::ws, name);) names[value] = name;
  return names;
}

}  // namespace

void add_node_states(const std::filesystem::path& folder, const std::vector<std::string>& names,
                     ReplayContent& content) {
  const std::filesystem::path file = folder / "waves.vcd";
  if (!std::filesystem::exists(file)) {
    content.facts["no_state"] = "The run wrote no waves.vcd (--waves), which has the state fields of nodes.";
    return;
  }
  const StateReader reader(file, names);
  if (reader.too_many()) {
    content.facts["no_state"] = "The waves have more state than a page holds: see them in GTKWave.";
    return;
  }
  Json fields = Json::array(), values = Json::object();
  ByteStream stream;
  for (const StateField& field : reader.fields()) {
    fields.push_back({{"node", field.node}, {"name", field.name}});
    const std::filesystem::path filter = folder / ("waves." + field.name + ".filter");
    if (!values.contains(field.name) && std::filesystem::exists(filter)) values[field.name] = value_names(filter);
    stream.number(field.changes.size());
    Step step = 0;
    for (const StateChange& change : field.changes) {
      stream.difference(change.step - step);
      stream.number(change.value);
      step = change.step;
    }
  }
  content.facts["state"] = {{"fields", fields}, {"values", values}};
  content.sections.emplace_back("state", std::move(stream));
}

}  // namespace starloom
