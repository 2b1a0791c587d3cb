// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/router_parts.hpp>

#include <utility>

#include <starloom/routing/function_table.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

class CheckedSelection final : public Selection {
 public:
  CheckedSelection(std::string name, std::unique_ptr<const Selection> selection)
      : name_(std::move(name)), selection_(std::move(selection)) {}

  std::size_t select(const Candidate* candidates, std::size_t count, NodeId node,
                     const std::function<std::uint32_t()>& word) const override {
    const std::size_t selected = selection_->select(candidates, count, node, word);
    if (selected >= count)
      throw ContractError("selection " + name_ + ": it returns " + std::to_string(selected) + ", but the " +
                          std::to_string(count) + " candidates have the numbers 0 to " + std::to_string(count - 1));
    return selected;
  }

 private:
  const std::string name_;
  const std::unique_ptr<const Selection> selection_;
};

std::vector<SelectionEntry> standard_selections() {
  return {{"least-occupied", "the port with the most credits", {}, BuiltInSelection::least_occupied},
          {"first", "the port that the routing function names first", {}, BuiltInSelection::first},
          {"random", "each port with the same probability", {}, BuiltInSelection::random},
          {"all",
           "no selection: all ports at the same time, whatever is in the buffers behind",
           {},
           BuiltInSelection::all}};
}

}  // namespace

SelectionEntry checked(SelectionEntry entry) {
  if (!entry.make) return entry;  // the catalogue is refused
  entry.make = [make = entry.make, name = entry.name](const KeyValues& keys) -> std::unique_ptr<const Selection> {
    std::unique_ptr<const Selection> selection = make(keys);
    if (selection == nullptr) throw InputError("selection " + name + ": its entry makes none");
    return std::make_unique<CheckedSelection>(name, std::move(selection));
  };
  return entry;
}

PartForms arbiter_forms(const RouterParts& parts) {
  std::vector<PartForm> forms;
  for (const ArbiterEntry& entry : parts.arbiters)
    forms.push_back({entry.name, entry.number, entry.make_of ? parts.arbiters.front().name : ""});
  return {forms, forms};
}

PartForms allocator_forms(const RouterParts& parts, AllocatorUse use) {
  PartForms forms{{}, arbiter_forms(parts).outer};
  for (const AllocatorEntry& entry : parts.allocators)
    if (use == AllocatorUse::either || (use == AllocatorUse::channels ? entry.channels : entry.switches))
      forms.outer.push_back({entry.name, entry.number, entry.names_arbiter ? parts.arbiters.front().name : ""});
  return forms;
}

std::vector<std::string> names_in(const PartValue& part) {
  std::vector<std::string> names = {part.name};
  for (const PartValue& inner : part.of)
    for (std::string& name : names_in(inner)) names.push_back(std::move(name));
  return names;
}

MakeArbiter arbiter_maker(const RouterParts& parts, const PartValue& arbiter, const KeyValues& keys) {
  const ArbiterEntry& entry = part_named(parts.arbiters, arbiter.name);
  if (!entry.make_of) return [make = entry.make, keys](int requesters) { return make(requesters, keys); };
  return [make = entry.make_of, number = arbiter.number.value_or(1),
          of = arbiter_maker(parts, arbiter.of.front(), keys)](int requesters) { return make(requesters, number, of); };
}

std::unique_ptr<Allocator> make_allocator(const RouterParts& parts, const PartValue& allocator, PartSize size,
                                          const MakeArbiter& make_arbiter, const KeyValues& keys) {
  size.number = allocator.number.value_or(0);
  return part_named(parts.allocators, allocator.name)
      .make(size, allocator.of.empty() ? make_arbiter : arbiter_maker(parts, allocator.of.front(), keys), keys);
}

RouterParts standard_parts() {
  return {routing::standard_functions(), standard_selections(), standard_arbiters(), standard_allocators()};
}

void check_parts(const RouterParts& parts) {
  check_part_keys("routing functions", parts.functions);
  check_part_keys("selections", parts.selections);
  check_part_keys("arbiters", parts.arbiters);
  check_part_keys("allocators", parts.allocators);
  for (const AllocatorEntry& entry : parts.allocators)
    if (!entry.channels && !entry.switches)
      throw InputError("starloom: the allocator " + entry.name +
                       " gives neither channels nor the switch; set channels or switches of its entry");
}

}  // namespace starloom
