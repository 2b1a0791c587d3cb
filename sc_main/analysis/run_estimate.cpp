#include "analysis/run_estimate.hpp"

namespace starloom {
namespace {

constexpr double seconds_per_module = 2.2e-6;

double seconds_per_hop(StorageModel storage) {
  switch (storage) {
    case StorageModel::store_and_forward: return 85e-9;
    case StorageModel::virtual_channels: return 220e-9;
    case StorageModel::links_only: return 140e-9;
    case StorageModel::never_standing: break;
  }
  return 150e-9;
}

}  // namespace

double estimated_seconds(const Topology& topology, const Declaration& declaration, double flit_hops) {
  const auto links = static_cast<double>(topology.links());
  const double buffers = declaration.buffers == BufferSide::none ? 0 : links * declaration.channels;
  return (topology.nodes() + links + buffers) * seconds_per_module + flit_hops * seconds_per_hop(declaration.storage);
}

}  // namespace starloom
