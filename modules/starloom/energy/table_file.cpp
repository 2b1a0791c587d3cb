// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/table_file.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/names.hpp>
#include <starloom/yaml/yaml_data.hpp>

namespace starloom::energy {
namespace {

using Words = std::vector<std::string>;
/// The words of a unit, with the number of the smallest one in each.
using Unit = std::vector<std::pair<std::string, double>>;

const Words table_keys = {"schema", "name", "source", "units", "conditions", "ranges", "energy", "leakage", "area"};
const Unit energy_units = {{"aJ", 1}, {"fJ", 1e3}, {"pJ", 1e6}};
const Unit power_units = {{"nW", 1}, {"uW", 1e3}, {"mW", 1e6}};
const Unit area_units = {{"um2", 1e3}, {"mm2", 1e9}};
const Unit length_units = {{"mm", 1}};

/// Reads one file; each error has its place, and the others are found, too.
class TableReader {
 public:
  TableReader(const std::filesystem::path& folder, const std::string& name, const std::string& key)
      : file_(folder, name, key) {
    table_.file = name;
  }

  Table read() {
    const YAML::Node root = file_.load();
    if (root.IsMap()) {
      const YamlMembers members = file_.members_of(root, table_keys);
      const auto required = [&](const char* key, const auto& read_it) {
        const auto at = members.find(key);
        if (at == members.end()) file_.add_error(root, std::string("the key ") + key + " is missing");
        else read_it(at->second);
      };
      required("schema", [&](const YAML::Node& node) {
        if (integer_of(node) != 1) file_.add_error(node, "schema is " + written(node) + ", but only 1 is known");
      });
      required("name", [&](const YAML::Node& node) { table_.name = word(node, "name"); });
      required("source", [&](const YAML::Node& node) { table_.source = word(node, "source"); });
      required("units", [&](const YAML::Node& node) { read_units(node); });
      if (members.count("conditions") != 0) read_conditions(members.at("conditions"));
      if (members.count("ranges") != 0) read_ranges(members.at("ranges"));
      required("energy", [&](const YAML::Node& node) {
        read_section(table_.energy, node, "energy", {energy_components.begin(), energy_components.end()});
      });
      for (const auto& [name, section] : {std::pair("leakage", &table_.leakage), std::pair("area", &table_.area)})
        required(name, [&, name = name, section = section](const YAML::Node& node) {
          read_section(*section, node, name, {silicon_components.begin(), silicon_components.end()});
        });
    } else {
      file_.add_error(root, "an energy table has the keys " + joined(table_keys) + ", and is not " + written(root));
    }
    file_.stop_if_invalid();
    table_.text = file_.text();
    return std::move(table_);
  }

 private:
  std::string word(const YAML::Node& node, const char* key) {
    if (node.IsScalar() && !node.Scalar().empty()) return node.Scalar();
    file_.add_error(node, std::string(key) + " is " + written(node) + ", but a text is expected");
    return "";
  }

  /// 0 after an error.
  double number(const YAML::Node& node, const std::string& what) {
    const auto text = plain(node);
    const auto value = text ? parse_number(*text) : std::nullopt;
    if (!value) file_.add_error(node, what + " is " + written(node) + ", but a number is expected");
    return value.value_or(0);
  }

  /// The members of a mapping, empty after an error.
  YamlMembers members(const YAML::Node& node, const std::string& what, const Words& keys) {
    if (node.IsMap()) return file_.members_of(node, keys);
    file_.add_error(node,
                    what + " is " + written(node) + ", but a mapping of " + joined_with_and(keys) + " is expected");
    return {};
  }

  void read_units(const YAML::Node& node) {
    const YamlMembers units = members(node, "units", {"energy", "power", "area", "length"});
    const auto unit = [&](const char* key, const Unit& known) {
      Words words;
      for (const auto& [word, factor] : known) words.push_back(word);
      const auto at = units.find(key);
      if (at == units.end()) {
        if (node.IsMap()) file_.add_error(node, std::string("units.") + key + " is missing; known: " + joined(words));
        return 1.0;
      }
      const std::string text = at->second.IsScalar() ? at->second.Scalar() : "";
      for (const auto& [word, factor] : known)
        if (word == text) return factor;
      file_.add_error(at->second,
                      std::string("units.") + key + " is " + written(at->second) + "; known: " + joined(words));
      return 1.0;
    };
    table_.energy.unit = unit("energy", energy_units);
    table_.leakage.unit = unit("power", power_units);
    table_.area.unit = unit("area", area_units);
    unit("length", length_units);
  }

  void read_conditions(const YAML::Node& node) {
    const YamlMembers given = members(node, "conditions", {"node_nm", "vdd", "temperature_k", "activity"});
    const auto positive = [&](const char* key) -> std::optional<double> {
      const auto at = given.find(key);
      if (at == given.end()) return std::nullopt;
      const double value = number(at->second, std::string("conditions.") + key);
      if (value <= 0) file_.add_error(at->second, std::string("conditions.") + key + " is not above 0");
      return value;
    };
    table_.node_nm = positive("node_nm");
    table_.vdd = positive("vdd");
    table_.temperature_k = positive("temperature_k");
    table_.activity = positive("activity").value_or(table_.activity);
  }

  void read_ranges(const YAML::Node& node) {
    for (const auto& [key, range] : members(node, "ranges", {"W", "N", "P", "V"})) {
      const std::string what = "ranges." + key;
      if (!range.IsSequence() || range.size() != 2) {
        file_.add_error(
            range, what + " is " + written(range) + ", but a list of the least and the greatest value is expected");
        continue;
      }
      const double least = number(range[0], what), greatest = number(range[1], what);
      if (least > greatest) file_.add_error(range, what + " is empty: its first value is greater than its second one");
      table_.ranges[key.front()] = {least, greatest};
    }
  }

  void read_section(Section& section, const YAML::Node& node, const std::string& name, const Words& components) {
    const YamlMembers given = members(node, name, components);
    for (const std::string& component : components) {
      const auto at = given.find(component);
      if (at != given.end()) {
        const YAML::Mark mark = at->second.Mark();
        section.components.insert_or_assign(
            component, Entry{formula(at->second, name + "." + component), static_cast<std::size_t>(mark.line) + 1,
                             static_cast<std::size_t>(mark.column) + 1});
      } else if (node.IsMap() && component != "route") {
        file_.add_error(node, name + "." + component + " is missing");
      }
    }
  }

  Formula formula(const YAML::Node& node, const std::string& what) {
    if (!node.IsMap()) return Formula(number(node, what));
    if (node["points"]) return Formula(points(members(node, what, {"points"})["points"], what));
    if (node["max"]) return greatest(members(node, what, {"max", "plus"}), what);
    return Formula(sum(node, what));
  }

  Formula greatest(const YamlMembers& given, const std::string& what) {
    const YAML::Node& list = given.at("max");
    std::vector<Sum> sums;
    if (list.IsSequence())
      for (const YAML::Node& of : list) sums.push_back(sum(of, what + ".max"));
    if (sums.size() < 2)
      file_.add_error(list, what + ".max is " + written(list) + ", but a list of at least two mappings is expected");
    return sums.empty()
               ? Formula(0)
               : Formula(std::move(sums), given.count("plus") != 0 ? sum(given.at("plus"), what + ".plus") : Sum());
  }

  Sum sum(const YAML::Node& node, const std::string& what) {
    Sum sum;
    Words seen;
    if (!node.IsMap()) {
      file_.add_error(node, what + " is " + written(node) + ", but a mapping such as {W: 1.5, W*N: 0.2} is expected");
      return sum;
    }
    for (const auto& term : node) {
      const std::string text = term.first.IsScalar() ? term.first.Scalar() : "";
      if (contains(seen, text)) file_.add_error(term.first, "the term " + text + " is given twice");
      seen.push_back(text);
      const double coefficient = number(term.second, what + ": the coefficient of " + text);
      try {
        sum.emplace_back(Product(text), coefficient);
      } catch (const std::invalid_argument& error) {
        file_.add_error(term.first, what + ": " + error.what());
      }
    }
    if (seen.empty()) file_.add_error(node, what + " has no term");
    return sum;
  }

  /// One point after an error.
  Points points(const YAML::Node& node, const std::string& what) {
    Points points;
    if (what != "energy.arbiter") file_.add_error(node, what + " has points, which only energy.arbiter may have");
    if (!node.IsMap() || node.size() == 0)
      file_.add_error(node,
                      what + ".points is " + written(node) + ", but a mapping such as {2: 3.5, 4: 20.6} is expected");
    else
      for (const auto& point : node) {
        const double n = number(point.first, what + ": a point");
        if (!points.empty() && n <= points.back().first)
          file_.add_error(point.first,
                          what + ": the point " + written(point.first) + " is not after the one before it");
        points.emplace_back(n, number(point.second, what + ": the value at " + written(point.first)));
      }
    if (points.empty()) points.emplace_back(1, 0);
    return points;
  }

  YamlData file_;
  Table table_;
};

}  // namespace

Table read_table(const std::filesystem::path& folder, const std::string& name, const std::string& key) {
  if (contains(built_in_tables(), name)) return built_in_table(name);
  if (!is_there(folder / name))
    throw ConfigError(key, name + " is neither a file nor a built-in table" + did_you_mean(name, built_in_tables()) +
                               "; these are " + joined(built_in_tables()));
  return TableReader(folder, name, key).read();
}

}  // namespace starloom::energy
