// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/pruned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::routing {
namespace {

/// The states of heads: node, in-port, and class of the in-channel. Channels of a class make no difference to the
/// function.
class HeadStates {
 public:
  /// \param one_class heads have no in-channel, because packets are stored and forwarded.
  HeadStates(const NetworkGraph& graph, const RoutingFunction& function, ChannelRange channels, bool one_class)
      : ports_(static_cast<std::size_t>(graph.ports()) + 1), first_(channels.first) {
    std::vector<std::vector<int>> classes;
    for (int channel = channels.first; channel < channels.first + channels.count; ++channel) {
      std::vector<int> marks;
      if (!one_class) function.mark_channel(channel, marks);
      auto found = std::find(classes.begin(), classes.end(), marks);
      if (found == classes.end()) found = classes.insert(classes.end(), std::move(marks));
      class_.push_back(static_cast<std::size_t>(found - classes.begin()));
      if (class_.back() == first_of_class_.size()) first_of_class_.push_back(channel);
    }
    count_ = static_cast<std::size_t>(graph.nodes()) * ports_ * classes.size();
  }

  std::size_t count() const { return count_; }
  int class_of(int channel) const { return static_cast<int>(class_[static_cast<std::size_t>(channel - first_)]); }
  std::size_t at(NodeId node, Port in_port, int channel_class) const {
    return (static_cast<std::size_t>(node) * ports_ + static_cast<std::size_t>(in_port)) * first_of_class_.size() +
           static_cast<std::size_t>(channel_class);
  }
  /// A packet in its source: all channels are alike.
  std::size_t at_source(NodeId node) const { return at(node, static_cast<Port>(ports_ - 1), 0); }
  std::size_t of(const Head& head) const {
    return static_cast<std::size_t>(head.in_port) + 1 == ports_
               ? at_source(head.node)
               : at(head.node, head.in_port, class_of(head.in_channel));
  }
  Head head(std::size_t state, NodeId destination, std::uint32_t random_choice) const {
    const std::size_t classes = first_of_class_.size();
    return {static_cast<NodeId>(state / classes / ports_), static_cast<Port>(state / classes % ports_),
            first_of_class_[state % classes], destination, random_choice};
  }

 private:
  const std::size_t ports_;          ///< with the local one
  const int first_;                  ///< channel
  std::vector<std::size_t> class_;   ///< [channel - first_]
  std::vector<int> first_of_class_;  ///< [class] its first channel
  std::size_t count_ = 0;
};

class Pruned final : public RoutingFunction {
 public:
  Pruned(std::unique_ptr<RoutingFunction> function, const FunctionContext& context)
      : function_(std::move(function)),
        faults_(*context.faults),
        graph_(context.graph()),
        states_(graph_, *function_, context.all_channels(), context.through_terminals),
        draws_(function_->random_choices()),
        without_path_(graph_, "the routing function takes no other path; up-down and shortest find those that are left",
                      &faults_) {
    const double bits = static_cast<double>(states_.count()) * graph_.processors() * draws_;
    constexpr double most_bits = 8e9;
    if (bits > most_bits)
      throw InputError(
          "with faults, the states of packets of this function take more than a gigabyte; use up-down or "
          "shortest, or a smaller network");
    sound_.resize(static_cast<std::size_t>(bits), false);
    if (draws_ > 1) paths_.resize(static_cast<std::size_t>(graph_.processors()) * processors());
    std::vector<std::uint32_t> scratch(states_.count(), 0);
    for (NodeId processor = 0; processor < graph_.processors(); ++processor) search(processor, scratch);
  }

  void route(const Head& head, Choices& choices) const override {
    Choices all;
    function_->route(head, all);
    choices.tolerate(all.tolerance());
    for (const Choice& choice : all) {
      if (choice.port == graph_.ports()) {
        choices.add(choice.port, choice.first, choice.count, choice.priority, choice.weight);
        continue;
      }
      for_each_run(head.node, choice, [&](int first, int count) {
        const LinkEnd far = graph_.far_end(head.node, choice.port);
        if (is_sound(head.destination, head.random_choice, states_.at(far.node, far.port, states_.class_of(first))))
          choices.add(choice.port, first, count, choice.priority, choice.weight);
      });
    }
  }
  std::uint32_t random_choices() const override { return draws_; }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const override {
    if (draws_ == 1) return 1;
    // Analyses and saturation ask for pairs without a path, too.
    return std::max(paths_[pair(source, destination)], std::uint32_t{1});
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const override {
    std::uint32_t choice = 0;
    for (std::uint32_t each = 0; each < function_->random_choices_between(source, destination); ++each) {
      choice = function_->random_choice_between(source, destination, each);
      if (is_sound(destination, choice, states_.at_source(source)) && number-- == 0) break;
    }
    return choice;
  }
  bool decides() const override { return function_->decides(); }
  std::uint32_t decision(const Head& head, const PortLoad& load) const override {
    const std::uint32_t choice = function_->decision(head, load);
    return is_sound(head.destination, choice, states_.of(head)) ? choice : head.random_choice;
  }
  std::vector<std::int64_t> pairs_of_layers() const override { return function_->pairs_of_layers(); }
  ChannelRange source_channels(const Head& head, const ChannelRange& all) const override {
    return function_->source_channels(head, all);
  }
  void mark_channel(int channel, std::vector<int>& marks) const override { function_->mark_channel(channel, marks); }
  bool adaptive() const override { return function_->adaptive(); }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }
  double table_bytes() const override {
    return function_->table_bytes() + static_cast<double>(sound_.size()) / 8 +
           static_cast<double>(paths_.size() * sizeof(std::uint32_t));
  }

 private:
  bool is_at_source(const Head& head) const { return head.in_port == graph_.ports(); }
  std::size_t processors() const { return static_cast<std::size_t>(graph_.processors()); }
  std::size_t pair(NodeId source, NodeId destination) const {
    return static_cast<std::size_t>(graph_.processor_of(source)) * processors() +
           static_cast<std::size_t>(graph_.processor_of(destination));
  }
  std::size_t bit(NodeId destination, std::uint32_t random_choice, std::size_t state) const {
    return (static_cast<std::size_t>(graph_.processor_of(destination)) * draws_ + random_choice) * states_.count() +
           state;
  }
  bool is_sound(NodeId destination, std::uint32_t random_choice, std::size_t state) const {
    return sound_[bit(destination, random_choice, state)];
  }

  /// Calls `visit(first, count)` with the living channels of a choice, those of a class together.
  template <class Visit>
  void for_each_run(NodeId node, const Choice& choice, const Visit& visit) const {
    if (faults_.link_is_dead(node, choice.port)) return;
    const auto dead = [&](int channel) { return faults_.channel_is_dead(node, choice.port, channel); };
    const int end = choice.first + choice.count;
    for (int first = choice.first, next = first; first < end; first = next) {
      next = first + 1;
      if (dead(first)) continue;
      while (next < end && !dead(next) && states_.class_of(next) == states_.class_of(first)) ++next;
      visit(first, next - first);
    }
  }

  /// The states of packets to a processor. \param scratch [state] zeroes, before and after.
  void search(NodeId processor, std::vector<std::uint32_t>& scratch) {
    const NodeId destination = graph_.processor(processor);
    const PairsWithoutPath* const without = function_->without_path();
    std::vector<std::vector<NodeId>> sources(draws_);  // [random choice]
    for (NodeId number = 0; number < graph_.processors(); ++number) {
      const NodeId source = graph_.processor(number);
      if (without != nullptr && without->contains(source, destination)) continue;
      for (std::uint32_t each = 0; each < function_->random_choices_between(source, destination); ++each)
        sources[function_->random_choice_between(source, destination, each)].push_back(source);
    }
    std::vector<std::uint32_t> paths(processors(), 0);  // [source]
    for (std::uint32_t choice = 0; choice < draws_; ++choice) {
      const Search found(*this, sources[choice], destination, choice, scratch);
      for (const std::size_t state : found.sound()) sound_[bit(destination, choice, state)] = true;
      for (const NodeId source : sources[choice])
        if (is_sound(destination, choice, states_.at_source(source)))
          ++paths[static_cast<std::size_t>(graph_.processor_of(source))];
    }
    for (NodeId number = 0; number < graph_.processors(); ++number) {
      const NodeId source = graph_.processor(number);
      const std::uint32_t count = paths[static_cast<std::size_t>(number)];
      if (count == 0 && source != destination) without_path_.add(source, destination);
      if (draws_ > 1) paths_[pair(source, destination)] = count;
    }
  }

  /// The states that packets to a destination, with one random choice, can reach on the whole network without its dead
  /// hardware, and then those of them that have a path.
  class Search {
   public:
    Search(const Pruned& function, const std::vector<NodeId>& sources, NodeId destination, std::uint32_t choice,
           std::vector<std::uint32_t>& scratch)
        : function_(function), destination_(destination), choice_(choice), number_(scratch) {
      for (const NodeId source : sources) number_of(function_.states_.at_source(source));
      for (std::size_t i = 0; i < reached_.size(); ++i) follow(i);
      remove_stranded();
      for (const std::size_t state : reached_) number_[state] = 0;
    }

    std::vector<std::size_t> sound() const {
      std::vector<std::size_t> sound;
      for (std::size_t i = 0; i < reached_.size(); ++i)
        if (escapes_[i] > 0) sound.push_back(reached_[i]);
      return sound;
    }

   private:
    struct Move {
      std::uint32_t from;
      bool escape;  ///< of priority 0
    };

    std::uint32_t number_of(std::size_t state) {
      std::uint32_t& number = number_[state];
      if (number == 0) {
        reached_.push_back(state);
        escapes_.push_back(0);
        moves_to_.emplace_back();
        number = static_cast<std::uint32_t>(reached_.size());
      }
      return number - 1;
    }

    void follow(std::size_t from) {
      const Head head = function_.states_.head(reached_[from], destination_, choice_);
      if (head.node == destination_ && function_.graph_.is_terminal(head.node) && !function_.is_at_source(head)) {
        escapes_[from] = 1;
        return;
      }
      Choices choices;
      function_.function_->route(head, choices);
      for (const Choice& choice : choices) {
        // Only the local port ends a path: in a first phase, a packet may pass its destination.
        if (choice.port == function_.graph_.ports()) {
          escapes_[from] = 1;
          continue;
        }
        function_.for_each_run(head.node, choice, [&](int first, int /*count*/) {
          const LinkEnd far = function_.graph_.far_end(head.node, choice.port);
          const std::uint32_t to =
              number_of(function_.states_.at(far.node, far.port, function_.states_.class_of(first)));
          moves_to_[to].push_back({static_cast<std::uint32_t>(from), choice.priority == 0});
          if (choice.priority == 0) ++escapes_[from];
        });
      }
    }

    void remove_stranded() {
      std::vector<std::uint32_t> stranded;
      for (std::size_t i = 0; i < reached_.size(); ++i)
        if (escapes_[i] == 0) stranded.push_back(static_cast<std::uint32_t>(i));
      while (!stranded.empty()) {
        const std::uint32_t to = stranded.back();
        stranded.pop_back();
        for (const Move& move : moves_to_[to])
          if (move.escape && --escapes_[move.from] == 0) stranded.push_back(move.from);
      }
    }

    const Pruned& function_;
    const NodeId destination_;
    const std::uint32_t choice_;
    std::vector<std::uint32_t>& number_;       ///< [state] 1 + its index in `reached_`, or 0
    std::vector<std::size_t> reached_;         ///< states, in the order of the search
    std::vector<std::uint32_t> escapes_;       ///< [index in reached_] choices of priority 0 that have a path
    std::vector<std::vector<Move>> moves_to_;  ///< [index in reached_]
  };

  const std::unique_ptr<RoutingFunction> function_;
  const Faults faults_;
  const NetworkGraph graph_;
  const HeadStates states_;
  const std::uint32_t draws_;
  std::vector<bool> sound_;           ///< [destination, random choice, state]
  std::vector<std::uint32_t> paths_;  ///< [source, destination] random choices with a path; empty: one draw
  PairsWithoutPath without_path_;
};

}  // namespace

std::unique_ptr<RoutingFunction> pruned(std::unique_ptr<RoutingFunction> function, const FunctionContext& context) {
  return std::make_unique<Pruned>(std::move(function), context);
}

std::unique_ptr<RoutingFunction> without_dead_channels(std::unique_ptr<RoutingFunction> function,
                                                       const FunctionContext& context) {
  if (context.faults == nullptr || !context.faults->has_dead_channels()) return function;
  return pruned(std::move(function), context);
}

}  // namespace starloom::routing
