#include "controllers/data_sum/data_sum_algorithm.hpp"

#include "controllers/data_sum/data_sum.hpp"

namespace starloom {

DataSumAlgorithm::DataSumAlgorithm(const StarContext& context) : StarAlgorithm(context.pops) {
  require_packets_at_once(context);
  const std::vector<Packet>& packets = context.packets;
  bool all = packets.size() == static_cast<std::size_t>(pops().nodes());
  for (std::size_t p = 0; all && p < packets.size(); ++p)
    all = packets[p].source == static_cast<NodeId>(p) && packets[p].destination == 0;
  if (!all)
    throw UnservedPackets(
        "data-sum takes a value from every processor to processor 0; use traffic: {pattern: hot-spot, targets: [0]}");
  for (NodeId node = 0; node < pops().nodes(); ++node) values_.push_back(node);
}

StarCrew DataSumAlgorithm::make_crew() const {
  const auto program = std::make_shared<const DataSumProgram>(pops());
  return {
      {1, 0, program->slots()},
      make_controllers(
          pops(), [&](NodeId node) { return DataSumController(*program, values_[static_cast<std::size_t>(node)]); }),
      program};
}

void DataSumAlgorithm::read_out(const StarControllers& controllers, StarRecord& record) const {
  record.sum = static_cast<const DataSumController&>(controllers.at(0)).sum();
}

std::optional<StarCost> DataSumAlgorithm::expected_cost() const {
  return StarCost{static_cast<double>(DataSumProgram(pops()).slots()), 0, 1, 0};
}

std::map<std::string, double> DataSumAlgorithm::bounds() const {
  return {{"slots", static_cast<double>(DataSumProgram(pops()).slots())}};
}

std::map<std::string, double> DataSumAlgorithm::figures(const StarRecord& run) const {
  auto figures = StarAlgorithm::figures(run);
  if (run.sum) figures["sum"] = static_cast<double>(*run.sum);
  return figures;
}

AlgorithmEntry data_sum_entry() {
  return star_entry<DataSumAlgorithm>("data-sum", "the sum of all processors' numbers in processor 0");
}

}  // namespace starloom
