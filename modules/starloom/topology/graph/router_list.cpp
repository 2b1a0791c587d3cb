// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/graph/router_list.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

struct ListWord {
  FilePlace where{};
  std::string_view text{};
};

/// The words of a line without its comment.
std::vector<ListWord> words_of(std::string_view line, std::size_t number) {
  line = line.substr(0, std::min(line.find('#'), line.find("//")));
  constexpr std::string_view blanks = " \t\r";
  std::vector<ListWord> words;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back({{number, at + 1}, line.substr(at, end - at)});
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

template <class Take>
void each_line(std::string_view text, Take take) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (!take(words_of(text.substr(at, end - at), number))) return;
    at = end + 1;
  }
}

class RouterList {
 public:
  explicit RouterList(GraphDraft& draft) : draft_(draft) {}

  void read(const std::string& text) {
    each_line(text, [this](const std::vector<ListWord>& words) {
      if (!words.empty()) read_line(words);
      return true;
    });
    const NodeId processors = count_of(of_nodes_, "node"), routers = count_of(of_routers_, "router");
    if (processors < 0 || routers < 0) return;
    std::vector<GraphDraft::Node> nodes;
    for (NodeId number = 0; number < processors; ++number)
      nodes.push_back({of_nodes_.at(number), NodeRole::processor, "node_" + padded(number, processors), {}});
    for (NodeId number = 0; number < routers; ++number)
      nodes.push_back({of_routers_.at(number), NodeRole::switch_node, "router_" + padded(number, routers), {}});
    draft_.set_nodes(std::move(nodes));
    for (const Joined& j : joined_) {
      const NodeId a = processors + j.router, b = j.to_node ? j.other : processors + j.other;
      add(j.where, a, b, j.latency.value_or(1));
      add(j.where, b, a, j.back.value_or(j.latency.value_or(1)));
    }
  }

 private:
  static constexpr std::int64_t most_number = (1 << 30) - 1;

  /// What the line of a router says of another thing, and the line of that one of it.
  struct Joined {
    FilePlace where{};
    NodeId router = 0;
    bool to_node = false;
    NodeId other = 0;
    std::optional<std::int32_t> latency{}, back{};
  };
  using Numbered = std::unordered_map<NodeId, FilePlace>;  ///< where a number stands first

  void add(FilePlace where, NodeId from, NodeId to, std::int32_t latency) {
    draft_.add_link(where, {from, NetworkGraphBuilder::lowest_free}, {to, NetworkGraphBuilder::lowest_free}, {latency});
  }

  std::optional<NodeId> number(const std::vector<ListWord>& words, std::size_t at) {
    const ListWord& kind = words[at];
    if (at + 1 == words.size()) {
      draft_.fault(kind.where, std::string(kind.text) + " has no number behind it");
      return std::nullopt;
    }
    const ListWord& word = words[at + 1];
    const auto value = parse_integer(word.text);
    if (value && *value >= 0 && *value <= most_number) return static_cast<NodeId>(*value);
    draft_.fault(word.where, "'" + std::string(word.text) + "' is not the number of a " + std::string(kind.text));
    return std::nullopt;
  }

  void read_line(const std::vector<ListWord>& words) {
    if (words[0].text != "router") return unknown(words[0], {"router"}, "a line begins with router");
    const auto router = number(words, 0);
    if (!router) return;
    of_routers_.emplace(*router, words[0].where);
    std::size_t at = 2;
    while (at < words.size()) {
      const ListWord& kind = words[at];
      if (kind.text != "router" && kind.text != "node")
        return unknown(kind, {"router", "node"}, "router or node is expected");
      const auto other = number(words, at);
      if (!other) return;
      at += 2;
      std::optional<std::int32_t> latency;
      if (at < words.size() && words[at].text != "router" && words[at].text != "node") {
        const auto value = parse_integer(words[at].text);
        if (!value) return unknown(words[at], {"router", "node"}, "router, node or a latency is expected");
        if (*value < 1 || *value > GraphDraft::most_latency)
          draft_.fault(words[at].where, "a latency is a number of steps, 1 to 64, not " + std::string(words[at].text));
        else latency = static_cast<std::int32_t>(*value);
        ++at;
      }
      join({kind.where, *router, kind.text == "node", *other, latency, {}});
    }
  }

  void unknown(const ListWord& word, const std::vector<std::string>& words, const std::string& expected) {
    draft_.fault(word.where,
                 "'" + std::string(word.text) + "': " + expected + did_you_mean(std::string(word.text), words));
  }

  void join(const Joined& j) {
    (j.to_node ? of_nodes_ : of_routers_).emplace(j.other, j.where);
    if (j.to_node) {
      if (!router_of_.emplace(j.other, j.router).second)
        return draft_.fault(j.where, "node " + std::to_string(j.other) + " is joined to router " +
                                         std::to_string(router_of_.at(j.other)) + " already");
      return joined_.push_back(j);
    }
    if (j.router == j.other)
      return draft_.fault(j.where, "router " + std::to_string(j.router) + " is joined to itself; links join two");
    const auto [one, fresh] = places_.emplace(pair_of(j.router, j.other), joined_.size());
    if (!fresh)
      return draft_.fault(j.where, "router " + std::to_string(j.other) + " stands in the line of router " +
                                       std::to_string(j.router) + " twice");
    if (const auto other = places_.find(pair_of(j.other, j.router)); other != places_.end()) {
      joined_[other->second].back = j.latency;
      one->second = other->second;
      return;
    }
    joined_.push_back(j);
  }
  static std::int64_t pair_of(NodeId a, NodeId b) { return (std::int64_t{a} << 32) + b; }

  /// How many have numbers, which begin at 0 and leave none out; -1 after a fault.
  NodeId count_of(const Numbered& of, const std::string& kind) {
    const auto count = static_cast<NodeId>(of.size());
    if (count == 0) {
      draft_.fault({}, "no " + kind + " is named; a network has " + kind + "s");
      return -1;
    }
    for (NodeId number = 0; number < count; ++number)
      if (of.find(number) == of.end()) {
        draft_.fault({}, kind + " " + std::to_string(number) + " is named nowhere; numbers of " +
                             std::to_string(count) + " " + kind + "s are 0 to " + std::to_string(count - 1));
        return -1;
      }
    return count;
  }

  GraphDraft& draft_;
  Numbered of_nodes_, of_routers_;
  std::unordered_map<NodeId, NodeId> router_of_;          ///< [node]
  std::unordered_map<std::int64_t, std::size_t> places_;  ///< by both routers, in `joined_`
  std::vector<Joined> joined_;                            ///< in the order of the file
};

}  // namespace

bool is_router_list(const std::string& text) {
  bool found = false;
  each_line(text, [&](const std::vector<ListWord>& words) {
    if (words.empty()) return true;
    found = words.size() >= 2 && words[0].text == "router" && parse_integer(words[1].text);
    return false;
  });
  return found;
}

void read_router_list(const std::string& text, GraphDraft& draft) { RouterList(draft).read(text); }

}  // namespace starloom
