// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/wave_values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

struct WaveChange {
  Step step = 0;
  std::uint64_t value = 0;
};

/// A variable of a node, or of a link: the other index is `none`.
struct WaveField {
  static constexpr auto none = static_cast<std::size_t>(-1);
  std::size_t node = none;
  std::size_t link = none;
  std::string name{};
  std::vector<WaveChange> changes{};
};

/// \throws InputError if it cannot be read, or is not a file: a pipe would block.
std::ifstream opened(const std::filesystem::path& file) {
  if (const std::string why = why_unreadable(file); !why.empty())
    throw InputError(file.string() + ": cannot be read: " + why);
  std::ifstream in(file);
  if (!in) throw InputError(file.string() + ": cannot be read");
  return in;
}

/// Reads the value change dumps that the program writes: one variable per line, numbers in binary. For links, only
/// tags; real numbers are left out.
class WaveReader {
 public:
  WaveReader(const std::filesystem::path& file, const std::vector<std::string>& nodes,
             const std::vector<std::string>& links)
      : file_(file) {
    for (std::size_t node = 0; node < nodes.size(); ++node) scopes_by_name_[nodes[node]].node = node;
    for (std::size_t link = 0; link < links.size(); ++link) scopes_by_name_[links[link]].link = link;
    std::ifstream in = opened(file);
    std::string line;
    while (std::getline(in, line) && line.rfind("$enddefinitions", 0) != 0) declare(line);
    while (std::getline(in, line) && count_ <= most_wave_changes) change(line);
    settle();
  }
  const std::vector<WaveField>& fields() const { return fields_; }
  bool too_many() const { return count_ > most_wave_changes; }

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
      if (type == "real") return;
      const auto index = scopes_.empty() ? scopes_by_name_.end() : scopes_by_name_.find(scopes_.back());
      if (name == "step" && scopes_.size() == 1) step_code_ = code;
      if (index == scopes_by_name_.end() || (index->second.link != WaveField::none && name != "tag")) return;
      by_code_[code] = fields_.size();
      fields_.push_back({index->second.node, index->second.link, name});
    }
  }

  /// All changes of a time come before the next time; the variable `step` may follow others.
  void change(const std::string& line) {
    if (line.empty() || line[0] == '$' || line[0] == 'r') return;
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
    throw InputError(fmt::format("{}: '{}' is not a value change", file_.string(), line.substr(0, 40)));
  }

  const std::filesystem::path file_;
  std::unordered_map<std::string, WaveField> scopes_by_name_;  ///< nodes and links; looked up by name, never iterated
  std::unordered_map<std::string, std::size_t> by_code_;       ///< looked up by code, never iterated
  std::vector<std::string> scopes_;
  std::string step_code_;
  std::vector<WaveField> fields_;
  std::vector<std::pair<std::size_t, std::uint64_t>> now_;
  Step step_ = 0;
  std::int64_t count_ = 0;
};

/// The names of the values of fields: a filter has a line `VALUE NAME` for each.
Json value_names(const std::filesystem::path& file) {
  Json names = Json::object();
  std::ifstream in = opened(file);
  for (std::string value, name; in >> value && std::getline(in >> std::ws, name);) names[value] = name;
  return names;
}

void write(const std::vector<WaveChange>& changes, ByteStream& stream) {
  stream.number(changes.size());
  Step step = 0;
  for (const WaveChange& change : changes) {
    stream.difference(change.step - step);
    stream.number(change.value);
    step = change.step;
  }
}

/// [variable] The filter with the names of its values, by the save file: `^1 FILTER` is before `+{LABEL} PATH[BITS]`.
/// Variables of the same name in different nodes have the same filter. Filters in other folders do not count.
std::map<std::string, std::string> filters_of(const std::filesystem::path& save_file) {
  std::map<std::string, std::string> filters;
  if (!is_there(save_file)) return filters;
  std::ifstream in = opened(save_file);
  std::string filter;
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, 3, "^1 ") == 0) {
      filter = line.substr(3);
      if (std::filesystem::path(filter).filename() != filter) filter.clear();
      continue;
    }
    if (line.compare(0, 2, "+{") == 0 && !filter.empty()) {
      const std::string path = line.substr(0, line.find('['));
      filters.emplace(path.substr(path.rfind('.') + 1), filter);
    }
    filter.clear();
  }
  return filters;
}

void add_states(const std::filesystem::path& folder, const WaveReader& waves, ReplayContent& content) {
  Json fields = Json::array(), values = Json::object();
  const std::map<std::string, std::string> filters = filters_of(folder / "waves.gtkw");
  ByteStream stream;
  for (const WaveField& field : waves.fields()) {
    if (field.node == WaveField::none) continue;
    const auto filter = filters.find(field.name);
    const std::string names = filter == filters.end() ? "" : filter->second;
    fields.push_back({{"node", field.node}, {"name", field.name}, {"names", names}});
    if (!names.empty() && !values.contains(names) && is_there(folder / names))
      values[names] = value_names(folder / names);
    write(field.changes, stream);
  }
  content.facts["state"] = {{"fields", fields}, {"values", values}};
  content.sections.emplace_back("state", std::move(stream));
}

/// Most algorithms have no tags: all are 0 then.
void add_tags(const WaveReader& waves, ReplayContent& content) {
  Json tagged = Json::array();
  ByteStream stream;
  bool has_tags = false;
  for (const WaveField& field : waves.fields()) {
    if (field.link == WaveField::none) continue;
    tagged.push_back(field.link);
    write(field.changes, stream);
    has_tags = has_tags || std::any_of(field.changes.begin(), field.changes.end(),
                                       [](const WaveChange& change) { return change.value != 0; });
  }
  if (!has_tags) return;
  content.facts["tagged"] = tagged;
  content.sections.emplace_back("tags", std::move(stream));
}

}  // namespace

void add_wave_values(const std::filesystem::path& folder, const std::vector<std::string>& nodes,
                     const std::vector<std::string>& links, ReplayContent& content) {
  const std::filesystem::path file = folder / "waves.vcd";
  if (!is_there(file)) {
    content.facts["no_state"] = "State fields of nodes are in waves.vcd; run with --waves to see them here.";
    return;
  }
  const WaveReader waves(file, nodes, links);
  if (waves.too_many()) {
    content.facts["no_state"] = "The waves have too much state for a page; open them in GTKWave.";
    return;
  }
  add_states(folder, waves, content);
  add_tags(waves, content);
}

}  // namespace starloom
