// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/function_entry.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <starloom/routing/pruned.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::routing {
namespace {

class Checked final : public RoutingFunction {
 public:
  Checked(std::string name, const FunctionContext& context, std::unique_ptr<RoutingFunction> function)
      : name_(std::move(name)),
        graph_(context.graph()),
        channels_(context.all_channels()),
        through_terminals_(context.through_terminals),
        function_(std::move(function)) {
    if (function_->random_choices() == 0)
      throw InputError("routing function " + name_ + ": packets draw a number below 0");
  }

  void route(const Head& head, Choices& choices) const override {
    try {
      function_->route(head, choices);
    } catch (const std::length_error&) {
      refuse(head, "it offers more than " + std::to_string(Choices::most) + " choices");
    }
    bool may_wait = false;
    for (const Choice& choice : choices) {
      if (const std::string wrong = error(head, choice); !wrong.empty()) refuse(head, wrong);
      may_wait = may_wait || choice.priority == 0;
    }
    if (!may_wait) refuse(head, choices.size() == 0 ? "it offers nothing" : "it offers nothing of priority 0");
  }
  std::uint32_t random_choices() const override { return function_->random_choices(); }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const override {
    const std::uint32_t count = function_->random_choices_between(source, destination);
    if (count == 0)
      throw ContractError("routing function " + name_ + ": packets from " + graph_.node_name(source) + " to " +
                          graph_.node_name(destination) + " have no random choice");
    return count;
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const override {
    const std::uint32_t choice = function_->random_choice_between(source, destination, number);
    refuse_random_choice(choice, source, destination);
    return choice;
  }
  bool draws() const override { return function_->draws(); }
  const RoutingFunction* every_path() const override { return function_->every_path(); }
  bool chooses_in_nodes() const override { return function_->chooses_in_nodes(); }
  bool decides() const override { return function_->decides(); }
  std::uint32_t decision(const Head& head, const PortLoad& load) const override {
    const std::uint32_t choice = function_->decision(head, load);
    refuse_random_choice(choice, head.node, head.destination);
    return choice;
  }
  bool adaptive() const override { return function_->adaptive(); }
  const PairsWithoutPath* without_path() const override { return function_->without_path(); }
  void mark_channel(int channel, std::vector<int>& marks) const override { function_->mark_channel(channel, marks); }
  double table_bytes() const override { return function_->table_bytes(); }
  bool in_phases() const override { return function_->in_phases(); }
  bool on_first_phase(const Head& head) const override { return function_->on_first_phase(head); }

 private:
  void refuse_random_choice(std::uint32_t choice, NodeId node, NodeId destination) const {
    if (choice >= function_->random_choices())
      throw ContractError("routing function " + name_ + ": the random choice of packets in " + graph_.node_name(node) +
                          " to " + graph_.node_name(destination) + " is " + std::to_string(choice) +
                          ", but must be below " + std::to_string(function_->random_choices()));
  }
  /// The fault of a choice, or an empty text.
  std::string error(const Head& head, const Choice& choice) const {
    const std::string port = std::to_string(choice.port);
    if (choice.priority < 0) return "it offers port " + port + " with priority " + std::to_string(choice.priority);
    if (choice.first < channels_.first || choice.count < 1 || choice.count > channels_.count ||
        choice.first - channels_.first > channels_.count - choice.count)
      return "it offers port " + port + " with " + range(choice.first, choice.count) + ", but has " +
             range(channels_.first, channels_.count);
    if (choice.port == graph_.ports())
      return head.node == head.destination ? "" : "it offers the local port, but that is not the destination";
    if (!graph_.out_ports(head.node).has(choice.port)) return "it offers port " + port + ", which has no link";
    const NodeId next = graph_.far_end(head.node, choice.port).node;
    if (next != head.destination && !graph_.forwards(next, through_terminals_))
      return "it offers port " + port + ", which leads to " + graph_.node_name(next) +
             (graph_.is_host(next) ? ", a host, which does not forward packets" : ", a terminal that has no router");
    return "";
  }
  static std::string range(int first, int count) {
    return std::to_string(count) + (count == 1 ? " channel" : " channels") + " from " + std::to_string(first) + " on";
  }
  [[noreturn]] void refuse(const Head& head, const std::string& wrong) const {
    const std::string from = head.in_port == graph_.ports() ? "its source"
                                                            : "in-port " + std::to_string(head.in_port) + ", channel " +
                                                                  std::to_string(head.in_channel);
    throw ContractError("routing function " + name_ + ": " + wrong + ", at " + graph_.node_name(head.node) +
                        " for packets to " + graph_.node_name(head.destination) + " that come from " + from);
  }

  const std::string name_;
  const NetworkGraph graph_;
  const ChannelRange channels_;
  const bool through_terminals_;
  const std::unique_ptr<RoutingFunction> function_;
};

}  // namespace

void Choices::refuse_more() { throw std::length_error("a head has more than " + std::to_string(most) + " choices"); }

const Service* FunctionEntry::service(const Capabilities& offers) const {
  const auto found = std::find_if(serves.begin(), serves.end(),
                                  [&](const Service& service) { return contains(offers, service.capability); });
  return found == serves.end() ? nullptr : &*found;
}

std::unique_ptr<RoutingFunction> FunctionEntry::made(const FunctionContext& context, const KeyValues& keys) const {
  if (context.faults == nullptr || knows_faults) return make(context, keys);
  FunctionContext whole = context;
  whole.faults = nullptr;
  return pruned(make(whole, keys), context);
}

FunctionEntry checked(FunctionEntry entry) {
  if (!entry.make) return entry;  // the catalogue is refused
  entry.make = [make = entry.make, name = entry.name](const FunctionContext& context, const KeyValues& keys) {
    std::unique_ptr<RoutingFunction> function = make(context, keys);
    if (function == nullptr) throw InputError("routing function " + name + ": its entry makes none");
    return std::make_unique<Checked>(name, context, std::move(function));
  };
  return entry;
}

}  // namespace starloom::routing
