// SPDX-License-Identifier: Apache-2.0
/// \file The fabric of this project on the same workload.
#include <starloom/fabric/links/network.hpp>
#include "bench/child.hpp"
#include "bench/workload.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"

namespace starloom::bench {
namespace {

class RunSteps final : public links::RunController {
 public:
  explicit RunSteps(Step steps) : steps_(steps) {}
  bool before_step(Step next, links::Engine&) override { return next != no_step && next < steps_; }

 private:
  Step steps_;
};

/// Hands out a list that is in order already.
class OrderedList final : public PacketSource {
 public:
  explicit OrderedList(const std::vector<Packet>& packets) : packets_(packets) {}
  void generate(Step, Step to, std::vector<Packet>& out) override {
    while (next_ < packets_.size() && packets_[next_].created < to) out.push_back(packets_[next_++]);
  }
  Step next_creation(Step) const override { return next_ < packets_.size() ? packets_[next_].created : no_step; }

 private:
  const std::vector<Packet>& packets_;
  std::size_t next_ = 0;
};

}  // namespace

Timed run_fabric(const Workload& workload, links::StepObserver* observer) {
  Timed timed;
  const double begin = cpu_seconds();
  const Grid mesh = Grid::mesh({workload.side, workload.side});
  const auto greedy = links::named_algorithm("greedy", mesh, {{"discipline", std::string("fifo")}});
  links::NetworkOptions options;
  options.count_memory = false;
  auto* network = new links::Network("network", network_of(mesh), *greedy, options);  // owned to the end of the process
  OrderedList source(workload.packets);
  RunSteps controller(workload.steps);
  network->fabric.set_source(&source, workload.steps);
  network->fabric.set_run_controller(&controller);
  network->fabric.set_observer(observer);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  timed.build_seconds = cpu_seconds() - begin;
  const double start = cpu_seconds();
  sc_core::sc_start();
  timed.seconds = cpu_seconds() - start;
  const links::RunRecord& record = network->fabric.engine().record();
  timed.tally.hops = record.flit_hops;
  for (std::size_t p = 0; p < record.packets.size(); ++p)
    if (record.delivered[p] != no_step)
      timed.tally.deliver(static_cast<PacketId>(p), record.packets[p].created, record.delivered[p]);
  return timed;
}

}  // namespace starloom::bench
