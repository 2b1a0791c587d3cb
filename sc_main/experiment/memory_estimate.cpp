#include <starloom/experiment/memory_estimate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <starloom/message/pops/randomized_model.hpp>

namespace starloom {
namespace {

// Measured on square meshes: 180 x 180 with 128,880 links takes 300 MB.
constexpr double bytes_per_node = 3000;
constexpr double bytes_per_link = 1600;

// Measured: an empty run takes 18 MB, and 1,020,000 packets of an open loop on 16 x 16 nodes 100 MB more.
constexpr double bytes_of_program = 18e6;
constexpr double bytes_per_packet = 100;

// The models of POPS networks: their tables, and the lists of packets around them. Measured: 70 to 93 bytes.
constexpr double bytes_per_processor = 95;
constexpr double bytes_per_checked_processor = 20;  ///< more, where drivers are counted
constexpr double bytes_per_coupler = 8;
// The netlist of POPS networks. Measured: POPS(256,256) takes 220 MB.
constexpr double bytes_per_star_processor = 2500;
constexpr double bytes_per_star = 750;
constexpr auto most_couplers = static_cast<double>(Pops::most_couplers);
constexpr double most_processors = 1 << 30;

double array_bytes(double processors, double couplers) {
  const double checked = processors <= pops::checked_nodes ? bytes_per_checked_processor : 0;
  return processors * (bytes_per_processor + checked) + couplers * bytes_per_coupler;
}

double netlist_bytes(const Pops& pops, double table_bytes) {
  return pops.nodes() * bytes_per_star_processor + static_cast<double>(pops.couplers()) * bytes_per_star + table_bytes;
}

std::string megabytes(double bytes) {
  return bytes < 10e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.0f} GB", bytes / 1e9);
}

}  // namespace

double needed_bytes(TopologyKind kind, const std::vector<std::int64_t>& shape) {
  double nodes = 1;
  double links_per_node = 0;
  for (const std::int64_t side : shape) {
    const auto n = static_cast<double>(side);
    nodes *= n;
    links_per_node += kind == TopologyKind::torus ? (side > 1 ? 2 : 0) : 2 * (n - 1) / n;
  }
  return nodes * (bytes_per_node + links_per_node * bytes_per_link);
}

double run_bytes(TopologyKind kind, const std::vector<std::int64_t>& shape, double packets) {
  return bytes_of_program + needed_bytes(kind, shape) + packets * bytes_per_packet;
}

double pops::run_bytes(const Pops& pops, double table_bytes, bool hardware) {
  return bytes_of_program + (hardware ? netlist_bytes(pops, table_bytes)
                                      : array_bytes(pops.nodes(), static_cast<double>(pops.couplers())));
}

std::optional<double> available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    double kilobytes = 0;
    if (name == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

std::optional<std::string> shape_fault(TopologyKind kind, const std::vector<std::int64_t>& shape,
                                       std::optional<double> available) {
  if (shape.empty() || 2 * shape.size() > max_ports)
    return fmt::format("a grid has 1 to {} dimensions, not {}", max_ports / 2, shape.size());
  const double needed = needed_bytes(kind, shape);
  if (available && needed > *available)
    return fmt::format("this network needs about {} of memory, and {} are available; choose a smaller shape",
                       megabytes(needed), megabytes(*available));
  double nodes = 1;
  for (const std::int64_t side : shape) nodes *= static_cast<double>(side);
  // Ids of nodes, and of their ports, are 32 bits wide.
  const double most = std::min(1073741824.0, 2147483647.0 / (2.0 * static_cast<double>(shape.size())));
  if (nodes > most)
    return fmt::format("a grid of {} dimensions has at most {:.0f} nodes, not {:.0f}", shape.size(), std::floor(most),
                       nodes);
  return std::nullopt;
}

std::optional<std::string> pops::size_fault(std::int64_t groups, std::int64_t group_size,
                                            std::optional<double> available) {
  const auto g = static_cast<double>(groups);
  const double processors = g * static_cast<double>(group_size);
  if (processors > most_processors)
    return fmt::format("a POPS network has at most {:.0f} processors, not {:.0f}", most_processors, processors);
  if (g * g > most_couplers)
    return fmt::format("{} groups have {:.0f} couplers, and {:.0f} is the most; choose fewer groups", groups, g * g,
                       most_couplers);
  const double needed = array_bytes(processors, g * g);
  if (available && needed > *available)
    return fmt::format("this network needs about {} of memory, and {} are available; choose a smaller one",
                       megabytes(needed), megabytes(*available));
  return std::nullopt;
}

std::optional<std::string> pops::netlist_fault(const Pops& pops, double table_bytes, std::optional<double> available) {
  const double needed = netlist_bytes(pops, table_bytes);
  if (!available || needed <= *available) return std::nullopt;
  return fmt::format(
      "the netlist needs about {} of memory, and {} are available; choose a smaller network, or model: message",
      megabytes(needed), megabytes(*available));
}

}  // namespace starloom
