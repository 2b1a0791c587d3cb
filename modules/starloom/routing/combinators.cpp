// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/combinators.hpp>

#include <algorithm>
#include <utility>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/support/error.hpp>

namespace starloom::routing {
namespace {

/// The common base of all combinators.
class Combined : public RoutingFunction {
 public:
  void route(const Head& head, Choices& choices) const final {
    if (has_arrived(head)) choices.add(local_, all_.first, all_.count);
    else go_on(head, choices);
  }
  void mark_channel(int channel, std::vector<int>& marks) const final {
    for (const Part& part : parts_) {
      marks.push_back(part.channels.has(channel) ? 1 : 0);
      part.function->mark_channel(channel, marks);
    }
  }
  bool adaptive() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.function->adaptive(); });
  }
  double table_bytes() const final {
    double sum = 0;
    for (const Part& part : parts_) sum += part.function->table_bytes();
    return sum;
  }

 protected:
  Combined(Port local, std::vector<Part> parts)
      : local_(local), parts_(std::move(parts)), all_(parts_.front().channels) {
    for (const Part& part : parts_) {
      if (part.function->random_choices() > 1)
        throw InputError("a routing function made of others: its parts draw nothing");
      const int end = std::max(all_.first + all_.count, part.channels.first + part.channels.count);
      all_.first = std::min(all_.first, part.channels.first);
      all_.count = end - all_.first;
    }
  }

  virtual bool has_arrived(const Head& head) const { return head.node == head.destination; }
  virtual void go_on(const Head& head, Choices& choices) const = 0;

  bool comes_from_source(const Head& head) const { return head.in_port == local_; }
  std::uint32_t parts() const { return static_cast<std::uint32_t>(parts_.size()); }
  const Part& part(std::size_t number) const { return parts_[number]; }
  Port local() const { return local_; }

 private:
  const Port local_;
  const std::vector<Part> parts_;
  ChannelRange all_;
};

/// `Part` cannot be copied, as lists of initializers would.
std::vector<Part> both(Part first, Part second) {
  std::vector<Part> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return parts;
}

class Escape final : public Combined {
 public:
  Escape(Port local, Part adaptive, Part escape, Stay stay)
      : Combined(local, both(std::move(adaptive), std::move(escape))), stay_(stay) {}

  bool adaptive() const override { return true; }
  /// Heads may always wait for the escape channels only.
  const PairsWithoutPath* without_path() const override { return part(1).function->without_path(); }

 private:
  void go_on(const Head& head, Choices& choices) const override {
    const bool escaped = !comes_from_source(head) && part(1).channels.has(head.in_channel);
    if (!escaped || stay_ == Stay::may_return) {
      part(0).function->route(head, choices);
      choices.prefer_all();
    }
    Head as_seen = head;
    if (!escaped) as_seen.in_port = local();
    part(1).function->route(as_seen, choices);
  }

  const Stay stay_;
};

class Backup final : public Combined {
 public:
  Backup(const NetworkGraph& graph, const Faults* faults, Part first, Part backup)
      : Combined(graph.ports(), both(std::move(first), std::move(backup))),
        cut_(part(0).function->without_path()),
        without_path_(graph, "neither the routing function nor its backup has a path", faults) {
    const PairsWithoutPath* const lost = part(1).function->without_path();
    for (NodeId from = 0; cut_ != nullptr && lost != nullptr && from < graph.processors(); ++from)
      for (NodeId to = 0; to < graph.processors(); ++to) {
        const NodeId source = graph.processor(from), destination = graph.processor(to);
        if (cut_->contains(source, destination) && lost->contains(source, destination))
          without_path_.add(source, destination);
      }
  }

  /// A switch at the end of the link of a terminal knows the part from the channel.
  ChannelRange source_channels(const Head& head, const ChannelRange& /*all*/) const override {
    return part(number_of(head)).channels;
  }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }

 private:
  std::size_t number_of(const Head& head) const {
    return cut_ != nullptr && cut_->contains(head.node, head.destination) ? 1 : 0;
  }
  void go_on(const Head& head, Choices& choices) const override {
    const std::size_t number = comes_from_source(head)                 ? number_of(head)
                               : part(1).channels.has(head.in_channel) ? 1
                                                                       : 0;
    part(number).function->route(head, choices);
  }

  const PairsWithoutPath* const cut_;
  PairsWithoutPath without_path_;
};

class TwoPhase final : public Combined {
 public:
  TwoPhase(Port local, Part first, Part second, Intermediate intermediate)
      : Combined(local, both(std::move(first), std::move(second))), intermediate_(std::move(intermediate)) {}

  std::uint32_t random_choices() const override { return intermediate_.random_choices; }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const override {
    return intermediate_.count ? intermediate_.count(source, destination) : random_choices();
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const override {
    return intermediate_.choice ? intermediate_.choice(source, destination, number) : number;
  }
  bool in_phases() const override { return true; }
  bool on_first_phase(const Head& head) const override {
    return (comes_from_source(head) || part(0).channels.has(head.in_channel)) &&
           !intermediate_.over(head.node, head.random_choice, head.destination);
  }

 private:
  bool has_arrived(const Head& head) const override { return head.node == head.destination && !on_first_phase(head); }
  void go_on(const Head& head, Choices& choices) const override {
    if (!on_first_phase(head)) return part(1).function->route(head, choices);
    part(0).function->route({head.node, head.in_port, head.in_channel, intermediate_.node(head.random_choice)},
                            choices);
  }

  const Intermediate intermediate_;
};

class OneOf final : public Combined {
 public:
  OneOf(Port local, std::vector<Part> parts, ChooseBy choose_by)
      : Combined(local, std::move(parts)), choose_by_(choose_by) {}

  std::uint32_t random_choices() const override { return parts(); }
  bool decides() const override { return choose_by_ == ChooseBy::load; }
  std::uint32_t decision(const Head& head, const PortLoad& load) const override {
    if (!decides() || !comes_from_source(head) || has_arrived(head)) return head.random_choice;
    const auto used = [&](std::uint32_t number) {
      Choices choices;
      part(number).function->route(head, choices);
      return load.used_places(choices.begin()->port);
    };
    std::uint32_t best = head.random_choice;
    int fewest = used(best);
    for (std::uint32_t number = 0; number < parts(); ++number)
      if (const int places = used(number); places < fewest) {
        fewest = places;
        best = number;
      }
    return best;
  }

 private:
  void go_on(const Head& head, Choices& choices) const override {
    part(head.random_choice).function->route(head, choices);
  }

  const ChooseBy choose_by_;
};

}  // namespace

std::unique_ptr<RoutingFunction> escape(Port local, Part adaptive, Part escape, Stay stay) {
  return std::make_unique<Escape>(local, std::move(adaptive), std::move(escape), stay);
}

Intermediate any_node(NodeId nodes) {
  Intermediate any;
  any.random_choices = static_cast<std::uint32_t>(nodes);
  any.node = [](std::uint32_t random_choice) { return static_cast<NodeId>(random_choice); };
  any.over = [](NodeId at, std::uint32_t random_choice, NodeId) { return at == static_cast<NodeId>(random_choice); };
  return any;
}

std::unique_ptr<RoutingFunction> two_phase(Port local, Part first, Part second, Intermediate intermediate) {
  return std::make_unique<TwoPhase>(local, std::move(first), std::move(second), std::move(intermediate));
}

std::unique_ptr<RoutingFunction> with_backup(const NetworkGraph& graph, const Faults* faults, Part first, Part backup) {
  return std::make_unique<Backup>(graph, faults, std::move(first), std::move(backup));
}

std::unique_ptr<RoutingFunction> one_of(Port local, std::vector<Part> parts, ChooseBy choose_by) {
  return std::make_unique<OneOf>(local, std::move(parts), choose_by);
}

}  // namespace starloom::routing
