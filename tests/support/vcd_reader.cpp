// SPDX-License-Identifier: Apache-2.0
#include "support/vcd_reader.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace starloom {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("VCD: " + what); }

std::uint64_t number(const std::string& text) {
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    fail("'" + text + "' is no number");
  return std::stoull(text);
}

class Reader {
 public:
  explicit Reader(const std::string& text) : in_(text) {
    if (text.empty() || text.back() != '\n') fail("the last line is cut off");
  }

  Vcd read() {
    read_declarations();
    read_values();
    for (const VcdVariable& variable : vcd_.variables)
      if (variable.changes.empty() || variable.changes[0].first != vcd_.begin)
        fail(variable.path + " has no first value");
    return std::move(vcd_);
  }

 private:
  std::string word() {
    std::string text;
    if (!(in_ >> text)) fail("it ends too early");
    return text;
  }
  std::string words_to_end() {
    std::string all;
    for (std::string text = word(); text != "$end"; text = word()) all += (all.empty() ? "" : " ") + text;
    return all;
  }

  void read_declarations() {
    while (true) {
      const std::string key = word();
      if (key == "$date") vcd_.date = words_to_end();
      else if (key == "$version" || key == "$comment") words_to_end();
      else if (key == "$timescale") {
        vcd_.time_unit = words_to_end();
        vcd_.time_unit.erase(std::remove(vcd_.time_unit.begin(), vcd_.time_unit.end(), ' '), vcd_.time_unit.end());
      } else if (key == "$scope") {
        if (word() != "module") fail("a scope is no module");
        scopes_.push_back(word());
        if (word() != "$end") fail("a scope has a second name");
      } else if (key == "$upscope") {
        if (scopes_.empty()) fail("no scope is open");
        scopes_.pop_back();
        words_to_end();
      } else if (key == "$var") {
        read_variable();
      } else if (key == "$enddefinitions") {
        words_to_end();
        if (!scopes_.empty()) fail(scopes_.back() + " is not closed");
        if (vcd_.time_unit.empty()) fail("there is no time scale");
        return;
      } else {
        fail(key + " among the declarations");
      }
    }
  }

  void read_variable() {
    VcdVariable variable;
    const std::string type = word();
    if (type != "wire" && type != "real") fail("a variable is a " + type);
    variable.real = type == "real";
    variable.width = static_cast<int>(number(word()));
    const std::string code = word();
    for (const std::string& scope : scopes_) variable.path += scope + '.';
    variable.path += word();
    const std::string bits = words_to_end();
    const std::string wanted = "[" + std::to_string(variable.width - 1) + ":0]";
    if (bits != (variable.width > 1 && !variable.real ? wanted : "")) fail(variable.path + " has the bits " + bits);
    if (!by_code_.emplace(code, vcd_.variables.size()).second) fail("two variables have the code " + code);
    if (!paths_.insert(variable.path).second) fail("two variables are named " + variable.path);
    vcd_.variables.push_back(variable);
  }

  void read_values() {
    bool timed = false, dumping = false;
    std::string text;
    while (in_ >> text) {
      if (text[0] == '#') {
        const std::uint64_t time = number(text.substr(1));
        if (timed && time <= vcd_.end) fail("time " + text + " does not come later");
        if (!timed) vcd_.begin = time;
        vcd_.end = time;
        timed = true;
      } else if (text == "$dumpvars") {
        dumping = true;
      } else if (text == "$end") {
        if (!dumping) fail("$end of nothing");
        dumping = false;
      } else if (!timed) {
        fail("a value before the first time");
      } else if (text[0] == 'b' || text[0] == 'r') {
        change(text.substr(1), word(), text[0] == 'r');
      } else {
        change(text.substr(0, 1), text.substr(1), false);
      }
    }
    if (!timed) fail("it has no times");
    if (dumping) fail("$dumpvars has no end");
  }

  void change(std::string value, const std::string& code, bool real) {
    const auto found = by_code_.find(code);
    if (found == by_code_.end()) fail("no variable has the code " + code);
    VcdVariable& variable = vcd_.variables[found->second];
    if (real != variable.real) fail(variable.path + " gets a value of another type");
    if (value.empty() || value.size() > static_cast<std::size_t>(variable.width))
      fail(variable.path + " has no room for '" + value + "'");
    const bool letter = value.find_first_not_of(value[0]) == std::string::npos && (value[0] == 'x' || value[0] == 'z');
    if (real) {
      std::size_t read = 0;
      std::stod(value, &read);
      if (read != value.size()) fail(variable.path + " cannot be '" + value + "'");
    } else if (letter) {
      value.resize(1);
    } else {
      if (value.find_first_not_of("01") != std::string::npos) fail(variable.path + " cannot be '" + value + "'");
      value.erase(0, std::min(value.find('1'), value.size() - 1));
    }
    if (!variable.changes.empty()) {
      if (variable.changes.back().first == vcd_.end) fail(variable.path + " changes twice at one time");
      if (variable.changes.back().second == value) fail(variable.path + " changes to what it is");
    }
    variable.changes.emplace_back(vcd_.end, value);
  }

  std::istringstream in_;
  Vcd vcd_;
  std::vector<std::string> scopes_;
  std::map<std::string, std::size_t> by_code_;
  std::set<std::string> paths_;
};

}  // namespace

std::string VcdVariable::at(std::uint64_t time) const {
  const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                      [](std::uint64_t t, const auto& change) { return t < change.first; });
  return after == changes.begin() ? "" : std::prev(after)->second;
}

const VcdVariable& Vcd::variable(const std::string& path) const {
  for (const VcdVariable& variable : variables)
    if (variable.path == path) return variable;
  fail("there is no variable " + path);
}

Vcd read_vcd(const std::string& text) { return Reader(text).read(); }

}  // namespace starloom
