// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/chakra/chakra_program.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/diagnostic_list.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

constexpr const char* all_ranks = "";  ///< the name of the group without one

/// The collectives of the format; empty: refused.
constexpr const char* collective_of[] = {"all-reduce", "reduce",         "all-gather",     "",       "", "broadcast",
                                         "all-to-all", "reduce-scatter", "reduce-scatter", "barrier"};

/// The name of an operation.
std::string name_of(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : unquoted_cell(name);
}

class ChakraProgram {
 public:
  explicit ChakraProgram(const ChakraInput& input)
      : input_(input), ranks_(static_cast<std::int32_t>(input.nodes.size())) {}

  ProgramParts make() {
    sort_nodes();
    match_messages();
    match_collectives();
    stop_if_invalid();
    add_parts();
    add_dependencies();
    stop_if_invalid();
    refuse_cycles();
    stop_if_invalid();
    return std::move(parts_);
  }

 private:
  /// A node by its rank and its position there in the order of ids.
  struct Place {
    std::int32_t rank = 0;
    std::uint32_t turn = 0;
    bool operator<(const Place& other) const { return std::tie(rank, turn) < std::tie(other.rank, other.turn); }
  };
  using Location = std::pair<std::int32_t, std::int64_t>;  ///< rank and record

  const ChakraNode& node(const Place& place) const {
    const auto rank = static_cast<std::size_t>(place.rank);
    return input_.nodes[rank][order_[rank][place.turn]];
  }
  template <class Visit>
  void each_place(Visit&& visit) const {
    for (std::int32_t rank = 0; rank < ranks_; ++rank)
      for (std::uint32_t turn = 0; turn < order_[static_cast<std::size_t>(rank)].size(); ++turn) visit({rank, turn});
  }
  void add_error(const Place& place, const std::string& text) {
    const ChakraNode& at = node(place);
    diagnostics_.add(
        {place.rank, at.record},
        record_location(input_.names[static_cast<std::size_t>(place.rank)], at.record, at.offset) + ": " + text);
  }
  void stop_if_invalid() const {
    if (diagnostics_.any()) throw DataFileError(diagnostics_.text());
  }

  void sort_nodes() {
    for (std::int32_t rank = 0; rank < ranks_; ++rank) {
      const std::vector<ChakraNode>& nodes = input_.nodes[static_cast<std::size_t>(rank)];
      std::vector<std::uint32_t>& order = order_.emplace_back(nodes.size());
      std::iota(order.begin(), order.end(), 0U);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t one, std::uint32_t other) { return nodes[one].id < nodes[other].id; });
      for (std::uint32_t turn = 1; turn < order.size(); ++turn)
        if (const ChakraNode& before = node({rank, turn - 1}); before.id == node({rank, turn}).id)
          add_error({rank, turn},
                    "id " + std::to_string(before.id) + " is that of record " + std::to_string(before.record));
    }
    stop_if_invalid();
  }

  // -- Messages --

  /// The rank at the other end of a message; none if it is not a rank.
  std::optional<std::int32_t> other_end(const Place& place, const std::optional<std::int64_t>& own,
                                        const std::optional<std::int64_t>& other, const char* own_key,
                                        const char* key) {
    if (own && *own != place.rank) {
      add_error(place, std::string(own_key) + " is " + std::to_string(*own) + ", but this is rank " +
                           std::to_string(place.rank));
      return std::nullopt;
    }
    const std::int64_t rank = other.value_or(0);
    if (rank >= ranks_)
      add_error(place, std::string(key) + " is " + std::to_string(rank) + ", but ranks are 0 to " +
                           std::to_string(ranks_ - 1));
    else if (rank == place.rank) add_error(place, "a rank sends no message to itself");
    else return static_cast<std::int32_t>(rank);
    return std::nullopt;
  }

  /// Those of two ranks and a tag match in the order of ids.
  void match_messages() {
    using Key = std::tuple<std::int32_t, std::int32_t, std::int64_t>;
    std::map<Key, std::vector<Place>> sends, receives;
    each_place([&](const Place& place) {
      const ChakraNode& at = node(place);
      if (at.type == ChakraType::send) {
        if (const auto to = other_end(place, at.source, at.destination, "comm_src", "comm_dst"))
          sends[{place.rank, *to, at.tag}].push_back(place);
      } else if (at.type == ChakraType::receive) {
        if (const auto from = other_end(place, at.destination, at.source, "comm_dst", "comm_src"))
          receives[{*from, place.rank, at.tag}].push_back(place);
      }
    });
    const auto match = [&](const auto& ones, const auto& others, const char* text, bool keep) {
      for (const auto& [key, places] : ones) {
        const auto found = others.find(key);
        for (std::size_t i = 0; i < places.size(); ++i) {
          if (found == others.end() || i >= found->second.size())
            add_error(places[i], text + std::string(" from rank ") + std::to_string(std::get<0>(key)) + " to rank " +
                                     std::to_string(std::get<1>(key)) + " with tag " +
                                     std::to_string(std::get<2>(key)));
          else if (keep) receive_of_[places[i]] = found->second[i];
        }
      }
    };
    match(sends, receives, "no receive for this send", true);
    match(receives, sends, "no send for this receive", false);
  }

  // -- Collectives --

  bool is_in_its_group(const Place& place) {
    const std::string& name = node(place).group;
    const auto found = groups_.find(name);
    if (found == groups_.end())
      add_error(place, "unknown process group " + name + "; traffic.groups names a file with the ranks of each group");
    else if (members_.at(name).count(place.rank) == 0)
      add_error(place, "rank " + std::to_string(place.rank) + " is not in process group " + name);
    else return true;
    return false;
  }

  std::string text_of(const Place& place) const {
    const ChakraNode& at = node(place);
    return std::string(collective_of[at.comm_type]) + " of " + std::to_string(at.bytes) + " bytes";
  }

  /// The k-th collective of a group, in the order of ids, is the same for all its ranks.
  void match_collectives() {
    groups_ = input_.groups;
    std::vector<std::int32_t>& all = groups_[all_ranks];
    all.resize(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    for (const auto& [name, ranks] : groups_) members_[name].insert(ranks.begin(), ranks.end());
    std::map<std::string, std::map<std::int32_t, std::vector<Place>>> called;
    each_place([&](const Place& place) {
      const ChakraNode& at = node(place);
      if (at.type != ChakraType::collective) return;
      if (at.comm_type >= static_cast<std::int64_t>(std::size(collective_of)))
        return add_error(place, "comm_type " + std::to_string(at.comm_type) + " is not a collective");
      if (*collective_of[at.comm_type] == '\0')
        return add_error(place, std::string(at.comm_type == 3 ? "gather" : "scatter") + " is not supported");
      if (is_in_its_group(place)) called[at.group][place.rank].push_back(place);
    });
    for (auto& [name, by_rank] : called) {
      const std::string group = name == all_ranks ? "all ranks" : "process group " + name;
      const std::vector<std::int32_t>& ranks = groups_.at(name);
      const std::vector<Place>& first = by_rank[ranks.front()];
      for (const std::int32_t rank : ranks) {
        const std::vector<Place>& own = by_rank[rank];
        std::size_t k = 0;
        while (k < std::min(first.size(), own.size()) && text_of(first[k]) == text_of(own[k])) ++k;
        if (k < std::min(first.size(), own.size()))
          add_error(own[k], "collective " + std::to_string(k) + " of " + group + " is " + text_of(own[k]) + ", but " +
                                text_of(first[k]) + " at rank " + std::to_string(ranks.front()));
        else if (own.size() != first.size()) add_missing(group, ranks.front(), first, rank, own);
      }
      for (std::size_t k = 0; k < first.size(); ++k) {
        std::vector<Place> together;
        for (const std::int32_t rank : ranks)
          if (k < by_rank[rank].size()) together.push_back(by_rank[rank][k]);
        together_.push_back(std::move(together));
      }
    }
  }
  /// One of two ranks has fewer collectives of a group.
  void add_missing(const std::string& group, std::int32_t first_rank, const std::vector<Place>& first,
                   std::int32_t rank, const std::vector<Place>& own) {
    const bool of_first = own.size() < first.size();
    const std::size_t k = std::min(own.size(), first.size());
    add_error(of_first ? first[k] : own[k], "collective " + std::to_string(k) + " of " + group +
                                                " is missing at rank " + std::to_string(of_first ? rank : first_rank));
  }

  Collective collective_at(const Place& place, std::int32_t ranks) {
    const ChakraNode& at = node(place);
    Collective collective;
    collective.op = collective_of[at.comm_type];
    const auto chosen = input_.algorithms.find(collective.op);
    collective.algorithm = chosen == input_.algorithms.end() ? algorithms_of(collective.op).front() : chosen->second;
    collective.chunk = input_.chunk;
    collective.reduce = input_.reduce;
    if (collective.op == "barrier") return collective;
    const CollectiveAlgorithm& algorithm = *find_collective(collective.op, collective.algorithm);
    const std::int64_t flits = flits_of(place, collective.op == "all-gather" ? ranks : 1);
    // Blocks are not empty.
    for (const std::int64_t rounded : {flits, (flits + ranks - 1) / ranks * ranks, std::int64_t{2} * ranks}) {
      collective.flits = rounded;
      if (algorithm.refuse(collective, ranks).empty()) return collective;
    }
    collective.flits = flits;
    add_error(place, algorithm.refuse(collective, ranks));
    return collective;
  }
  /// The flits of the bytes of a node, taken this number of times.
  std::int64_t flits_of(const Place& place, std::int32_t times) {
    constexpr std::int64_t most_flits = std::numeric_limits<std::int32_t>::max();
    const std::int64_t bytes = node(place).bytes, most = input_.units.flit_bytes * most_flits;
    if (bytes <= most / times)
      return std::max<std::int64_t>(1, (bytes * times + input_.units.flit_bytes - 1) / input_.units.flit_bytes);
    add_error(place, "comm_size is " + std::to_string(bytes) + ", but a message or collective has at most " +
                         std::to_string(most / times) + " bytes");
    return 1;
  }

  // -- Parts --

  std::uint32_t operation_of(Operation operation, const std::shared_ptr<const RankGroup>& group) {
    operation.group = group;
    const auto [known, is_new] = operations_.try_emplace(
        {operation.name, operation.collective.op, operation.collective.flits, operation.delay, group.get()},
        static_cast<std::uint32_t>(parts_.operations.size()));
    if (is_new) parts_.operations.push_back(std::move(operation));
    return known->second;
  }

  void add_parts() {
    std::vector<std::vector<std::int32_t>> single;
    for (std::int32_t rank = 0; rank < ranks_; ++rank) single.push_back({rank});
    const auto alone = std::make_shared<const RankGroup>(single);
    std::map<std::pair<std::int32_t, std::int32_t>, std::shared_ptr<const RankGroup>> pairs;
    std::map<std::string, std::shared_ptr<const RankGroup>> groups;
    std::map<Place, const std::vector<Place>*> collectives;  // by the first of its ranks that is looked at
    for (const std::vector<Place>& together : together_)
      collectives[*std::min_element(together.begin(), together.end())] = &together;
    each_place([&](const Place& place) {
      const ChakraNode& at = node(place);
      Operation operation;
      switch (at.type) {
        case ChakraType::metadata:
        case ChakraType::memory_load:
        case ChakraType::memory_store:
        case ChakraType::compute: {
          const bool computes = at.type == ChakraType::compute;
          operation.name = name_of(at.name, "compute");
          operation.collective.op = "compute";
          operation.delay = computes ? delay_of(place) : 0;
          const RankUnit unit = !computes ? RankUnit::none : at.on_host ? RankUnit::host : RankUnit::compute;
          add({place}, operation_of(std::move(operation), alone), static_cast<std::uint32_t>(place.rank), unit);
          break;
        }
        case ChakraType::send: {
          const Place receive = receive_of_.at(place);
          auto& pair = pairs[{place.rank, receive.rank}];
          if (pair == nullptr)
            pair =
                std::make_shared<const RankGroup>(std::vector<std::vector<std::int32_t>>{{place.rank, receive.rank}});
          operation.name = name_of(at.name, "send");
          operation.collective.op = "send";
          operation.collective.flits = flits_of(place, 1);
          add({place, receive}, operation_of(std::move(operation), pair), 0, RankUnit::network);
          parts_.uses[part_.at(receive)].unit = RankUnit::none;
          break;
        }
        case ChakraType::receive: break;
        case ChakraType::collective: {
          const auto found = collectives.find(place);
          if (found == collectives.end()) break;
          auto& group = groups[at.group];
          if (group == nullptr)
            group = std::make_shared<const RankGroup>(std::vector<std::vector<std::int32_t>>{groups_.at(at.group)});
          operation.collective = collective_at(place, static_cast<std::int32_t>(group->lists.front().size()));
          operation.name = name_of(at.name, operation.collective.op);
          add(*found->second, operation_of(std::move(operation), group), 0, RankUnit::network);
          break;
        }
      }
    });
  }
  Step delay_of(const Place& place) {
    const double steps = rounded_up(static_cast<double>(node(place).microseconds) * 1000 / input_.units.clock_ns);
    if (steps <= static_cast<double>(most_steps)) return static_cast<Step>(steps);
    add_error(place, "duration_micros is longer than " + std::to_string(most_steps) + " steps");
    return 0;
  }
  /// An instance whose parts are these nodes, in the order of its list of ranks.
  void add(const std::vector<Place>& places, std::uint32_t operation, std::uint32_t list, RankUnit unit) {
    const auto first = static_cast<ProgramPart>(parts_.uses.size());
    parts_.instances.push_back({operation, list, count_[parts_.operations[operation].name]++, first});
    for (const Place& place : places) {
      part_[place] = static_cast<ProgramPart>(parts_.uses.size());
      place_of_.push_back(place);
      parts_.uses.push_back({unit, place.turn});
    }
  }

  void add_dependencies() {
    each_place([&](const Place& place) {
      const std::vector<std::uint32_t>& order = order_[static_cast<std::size_t>(place.rank)];
      const std::vector<ChakraNode>& nodes = input_.nodes[static_cast<std::size_t>(place.rank)];
      std::set<std::uint64_t> seen;
      for (const std::uint64_t id : node(place).after) {
        if (!seen.insert(id).second) continue;
        const auto found =
            std::lower_bound(order.begin(), order.end(), id,
                             [&](std::uint32_t at, std::uint64_t wanted) { return nodes[at].id < wanted; });
        if (found == order.end() || nodes[*found].id != id) {
          add_error(place, "waits for node " + std::to_string(id) + ", which the file does not have");
          continue;
        }
        const auto turn = static_cast<std::uint32_t>(found - order.begin());
        parts_.waits.push_back({part_.at(place), part_.at({place.rank, turn})});
      }
    });
  }

  /// A receive waits for its send, and each rank of a collective for all of them.
  void refuse_cycles() {
    const std::size_t parts = place_of_.size();
    std::vector<ProgramPart> item(parts);
    std::iota(item.begin(), item.end(), ProgramPart{0});
    std::vector<std::pair<ProgramPart, ProgramPart>> edges;  // awaited, waiting
    for (const OperationInstance& instance : parts_.instances) {
      const Operation& operation = parts_.operations[instance.operation];
      if (operation.is_send()) edges.emplace_back(instance.first_part, instance.first_part + 1);
      if (operation.is_collective())
        for (std::size_t i = 0; i < operation.group->lists[instance.list].size(); ++i)
          item[instance.first_part + i] = instance.first_part;
    }
    for (const ProgramParts::Wait& wait : parts_.waits) edges.emplace_back(item[wait.awaited], item[wait.part]);
    std::sort(edges.begin(), edges.end());
    std::vector<std::uint32_t> left(parts);
    for (const auto& [awaited, waiting] : edges) ++left[waiting];
    std::vector<ProgramPart> free;
    for (std::size_t part = 0; part < parts; ++part)
      if (left[part] == 0) free.push_back(static_cast<ProgramPart>(part));
    while (!free.empty()) {
      const ProgramPart done = free.back();
      free.pop_back();
      for (auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair(done, ProgramPart{0}));
           edge != edges.end() && edge->first == done; ++edge)
        if (--left[edge->second] == 0) free.push_back(edge->second);
    }
    // An item that is left waits for another one that is left.
    std::vector<ProgramPart> awaited(parts);
    std::optional<ProgramPart> at;
    for (const auto& [one, waiting] : edges)
      if (left[one] > 0 && left[waiting] > 0) {
        awaited[waiting] = one;
        at = waiting;
      }
    if (!at) return;
    for (std::size_t i = 0; i < parts; ++i) at = awaited[*at];  // on the cycle from here on
    const auto text_of_part = [this](ProgramPart part) {
      const Place& place = place_of_[part];
      return "node " + std::to_string(node(place).id) + " of rank " + std::to_string(place.rank);
    };
    std::string text = "cyclic dependency: " + text_of_part(*at);
    ProgramPart next = *at;
    do text += " after " + text_of_part(next = awaited[next]);
    while (next != *at);
    add_error(place_of_[*at], text);
  }

  const ChakraInput& input_;
  const std::int32_t ranks_;
  DiagnosticList<Location> diagnostics_;
  std::vector<std::vector<std::uint32_t>> order_;  ///< [rank] its nodes by ascending id
  std::map<Place, Place> receive_of_;              ///< by the send
  std::map<std::string, std::vector<std::int32_t>> groups_;
  std::map<std::string, std::set<std::int32_t>> members_;  ///< of the groups
  std::vector<std::vector<Place>> together_;               ///< the nodes of each collective, by the list of its ranks
  ProgramParts parts_;
  std::map<std::tuple<std::string, std::string, std::int64_t, Step, const RankGroup*>, std::uint32_t>
      operations_;                             ///< looked up, never iterated
  std::map<std::string, std::int64_t> count_;  ///< of instances of each name
  std::map<Place, ProgramPart> part_;
  std::vector<Place> place_of_;  ///< [part]
};

}  // namespace

ProgramParts parts_of(const ChakraInput& input) { return ChakraProgram(input).make(); }

}  // namespace starloom
