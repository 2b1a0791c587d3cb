// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/data_sum/data_sum_algorithm.hpp>

#include <starloom/algorithms/data_sum/data_sum.hpp>

namespace starloom::pops {
namespace {

Rules data_sum_rules(const Pops& /*pops*/, const KeyValues& /*keys*/) {
  Rules rules;
  rules.arrival = Rules::Arrival::summed;
  return rules;
}

}  // namespace

DataSumAlgorithm::DataSumAlgorithm(const AlgorithmContext& context) : Algorithm(context.pops) {
  require_packets_at_once(context);
  const Packets& packets = context.packets;
  bool all = packets.size() == static_cast<std::size_t>(pops().nodes());
  for (std::size_t p = 0; all && p < packets.size(); ++p)
    all = packets[p].source == static_cast<NodeId>(p) && packets[p].destination == 0;
  if (!all)
    throw UnservedPackets(
        "data-sum sends a value from every processor to processor 0; use traffic: {pattern: hot-spot, targets: [0]}");
  for (NodeId node = 0; node < pops().nodes(); ++node) values_.push_back(node);
}

ControllerSetup DataSumAlgorithm::make_controllers() const {
  const auto program = std::make_shared<const DataSumProgram>(pops());
  return {
      {1, 0, program->slots()},
      controllers_for(
          pops(), [&](NodeId node) { return DataSumController(*program, values_[static_cast<std::size_t>(node)]); }),
      program};
}

void DataSumAlgorithm::read_out(const ControllerArray& controllers, RunRecord& record) const {
  record.sum = static_cast<const DataSumController&>(controllers.at(0)).sum();
}

std::optional<Cost> DataSumAlgorithm::expected_cost() const {
  return Cost{static_cast<double>(DataSumProgram(pops()).slots()), 0, 1, 0};
}

std::map<std::string, double> DataSumAlgorithm::bounds() const {
  return {{"slots", static_cast<double>(DataSumProgram(pops()).slots())}};
}

std::map<std::string, double> DataSumAlgorithm::metrics(const RunRecord& run) const {
  auto metrics = Algorithm::metrics(run);
  if (run.sum) metrics["sum"] = static_cast<double>(*run.sum);
  return metrics;
}

std::vector<MetricSpec> DataSumAlgorithm::declared_metrics() {
  auto metrics = Algorithm::declared_metrics();
  metrics.push_back(
      integer_metric("sum", "", "sum of the numbers of all processors").only("the schedule was completed"));
  return metrics;
}

AlgorithmEntry data_sum_entry() {
  return entry_of<DataSumAlgorithm>("data-sum", "adds the numbers of all processors into processor 0", data_sum_rules,
                                    slots_bound());
}

}  // namespace starloom::pops
