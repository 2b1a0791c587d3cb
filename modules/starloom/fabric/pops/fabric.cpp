// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/pops/fabric.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace starloom::pops {
namespace {

/// The modules that many ports bind to, numbered in the order of their registration; for lookup, not for iteration.
template <class Module>
std::map<const Module*, std::int32_t> numbered(const std::vector<Module*>& modules) {
  std::map<const Module*, std::int32_t> numbers;
  for (std::size_t i = 0; i < modules.size(); ++i) numbers[modules[i]] = static_cast<std::int32_t>(i);
  return numbers;
}

template <class Module>
std::int32_t number_of(const std::map<const Module*, std::int32_t>& numbers, const Module& module) {
  const auto found = numbers.find(&module);
  if (found == numbers.end()) netlist_error(std::string(module.name()) + " was not added to the fabric");
  return found->second;
}

void check_bindings(const sc_core::sc_object& port, int bound, std::int32_t groups, const char* direction) {
  if (bound == groups) return;
  const std::string which =
      bound < groups ? ": the coupler " + std::string(direction) + " group " + std::to_string(bound) + " is missing"
                     : ": one binding too many";
  netlist_error(std::string(port.name()) + " is bound to " + std::to_string(bound) + " of " + std::to_string(groups) +
                " couplers" + which);
}

void check_port(const sc_core::sc_object& port, int bound, const char* what) {
  if (bound == 0) netlist_error(std::string(port.name()) + " is not bound to " + what);
}

}  // namespace

Wiring Fabric::compile_bindings(std::vector<PassiveStar*>& stars) const {
  const std::int32_t groups = setup_.pops->groups();
  const auto g = static_cast<std::size_t>(groups);
  Wiring wiring;
  wiring.groups = groups;
  if (rows_.size() != g || columns_.size() != g)
    netlist_error(std::string(name()) + " has " + std::to_string(rows_.size()) + " transmit rows and " +
                  std::to_string(columns_.size()) + " receive columns for " + std::to_string(groups) + " groups");

  // Couplers are numbered in the rows that drive them.
  stars.reserve(g * g);
  for (TransmitRow* row : rows_) {
    check_bindings(row->couplers, row->couplers.size(), groups, "to");
    for (int k = 0; k < row->couplers.size(); ++k) stars.push_back(&row->couplers[k]->driven());
  }
  std::vector<std::pair<const PassiveStar*, std::int32_t>> driven;
  driven.reserve(stars.size());
  for (const PassiveStar* star : stars) driven.emplace_back(star, static_cast<std::int32_t>(driven.size()));
  std::sort(driven.begin(), driven.end(), [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  for (std::size_t i = 1; i < driven.size(); ++i)
    if (driven[i].first == driven[i - 1].first)
      netlist_error(std::string(driven[i].first->name()) + " is driven through two bindings");
  std::vector<bool> has_column(stars.size(), false);
  wiring.sampled.reserve(stars.size());
  for (ReceiveColumn* column : columns_) {
    check_bindings(column->couplers, column->couplers.size(), groups, "from");
    for (int k = 0; k < column->couplers.size(); ++k) {
      const PassiveStar* star = &column->couplers[k]->sampled();
      const auto found = std::lower_bound(driven.begin(), driven.end(), star, [](const auto& a, const PassiveStar* b) {
        return std::less<>()(a.first, b);
      });
      if (found == driven.end() || found->first != star)
        netlist_error(std::string(star->name()) + " is driven by no transmit row");
      if (has_column[static_cast<std::size_t>(found->second)])
        netlist_error(std::string(star->name()) + " is sampled through two bindings");
      has_column[static_cast<std::size_t>(found->second)] = true;
      wiring.sampled.push_back(found->second);
    }
  }
  for (const PassiveStar* star : stars) {
    wiring.dark.push_back(!star->carries(1));
    wiring.first_wins.push_back(star->carries(2));
  }

  const auto row_numbers = numbered(rows_);
  const auto column_numbers = numbered(columns_);
  wiring.row_of.assign(static_cast<std::size_t>(setup_.pops->nodes()), -1);
  wiring.column_of = wiring.row_of;
  for (Processor* processor : processors_) {
    const NodeId id = processor->id();
    if (id < 0 || id >= setup_.pops->nodes() || wiring.row_of[static_cast<std::size_t>(id)] >= 0)
      netlist_error(std::string(processor->name()) + " has number " + std::to_string(id) +
                    ", which is not free in this network");
    if (&processor->controller() != &setup_.controllers->at(id))
      netlist_error(std::string(processor->name()) + " has a controller that is not one of the network's");
    check_port(processor->transmit, processor->transmit.size(), "a transmit row");
    check_port(processor->receive, processor->receive.size(), "a receive column");
    wiring.row_of[static_cast<std::size_t>(id)] = number_of(row_numbers, processor->transmit->row());
    wiring.column_of[static_cast<std::size_t>(id)] = number_of(column_numbers, processor->receive->column());
  }
  for (NodeId id = 0; id < setup_.pops->nodes(); ++id)
    if (wiring.row_of[static_cast<std::size_t>(id)] < 0)
      netlist_error("there is no module for " + setup_.pops->node_name(id));
  return wiring;
}

void Fabric::start_of_simulation() {
  std::vector<PassiveStar*> stars;
  EngineSetup setup;
  setup.pops = setup_.pops;
  setup.wiring = compile_bindings(stars);
  setup.controllers = setup_.controllers;
  setup.program = setup_.program;
  setup.destination = setup_.destination;
  setup.seed = setup_.seed;
  setup.shuffle = setup_.shuffle;
  setup.threads = setup_.threads;
  setup.checker = checker_;
  engine_ = std::make_unique<Engine>(std::move(setup));
  for (std::size_t i = 0; i < stars.size(); ++i) stars[i]->attach(*engine_, i);
  engine_->set_sinks(sinks_);
  if (!clocked()) begin_at(0);
}

void Fabric::tick() {
  if (over_) return;
  ++slot_;
  over_ =
      engine_->program_over(slot_) || (run_controller_ != nullptr && !run_controller_->before_slot(slot_, *engine_));
  if (over_) engine_->run_last_look(slot_);
  else engine_->run_slot(slot_);
  if (!over_ && slot_ + 1 >= end_of_time()) engine_->stop(slot_ + 1, 0, time_is_over("slot"));
  if (engine_->stopped()) over_ = true;
  if (!over_) {
    if (observer_ != nullptr) observer_->show(slot_, *engine_);
    if (!clocked()) begin_at(slot_ + 1);
    return;
  }
  engine_->finish();
  end_run();
  if (!engine_->stopped()) return;
  const Violation& violation = engine_->violation();
  const std::string text = violation.located ? violation.text
                                             : "slot " + std::to_string(violation.step) + ": " +
                                                   setup_.pops->node_name(violation.node) + " " + violation.text;
  SC_REPORT_ERROR(contract_report, text.c_str());
}

}  // namespace starloom::pops
