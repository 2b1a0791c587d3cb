// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/golden.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include <starloom/json/json_text.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/result.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t rows_in_block = 1000;
/// For longer files only the digest of the whole file is compared beyond this.
constexpr std::size_t most_blocks = 500;
constexpr std::size_t longest_list = 16;
constexpr std::size_t longest_value = 60;
constexpr std::size_t most_details = 10;

Json read_json(const std::filesystem::path& file) {
  if (const std::string why = why_unreadable(file); !why.empty())
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), why));
  std::ifstream stream(file);
  return parse_json_file({std::istreambuf_iterator<char>(stream), {}}, file.string());
}

/// Sufficient to distinguish blocks; the whole digests of the files decide.
std::string short_digest(const std::string& bytes) { return sha256(bytes).substr(0, 16); }

/// The rows of a CSV file below its header: their number, and the digests of blocks of them.
Json blocks_json(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line, block;
  std::getline(stream, line);
  Json digests = Json::array();
  std::int64_t rows = 0;
  const auto end_block = [&] {
    if (!block.empty() && digests.size() < most_blocks) digests.push_back(short_digest(block));
    block.clear();
  };
  while (std::getline(stream, line)) {
    block += line + '\n';
    if (++rows % rows_in_block == 0) end_block();
  }
  end_block();
  if (!stream.is_open() || stream.bad()) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return {{"rows", rows}, {"digests", digests}};
}

/// The values in a list: plain elements, and the plain fields of records.
std::size_t values_in(const Json& list) {
  const auto is_plain = [](const Json& value) { return !value.is_structured(); };
  std::size_t values = 0;
  for (const Json& element : list)
    values += is_plain(element) ? 1 : static_cast<std::size_t>(std::count_if(element.begin(), element.end(), is_plain));
  return values;
}

/// The value with long lists replaced by their length and digest.
Json shortened(const Json& value) {
  if (value.is_array() && values_in(value) > longest_list)
    return {{"values", value.size()}, {"sha256", short_digest(value.dump())}};
  if (!value.is_structured()) return value;
  Json copy = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, inner] : value.items()) {
    if (value.is_array()) copy.push_back(shortened(inner));
    else if (!inner.is_null()) copy[key] = shortened(inner);
  }
  return copy;
}

/// Null means that a metric has no value, and is not repeated.
bool is_absent(const Json* value) { return value == nullptr || value->is_null(); }

std::string value_text(const Json* value) {
  if (is_absent(value)) return "absent";
  const std::string text = value->dump(-1, ' ', true);
  return text.size() <= longest_value ? text : text.substr(0, longest_value) + " ...";
}

const Json* find(const Json& object, const std::string& key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? nullptr : &*found;
}

/// The data files that an experiment of a result names, and their digests: `file_sha256` follows `file`.
Json inputs_json(const Json& experiment) {
  constexpr std::string_view suffix = "_sha256";
  Json inputs = Json::object();
  for (const auto& [key, value] : experiment.items()) {
    if (value.is_object()) inputs.update(inputs_json(value));
    if (key.size() <= suffix.size() || key.substr(key.size() - suffix.size()) != suffix) continue;
    inputs[experiment.at(key.substr(0, key.size() - suffix.size())).get<std::string>()] = value;
  }
  return inputs;
}

/// The digest of the file with other line ends: LF for CR LF, or the reverse.
std::string digest_of_other_line_ends(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text, line;
  while (std::getline(stream, line)) {
    const bool ends_in_it = !line.empty() && line.back() == '\r';
    if (ends_in_it) line.pop_back();
    text += line + (ends_in_it ? "\n" : "\r\n");
  }
  return sha256(text);
}

/// Names the data files of the folder of a scenario that have changed.
void name_inputs(const std::filesystem::path& folder, const Json& was, const Json& is,
                 std::vector<std::string>& details) {
  for (const auto& [name, digest] : is.items()) {
    const Json* const old = find(was, name);
    if (old == nullptr || *old == digest) continue;
    const bool only_ends = *old == digest_of_other_line_ends(folder / name);
    details.push_back(
        fmt::format("{} has changed{}", escape(name),
                    only_ends ? ", but only its line ends (CR LF or LF); git on Windows changes them" : ""));
  }
}

/// ` (+3.3 %)` after a number that has changed; empty if a ratio is meaningless, as for the number of a node.
std::string change_text(const std::string& path, const Json* was, const Json* is) {
  const std::string key = path.substr(path.rfind('.') + 1);
  if (key == "node" || key == "port" || key == "channel" || key == "packet") return "";
  if (is_absent(was) || is_absent(is) || !was->is_number() || !is->is_number() || was->get<double>() == 0) return "";
  const double change = 100 * (is->get<double>() / was->get<double>() - 1);
  return std::abs(change) < 0.1 ? fmt::format(" ({:+.1g} %)", change) : fmt::format(" ({:+.1f} %)", change);
}

/// Names every value that differs between `was` and `is`; null represents a missing value.
void name_differences(const std::string& path, const Json* was, const Json* is, std::vector<std::string>& details) {
  if (is_absent(was) && is_absent(is)) return;
  if (!is_absent(was) && !is_absent(is)) {
    if (*was == *is) return;
    if (was->is_object() && is->is_object()) {
      const std::string prefix = path.empty() ? "" : path + ".";
      for (const auto& [key, value] : is->items()) name_differences(prefix + key, find(*was, key), &value, details);
      for (const auto& [key, value] : was->items())
        if (!is->contains(key)) name_differences(prefix + key, &value, nullptr, details);
      return;
    }
  }
  details.push_back(fmt::format("{} is {}, was {}{}", path.empty() ? "figures" : escape(path), value_text(is),
                                value_text(was), change_text(path, was, is)));
}

/// The range of the first cells of some rows of a CSV file, rows counted from 1 below the header: `, steps 41 to 60`.
/// Empty if the file has fewer rows.
std::string cells_text(const std::filesystem::path& file, std::int64_t first, std::int64_t last) {
  std::ifstream stream(file, std::ios::binary);
  std::string name, line, from, to;
  std::getline(stream, name);
  for (std::int64_t row = 1; row <= last && std::getline(stream, line); ++row) {
    if (row < first) continue;
    to = line.substr(0, line.find(','));
    if (row == first) from = to;
  }
  return from.empty() ? "" : fmt::format(", {}s {} to {}", name.substr(0, name.find(',')), from, to);
}

/// The first difference of a file of `folder`. `was` and `is`: results of `blocks_json`.
std::string block_difference(const std::filesystem::path& folder, const std::string& file, const Json& was,
                             const Json& is) {
  const Json &old_blocks = was.at("digests"), &blocks = is.at("digests");
  const auto old_rows = was.at("rows").get<std::int64_t>(), rows = is.at("rows").get<std::int64_t>();
  std::size_t same = 0;
  while (same < blocks.size() && same < old_blocks.size() && blocks[same] == old_blocks[same]) ++same;
  const std::int64_t first = static_cast<std::int64_t>(same) * rows_in_block + 1;
  std::string text = file;
  if (rows != old_rows) text += fmt::format(" has {} rows, had {}, and", rows, old_rows);
  if (first > std::max(rows, old_rows)) return text + " differs in its first line";
  if (same == most_blocks) return text + fmt::format(" differs after row {}", first - 1);
  const std::int64_t last = std::min(first + rows_in_block - 1, std::max(rows, old_rows));
  return text + fmt::format(" differs first in rows {} to {}{}", first, last, cells_text(folder / file, first, last));
}

/// `was` and `is`: the existing golden file, and the one that would be made now of `folder`. `inputs`: the folder of
/// the scenario.
GoldenDifferences differences_of(const std::filesystem::path& folder, const std::filesystem::path& inputs,
                                 const Json& was, const Json& is) {
  GoldenDifferences differences;
  auto &files = differences.files, &details = differences.details;
  const auto differs = [&](const std::string& file) {
    return std::find(files.begin(), files.end(), file) != files.end();
  };
  for (const auto& [name, value] : is.items())
    if (value.is_string() && (find(was, name) == nullptr || *find(was, name) != value)) files.push_back(name);
  if (was.is_object())
    for (const auto& [name, value] : was.items())
      if (!is.contains(name)) files.push_back(escape(name));
  // The readable values must agree with the digests, or they are differences of their own.
  if (const Json* metrics = find(was, "figures")) {
    name_differences("", metrics, &is.at("figures"), details);
    if (!details.empty() && !differs("result.json")) files.emplace_back("figures");
    std::vector<std::string> changed;
    if (const Json* old = find(was, "inputs")) name_inputs(inputs, *old, is.value("inputs", Json::object()), changed);
    if (!changed.empty() && !differs("result.json")) files.emplace_back("inputs");
    details.insert(details.begin(), changed.begin(), changed.end());
    if (details.empty() && differs("result.json"))
      details.emplace_back("result.json differs in its experiment, or in metrics without a value");
  }
  if (const Json* blocks = find(was, "blocks")) {
    for (const auto& [file, value] : is.at("blocks").items()) {
      const Json* old = find(*blocks, file);
      if (old == nullptr || (*old == value && !differs(file))) continue;
      details.push_back(block_difference(folder, file, *old, value));
      if (!differs(file)) files.push_back("blocks of " + file);
    }
  }
  if (details.size() > most_details) {
    const std::size_t more = details.size() - most_details;
    details.resize(most_details);
    details.push_back(fmt::format("and {} more", more));
  }
  return differences;
}

}  // namespace

std::filesystem::path golden_file(const std::filesystem::path& scenario) {
  return std::filesystem::path(scenario).replace_extension(".golden.json");
}

nlohmann::ordered_json golden_json(const std::filesystem::path& folder) {
  Json result = read_json(folder / "result.json");
  result.erase("version");
  Json golden, blocks;
  for (const char* file : {"trace.csv", "packets.csv"}) {
    if (file == std::string("trace.csv") && !is_there(folder / file)) continue;
    golden[file] = sha256_of_files({folder / file});
    blocks[file] = blocks_json(folder / file);
  }
  golden["result.json"] = sha256(json_text(result));
  if (Json inputs = inputs_json(result.at("experiment")); !inputs.empty()) golden["inputs"] = std::move(inputs);
  result.erase("experiment");
  golden["figures"] = shortened(result);
  golden["blocks"] = blocks;
  return golden;
}

std::string golden_text(const Json& golden) {
  constexpr std::size_t most_columns = 110;
  std::istringstream lines(json_text(golden));
  std::string text, line;
  std::size_t columns = 0;  // of the last line, in a list of digests
  while (std::getline(lines, line)) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (columns > 0 && line[indent] == '"' && columns + line.size() - indent < most_columns) {
      text.back() = ' ';
      line.erase(0, indent);
      columns += 1 + line.size();
    } else if (columns > 0) {
      columns = line[indent] == '"' ? line.size() : 0;
    }
    if (line.find("\"digests\": [") != std::string::npos) columns = most_columns;
    text += line + '\n';
  }
  return text;
}

GoldenDifferences golden_differences(const std::filesystem::path& golden, const std::filesystem::path& folder) {
  const Json was = read_json(golden);
  try {
    return differences_of(folder, golden.parent_path(), was, golden_json(folder));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: not a golden file: {}", golden.string(), without_library(error.what())));
  }
}

}  // namespace starloom
