// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/graph/router_list.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

struct ListWord {
  FileLocation where{};
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
    for (NodeId number = 0; number < processors; ++number) {
      const auto joins = of_node_.find(number);
      const bool is_host = joins != of_node_.end() && joins->second.size() > 1;
      nodes.push_back({of_nodes_.at(number),
                       is_host ? NodeRole::host : NodeRole::processor,
                       "node_" + padded(number, processors),
                       {}});
    }
    for (NodeId number = 0; number < routers; ++number)
      nodes.push_back({of_routers_.at(number), NodeRole::switch_node, "router_" + padded(number, routers), {}});
    draft_.set_nodes(std::move(nodes));
    // In ascending order of both numbers, the lower one first: each router has its links in the order of its
    // neighbours.
    for (const auto& [node, joins] : of_node_)
      for (const auto& [router, j] : joins) {
        add(j.where, node, processors + router, j.latency);
        add(j.where, processors + router, node, j.latency);
      }
    for (const auto& [pair, j] : of_pair_) {
      add(j.where, processors + pair.first, processors + pair.second, j.up.value_or(1));
      add(j.where, processors + pair.second, processors + pair.first, j.down.value_or(1));
    }
  }

 private:
  static constexpr std::int64_t most_number = (1 << 30) - 1;

  /// A node and a router: either line may name the other, or both.
  struct JoinedNode {
    FileLocation where{};
    std::int32_t latency = 1;  ///< of both links
  };
  /// Two routers.
  struct JoinedRouters {
    FileLocation where{};
    /// Latencies, from the lower number to the higher and back, if given.
    std::optional<std::int32_t> up{}, down{};
  };
  using Numbered = std::unordered_map<NodeId, FileLocation>;  ///< the first location of a number

  void add(FileLocation where, NodeId from, NodeId to, std::int32_t latency) {
    draft_.add_link(where, {from, NetworkGraphBuilder::lowest_free}, {to, NetworkGraphBuilder::lowest_free}, {latency});
  }

  std::optional<NodeId> number(const std::vector<ListWord>& words, std::size_t at) {
    const ListWord& kind = words[at];
    if (at + 1 == words.size()) {
      draft_.add_error(kind.where, std::string(kind.text) + " needs a number after it");
      return std::nullopt;
    }
    const ListWord& word = words[at + 1];
    const auto value = parse_integer(word.text);
    if (value && *value >= 0 && *value <= most_number) return static_cast<NodeId>(*value);
    draft_.add_error(word.where, "'" + std::string(word.text) + "' is not the number of a " + std::string(kind.text));
    return std::nullopt;
  }

  void read_line(const std::vector<ListWord>& words) {
    const bool of_node = words[0].text == "node";
    if (!of_node && words[0].text != "router")
      return unknown(words[0], {"router", "node"}, "a line begins with router or node");
    const auto head = number(words, 0);
    if (!head) return;
    (of_node ? of_nodes_ : of_routers_).emplace(*head, words[0].where);
    std::size_t at = 2;
    while (at < words.size()) {
      const ListWord& kind = words[at];
      if (kind.text != "router" && kind.text != "node")
        return unknown(kind, {"router", "node"}, "router or node is expected");
      const auto other = number(words, at);
      if (!other) return;
      at += 2;
      std::int32_t latency = 1;
      if (at < words.size() && words[at].text != "router" && words[at].text != "node") {
        const auto value = parse_integer(words[at].text);
        if (!value) return unknown(words[at], {"router", "node"}, "router, node or a latency is expected");
        if (*value < 1 || *value > LinkTiming::most_latency)
          draft_.add_error(words[at].where, "a latency is a number of steps, 1 to " +
                                                std::to_string(LinkTiming::most_latency) + ", not " +
                                                std::string(words[at].text));
        else latency = static_cast<std::int32_t>(*value);
        ++at;
      }
      if (kind.text == "router" && of_node) join_node(kind.where, *head, *other, latency);
      else if (kind.text == "router") join_routers(kind.where, *head, *other, latency);
      else if (!of_node) join_node(kind.where, *other, *head, latency);
      else
        draft_.add_error(kind.where, "node " + std::to_string(*head) + " is connected to node " +
                                         std::to_string(*other) + "; nodes are connected to routers");
    }
  }

  void unknown(const ListWord& word, const std::vector<std::string>& words, const std::string& expected) {
    draft_.add_error(word.where,
                     "'" + std::string(word.text) + "': " + expected + did_you_mean(std::string(word.text), words));
  }

  void join_node(FileLocation where, NodeId node, NodeId router, std::int32_t latency) {
    of_nodes_.emplace(node, where);
    of_routers_.emplace(router, where);
    const auto [known, fresh] = of_node_[node].emplace(router, JoinedNode{where, latency});
    if (!fresh && known->second.latency != latency)
      draft_.add_error(where, "node " + std::to_string(node) + " is connected to router " + std::to_string(router) +
                                  " already, with latency " + std::to_string(known->second.latency));
  }

  void join_routers(FileLocation where, NodeId router, NodeId other, std::int32_t latency) {
    of_routers_.emplace(other, where);
    if (router == other)
      return draft_.add_error(
          where, "router " + std::to_string(router) + " is connected to itself; a link connects two routers");
    JoinedRouters& pair = of_pair_.emplace(std::minmax(router, other), JoinedRouters{where}).first->second;
    std::optional<std::int32_t>& direction = router < other ? pair.up : pair.down;
    if (direction)
      return draft_.add_error(where, "router " + std::to_string(other) + " is listed in the line of router " +
                                         std::to_string(router) + " twice");
    direction = latency;
  }

  /// The number of routers or nodes, whose numbers begin at 0 without gaps; -1 after an error.
  NodeId count_of(const Numbered& of, const std::string& kind) {
    const auto count = static_cast<NodeId>(of.size());
    if (count == 0) {
      draft_.add_error({}, "no " + kind + " is named; a network has " + kind + "s");
      return -1;
    }
    for (NodeId number = 0; number < count; ++number)
      if (of.find(number) == of.end()) {
        draft_.add_error({}, kind + " " + std::to_string(number) + " is named nowhere; numbers of " +
                                 std::to_string(count) + " " + kind + "s are 0 to " + std::to_string(count - 1));
        return -1;
      }
    return count;
  }

  GraphDraft& draft_;
  Numbered of_nodes_, of_routers_;
  std::map<NodeId, std::map<NodeId, JoinedNode>> of_node_;      ///< [node][router]
  std::map<std::pair<NodeId, NodeId>, JoinedRouters> of_pair_;  ///< by both routers, the lower number first
};

}  // namespace

bool is_router_list(const std::string& text) {
  bool found = false;
  each_line(text, [&](const std::vector<ListWord>& words) {
    if (words.empty()) return true;
    found = words.size() >= 2 && (words[0].text == "router" || words[0].text == "node") && parse_integer(words[1].text);
    return false;
  });
  return found;
}

void read_router_list(const std::string& text, GraphDraft& draft) { RouterList(draft).read(text); }

}  // namespace starloom
