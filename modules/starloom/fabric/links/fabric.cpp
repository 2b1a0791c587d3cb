// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/links/fabric.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

void check_bindings(const Node& node) {
  const auto check = [](const sc_core::sc_object& port, int bound, const PortList& list, const char* what) {
    const auto wanted = static_cast<int>(list.numbers.size());
    if (bound == wanted) return;
    const std::string which = bound < wanted
                                  ? ": port " + list.names[static_cast<std::size_t>(bound)] + " is not bound to a link"
                                  : ": one binding too many";
    netlist_error(std::string(port.name()) + " has " + std::to_string(bound) + " of its " + std::to_string(wanted) +
                  " " + what + " links" + which);
  };
  check(node.out, node.out.size(), node.out_ports(), "outgoing");
  check(node.in, node.in.size(), node.in_ports(), "incoming");
}

}  // namespace

Fabric::Fabric(const sc_core::sc_module_name& name, Setup setup, const sc_core::sc_time& period)
    : StepClock(name, period), setup_(setup) {}

Wiring Fabric::compile_bindings() const {
  const NetworkGraph& graph = setup_.network->graph;
  Wiring wiring(graph.nodes(), graph.ports());
  std::vector<const Node*> by_id(static_cast<std::size_t>(wiring.nodes), nullptr);
  std::vector<std::pair<const Link*, Wiring::End>> readers;
  for (Node* node : nodes_) {
    if (node->id() < 0 || node->id() >= wiring.nodes || by_id[static_cast<std::size_t>(node->id())] != nullptr)
      netlist_error(std::string(node->name()) + " has number " + std::to_string(node->id()) +
                    ", which is not free in this network");
    by_id[static_cast<std::size_t>(node->id())] = node;
    if (node->role() == NodeRole::switch_node) {
      wiring.switches.resize(static_cast<std::size_t>(wiring.nodes), false);
      wiring.switches[static_cast<std::size_t>(node->id())] = true;
    }
    check_bindings(*node);
    for (int k = 0; k < node->in.size(); ++k)
      readers.emplace_back(&node->in[k]->link_read(),
                           Wiring::End{node->id(), node->in_ports().numbers[static_cast<std::size_t>(k)]});
  }
  for (NodeId id = 0; id < wiring.nodes; ++id)
    if (by_id[static_cast<std::size_t>(id)] == nullptr) netlist_error("there is no module for " + graph.node_name(id));

  std::sort(readers.begin(), readers.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  for (std::size_t i = 1; i < readers.size(); ++i)
    if (readers[i].first == readers[i - 1].first)
      netlist_error(std::string(readers[i].first->name()) + " is read by two in-ports");
  for (Node* node : nodes_)
    for (int k = 0; k < node->out.size(); ++k) {
      const Link& link = node->out[k]->link_written();
      const Wiring::End from{node->id(), node->out_ports().numbers[static_cast<std::size_t>(k)]};
      const auto reader = std::lower_bound(readers.begin(), readers.end(), &link,
                                           [](const auto& a, const Link* b) { return std::less<>()(a.first, b); });
      if (reader == readers.end() || reader->first != &link)
        netlist_error(std::string(link.name()) + " leads to no in-port");
      if (wiring.in[wiring.index(reader->second.node, reader->second.port)].connected())
        netlist_error(std::string(link.name()) + " is written by two out-ports");
      wiring.connect(from, reader->second, link.timing());
    }
  return wiring;
}

int Fabric::usable_threads() const {
  if (setup_.threads <= 1) return 1;
  std::string why;
  for (const Node* node : nodes_) {
    if (!why.empty()) break;
    if (!node->runs_in_any_thread()) why = std::string(node->name()) + " acts in SystemC";
    for (const auto& buffer : node->buffers())
      if (buffer != nullptr && !buffer->is_plain()) why = std::string(buffer->name()) + " is watched";
  }
  if (why.empty()) return std::min<int>(setup_.threads, setup_.network->graph.nodes());
  SC_REPORT_WARNING(threads_report,
                    ("the network runs in one thread, not " + std::to_string(setup_.threads) + ": " + why).c_str());
  return 1;
}

void Fabric::start_of_simulation() {
  EngineSetup setup;
  setup.network = setup_.network;
  setup.declaration = setup_.declaration;
  setup.wiring = compile_bindings();
  setup.controllers.resize(static_cast<std::size_t>(setup.wiring.nodes));
  for (Node* node : nodes_) setup.controllers[static_cast<std::size_t>(node->id())] = &node->controller();
  setup.seed = setup_.seed;
  setup.count_memory = setup_.count_memory;
  setup.shuffle = setup_.shuffle;
  setup.wake_all = setup_.wake_all;
  setup.stall_rate = setup_.stall_rate;
  setup.threads = usable_threads();
  setup.step_sink = step_sink_;
  setup.unreachable = setup_.unreachable;
  setup.errors = setup_.errors;
  setup.count_events = setup_.count_events;
  engine_ = Engine::make(std::move(setup));
  for (Node* node : nodes_)
    for (std::size_t b = 0; b < node->buffers().size(); ++b)
      if (node->buffers()[b] != nullptr) node->buffers()[b]->attach(*engine_, node->id(), static_cast<std::int32_t>(b));
  engine_->set_sinks(sinks_);
  engine_->set_credit_sinks(credit_sinks_);
  engine_->measure(measured_from_, measured_to_);
  if (observer_ != nullptr) engine_->set_observer(observer_);
  if (!on_created_.empty())
    engine_->on_created([this](const std::vector<Packet>& created) {
      for (const auto& callback : on_created_) callback(created);
    });
  engine_->on_delivered(on_delivered_);
  engine_->set_source(source_, horizon_);
  if (run_controller_ != nullptr) run_controller_->begin();
  schedule_next();
}

Step Fabric::first_step_after(const sc_core::sc_time& time) const {
  return static_cast<Step>(time.value() / period().value()) + 1;
}

void Fabric::notify(Step step) {
  scheduled_ = step;
  if (!clocked()) begin_at(step);
}

void Fabric::schedule_next() {
  scheduled_ = no_step;
  Step next = engine_->next_step();
  if (!calls_.empty()) {
    // Calls of earlier times have been carried out, so with a clock the next edge is the first after the remaining
    // ones.
    const Step called = clocked() ? step_ + 1 : std::max(step_ + 1, first_step_after(calls_.front().at));
    if (next == no_step || called < next) next = called;
  }
  if (run_controller_ != nullptr && !run_controller_->before_step(next, *engine_)) {
    over_ = true;
    end_run();
  } else if (next != no_step && next >= end_of_time()) {
    engine_->stop(next, 0, time_is_over("step"));
    over_ = true;
    end_run();
  } else if (next == no_step) {
    end_run();
  } else {
    notify(next);
  }
}

void Fabric::tick() {
  if (over_) return;
  Step step = scheduled_;
  if (clocked()) {
    step = step_ + 1;
    const bool called = !calls_.empty() && calls_.front().at < sc_core::sc_time_stamp();
    if (step != scheduled_ && !called) {
      step_ = step;
      return;
    }
  }
  run(step);
  if (!over_) schedule_next();
}

void Fabric::run(Step step) {
  step_ = step;
  while (!calls_.empty() && calls_.front().at < sc_core::sc_time_stamp()) {
    const Call call = std::move(calls_.front());  // it may call again
    calls_.pop_front();
    if (call.effect) call.effect(*engine_, step);
    else engine_->create_packet(call.packet);
  }
  // Not before: calls of SystemC processes may have led to an earlier step than the one that was next.
  if (event_reader_ != nullptr) engine_->read_events(*event_reader_, step);
  engine_->run_step(step);
  if (!engine_->stopped()) return;
  over_ = true;
  end_run();
  const Violation& violation = engine_->violation();
  const std::string text = "step " + std::to_string(violation.step) + ": " +
                           setup_.network->graph.node_name(violation.node) + " " + violation.text;
  SC_REPORT_ERROR(contract_report, text.c_str());
}

void Fabric::call(std::function<void(Engine&, Step)> effect) { add({sc_core::sc_time_stamp(), std::move(effect)}); }

void Fabric::add(Call call) {
  calls_.push_back(std::move(call));
  if (engine_ == nullptr || over_ || clocked()) return;
  const Step step = std::max(step_ + 1, first_step_after(sc_core::sc_time_stamp()));
  if (scheduled_ == no_step || step < scheduled_) notify(step);
}

void Fabric::end() {
  if (over_) return;
  over_ = true;
  end_run();
}

void Fabric::create_packet(const Packet& packet) {
  const NetworkGraph& graph = setup_.network->graph;
  const auto refuse = [](const std::string& text) { SC_REPORT_ERROR(contract_report, text.c_str()); };
  for (const NodeId node : {packet.source, packet.destination}) {
    if (node < 0 || node >= graph.nodes_of_subnet())
      return refuse("a packet from outside names node " + std::to_string(node) + ", but the nodes are 0 to " +
                    std::to_string(graph.nodes_of_subnet() - 1));
    if (graph.role(node) == NodeRole::switch_node)
      return refuse("a packet from outside names " + graph.node_name(node) + ", which is a switch, not a processor");
  }
  add({sc_core::sc_time_stamp(), nullptr, packet});
}

}  // namespace starloom::links
