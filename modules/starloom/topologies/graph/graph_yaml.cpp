// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/graph/graph_yaml.hpp>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/topologies/graph/graph_lines.hpp>

namespace starloom {
namespace {

constexpr std::int64_t most_interval = 1024;
const std::vector<std::string> graph_keys = {"nodes", "links"};
const std::vector<std::string> node_keys = {"name", "role", "place"};
const std::vector<std::string> link_keys = {"from", "to", "latency", "interval", "both", "from_port", "to_port"};

/// A value of an entry: a word, or a list of words.
struct YamlValue {
  FileLocation where{};
  bool is_list = false;
  bool is_other = false;  ///< neither
  bool quoted = false;
  std::string text{};
  std::vector<std::string> items{};

  std::string written() const {
    return is_list ? "a list" : is_other ? "a section" : text.empty() && !quoted ? "nothing" : "'" + text + "'";
  }
};

struct YamlMember {
  FileLocation where{};
  std::string key{};
  YamlValue value{};
};

/// An entry of one of the two lists.
struct YamlEntry {
  FileLocation where{};
  std::vector<YamlMember> members{};
  bool is_map = true;

  const YamlValue* find(const char* key) const {
    const auto at = std::find_if(members.begin(), members.end(), [&](const YamlMember& m) { return m.key == key; });
    return at == members.end() ? nullptr : &at->value;
  }
};

/// Processes the events of the parser, one entry at a time: a network has millions of links.
class GraphEvents final : public YAML::EventHandler {
 public:
  /// \param links_only the nodes are known: the second pass over a text that has its links first.
  GraphEvents(GraphDraft& draft, bool links_only) : draft_(draft), links_only_(links_only) {}

  bool links_wait_for_nodes() const { return links_wait_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 2 && !links_only_)
      draft_.add_error(location(mark), "the file holds more than one YAML document");
  }
  void OnDocumentEnd() override {
    if (documents_ > 1 || links_only_) return;
    for (const std::string& key : graph_keys)
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end())
        draft_.add_error({}, "the key " + key + " is missing: a network has nodes and links");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { word(mark, "", false); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    misplaced(location(mark), "aliases have no meaning here; write out what is meant");
    word(mark, "", true);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& text) override {
    word(mark, text, tag == "!");
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, true);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, false);
  }
  void OnMapEnd() override { close(); }

 private:
  // The level of the document by depth.
  enum Depth { document, section, list, entry, items };

  static FileLocation location(const YAML::Mark& mark) {
    if (mark.is_null()) return {};
    return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
  }
  bool ignored() const { return documents_ > 1 || skipped_ > 0; }

  /// An error in the form; the second pass over the text finds it again.
  void misplaced(FileLocation where, const std::string& text) {
    if (!links_only_) draft_.add_error(where, text);
  }

  void open(const YAML::Mark& mark, bool sequence) {
    if (ignored()) {
      ++skipped_;
      return;
    }
    const FileLocation where = location(mark);
    if (depth_ == document && !sequence) return deeper();
    if (depth_ == section && has_key_ && sequence && !list_.empty()) return deeper();
    if (depth_ == list && !sequence) {
      entry_ = {where, {}, true};
      has_key_ = false;
      return deeper();
    }
    if (depth_ == entry && has_key_ && sequence) {
      YamlValue& value = entry_.members.back().value;
      value.where = where;
      value.is_list = true;
      return deeper();
    }
    ++skipped_;
    if (depth_ == entry && has_key_) {
      entry_.members.back().value.where = where;
      entry_.members.back().value.is_other = true;
      has_key_ = false;
    } else if (depth_ == section && has_key_) {
      if (!list_.empty()) misplaced(where, list_ + " is a list, not a section");
      has_key_ = false;
    } else if (depth_ == document) {
      misplaced(where, "a network has the keys nodes and links, not a list");
    } else if (depth_ == items) {
      entry_.members.back().value.is_other = true;
    } else {
      misplaced(where,
                depth_ == list ? list_ + ": entries are mappings in braces, not lists" : "a key is a plain word");
    }
  }

  void deeper() { depth_ = static_cast<Depth>(depth_ + 1); }

  void close() {
    if (documents_ > 1) return;
    if (skipped_ > 0) {
      --skipped_;
      return;
    }
    depth_ = static_cast<Depth>(depth_ - 1);
    if (depth_ == entry || depth_ == section) has_key_ = false;
    if (depth_ == list) finish_entry();
    if (depth_ == section && list_ == "nodes") finish_nodes();
  }

  void word(const YAML::Mark& mark, const std::string& text, bool quoted) {
    if (ignored()) return;
    const FileLocation where = location(mark);
    if (depth_ == document) return misplaced(where, "a network has the keys nodes and links");
    if (depth_ == section) return has_key_ ? section_word(where) : section_key(where, text);
    if (depth_ == list) return misplaced(where, "an entry of " + list_ + " is a mapping in braces: " + example());
    if (depth_ == items) return entry_.members.back().value.items.push_back(text);
    if (!has_key_) {
      has_key_ = true;
      entry_.members.push_back({where, text, {}});
      entry_.members.back().value.where = where;
      return;
    }
    has_key_ = false;
    YamlValue& value = entry_.members.back().value;
    if (!(text.empty() && !quoted)) value.where = where;
    value.text = text;
    value.quoted = quoted;
  }

  void section_word(FileLocation where) {
    has_key_ = false;
    if (!list_.empty()) misplaced(where, list_ + " is a list, such as [" + example() + "]");
  }
  void section_key(FileLocation where, const std::string& key) {
    has_key_ = true;
    list_.clear();
    const bool known = std::find(graph_keys.begin(), graph_keys.end(), key) != graph_keys.end();
    const bool again = std::find(seen_.begin(), seen_.end(), key) != seen_.end();
    seen_.push_back(key);
    if (!known)
      misplaced(where, "unknown key " + key + did_you_mean(key, graph_keys) + ": a network has nodes and links");
    else if (again) misplaced(where, "the key " + key + " is given twice");
    else if (known && !again) list_ = key;
  }
  std::string example() const { return list_ == "nodes" ? "{name: a}" : "{from: a, to: b}"; }

  // -- Entries --

  void finish_entry() {
    const bool is_node = list_ == "nodes";
    if (is_node && links_only_) return;
    if (!is_node && !nodes_known_ && !links_only_) {
      links_wait_ = true;
      return;
    }
    check_keys(is_node ? "a node" : "a link", is_node ? node_keys : link_keys);
    if (is_node) finish_node();
    else finish_link();
  }

  void check_keys(const std::string& what, const std::vector<std::string>& keys) {
    for (auto member = entry_.members.begin(); member != entry_.members.end(); ++member) {
      const bool known = std::find(keys.begin(), keys.end(), member->key) != keys.end();
      if (!known) {
        std::string all;
        for (const std::string& key : keys) all += (all.empty() ? "" : ", ") + key;
        const std::string near = did_you_mean(member->key, keys);
        draft_.add_error(member->where,
                         "unknown key '" + member->key + "'" + (near.empty() ? "; " + what + " has " + all : near));
      } else if (std::any_of(entry_.members.begin(), member, [&](const YamlMember& m) { return m.key == member->key; }))
        draft_.add_error(member->where, "the key " + member->key + " is given twice");
    }
  }

  void refuse(const YamlValue& value, const std::string& key, const std::string& what) {
    draft_.add_error(value.where, key + " is " + what + ", not " + value.written());
  }

  void finish_node() {
    GraphDraft::Node node;
    node.where = entry_.where;
    if (const YamlValue* name = entry_.find("name")) {
      if (name->is_list || name->is_other || name->text.empty()) refuse(*name, "name", "a word");
      else node.name = name->text;
    }
    if (const YamlValue* role = entry_.find("role")) {
      if (const auto known = node_role(role->text)) node.role = *known;
      else
        refuse(*role, "role",
               "processor, switch or host" +
                   did_you_mean(role->text, {std::begin(node_role_names), std::end(node_role_names)}));
    }
    if (const YamlValue* at = entry_.find("place")) {
      std::vector<double> numbers;
      for (const std::string& item : at->items)
        if (const auto number = parse_number(item)) numbers.push_back(*number);
      if (at->is_other || at->items.size() != 2 || numbers.size() != 2)
        refuse(*at, "place", "two numbers [x, y], x to the right and y down");
      else node.location = PaperPosition{numbers[0], numbers[1]};
    }
    nodes_.push_back(std::move(node));
  }
  void finish_nodes() {
    if (links_only_ || nodes_known_) return;
    nodes_known_ = true;
    if (nodes_.empty() && !draft_.has_errors())
      draft_.add_error({}, "the list nodes is empty; a network has at least one processor");
    draft_.set_nodes(std::move(nodes_));
  }

  std::optional<NodeId> end_of_link(const char* key) {
    const YamlValue* value = entry_.find(key);
    if (value == nullptr) {
      draft_.add_error(entry_.where, std::string("a link lacks the key ") + key + ": {from: a, to: b}");
      return std::nullopt;
    }
    if (value->is_list || value->is_other || value->text.empty()) {
      refuse(*value, key, "a node");
      return std::nullopt;
    }
    return draft_.node(value->where, value->text);
  }
  std::int32_t number_of_link(const char* key, std::int32_t otherwise, std::int64_t least, std::int64_t most,
                              const std::string& what) {
    const YamlValue* value = entry_.find(key);
    if (value == nullptr) return otherwise;
    const auto number = value->quoted || value->is_list ? std::nullopt : parse_integer(value->text);
    if (number && *number >= least && *number <= most) return static_cast<std::int32_t>(*number);
    refuse(*value, key, what);
    sound_ = false;
    return otherwise;
  }

  void finish_link() {
    sound_ = true;
    const auto from = end_of_link("from"), to = end_of_link("to");
    const LinkTiming timing{number_of_link("latency", 1, 1, LinkTiming::most_latency,
                                           "a number of steps, 1 to " + std::to_string(LinkTiming::most_latency)),
                            number_of_link("interval", 1, 1, most_interval, "a number of steps, 1 to 1024")};
    const std::string ports = "a port, 0 to " + std::to_string(max_ports - 1);
    const Port from_port = number_of_link("from_port", NetworkGraphBuilder::lowest_free, 0, max_ports - 1, ports);
    const Port to_port = number_of_link("to_port", NetworkGraphBuilder::lowest_free, 0, max_ports - 1, ports);
    bool both = false;
    if (const YamlValue* value = entry_.find("both")) {
      both = value->text == "true";
      if (value->quoted || (!both && value->text != "false")) refuse(*value, "both", "true or false");
    }
    if (!from || !to || !sound_) return;
    const LinkEnd near{*from, from_port}, far{*to, to_port};
    if (draft_.add_link(entry_.where, near, far, timing) && both) draft_.add_link(entry_.where, far, near, timing);
  }

  GraphDraft& draft_;
  const bool links_only_;
  int documents_ = 0;
  Depth depth_ = document;
  int skipped_ = 0;       ///< levels below an element without a meaning
  bool has_key_ = false;  ///< in a section or entry: its value comes next
  std::string list_;      ///< `nodes` or `links` while in their list
  std::vector<std::string> seen_;
  YamlEntry entry_;
  std::vector<GraphDraft::Node> nodes_;
  bool nodes_known_ = false;
  bool links_wait_ = false;
  bool sound_ = true;
};

/// YAML refuses indentation with tabs, with unhelpful messages.
bool has_tabs(const std::string& text, GraphDraft& draft) {
  bool found = false, indent = true;
  std::size_t line = 1, column = 1;
  for (const char c : text) {
    if (indent && c == '\t') {
      draft.add_error({line, column}, "a tab at the beginning of the line; YAML allows only spaces there");
      found = true;
    }
    indent = c == '\n' || (indent && c == ' ');
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n' ? 1 : 0;
  }
  return found;
}

}  // namespace

void read_graph_yaml(const std::string& text, GraphDraft& draft) {
  if (has_tabs(text, draft)) return;
  try {
    bool links_wait = false;
    const bool plain = has_plain_lines(text);
    for (const bool links_only : {false, true}) {
      GraphEvents events(draft, links_only);
      if (plain) {
        send_plain_lines(text, events);
      } else {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(events))
          return draft.add_error({}, "the file is empty: a network has nodes and links");
        parser.HandleNextDocument(events);
      }
      links_wait = events.links_wait_for_nodes();
      if (!links_wait) return;
    }
  } catch (const YAML::Exception& e) {
    draft.add_error(e.mark.is_null() ? FileLocation{}
                                     : FileLocation{static_cast<std::size_t>(e.mark.line) + 1,
                                                    static_cast<std::size_t>(e.mark.column) + 1},
                    "not YAML: " + e.msg);
  }
}

}  // namespace starloom
