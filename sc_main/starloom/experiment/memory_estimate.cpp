// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/memory_estimate.hpp>

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include <starloom/message/pops/randomized_model.hpp>
#include <starloom/support/control_group.hpp>

namespace starloom {
namespace {

// Measured on square meshes: 180 x 180 with 128,880 links takes 300 MB.
constexpr double bytes_per_node = 3000;
constexpr double bytes_per_link = 1600;

// Measured: an empty run takes 18 MB, and 1,020,000 packets of an open loop on 16 x 16 nodes 100 MB more.
constexpr double bytes_of_program = 18e6;
constexpr double bytes_per_packet = 100;
// 1,000 steps of 64 x 64 nodes at 15 times the capacity of the links: 3,800,000 packets wait, 690 MB more.
constexpr double bytes_per_waiting_packet = 180;

// 16 x 16 and 32 x 32 routers with 2 to 204 channels per port and 4 to 255 flits per channel: 23 MB to 1.3 GB.
constexpr double bytes_per_channel = 570;
constexpr double bytes_per_slot = 16;
constexpr int most_channels_in_a_word = 64;
constexpr double bytes_per_channel_of_many = 210;  ///< additional, if the channels of a router need sets of any size
// 1,008 hosts below switches of 48 ports, 1,024 below one switch.
constexpr double bytes_per_channel_of_terminal = 350;
// Per step of the latency of a link: masks of the arrivals and credits of a router, registers of links.
constexpr double bytes_per_step_of_router = 33, bytes_per_step_of_many = 225;
constexpr double bytes_per_step_of_node = 17, bytes_per_step_of_port = 32;

// The models of POPS networks on full permutations: their tables, and the destinations of packets. Measured:
// `randomized` 13 to 20 bytes per processor, 62 if drivers are counted, `offline` 50 for its colouring.
constexpr double bytes_per_processor = 16;
constexpr double bytes_per_checked_processor = 45;  ///< additional, if drivers are counted
constexpr double bytes_per_coupler = 1;
// The netlist of POPS networks. Measured: POPS(256,256) takes 220 MB.
constexpr double bytes_per_star_processor = 2500;
constexpr double bytes_per_star = 750;

double array_bytes(double processors, double couplers) {
  const double checked = processors <= pops::checked_nodes ? bytes_per_checked_processor : 0;
  return processors * (bytes_per_processor + checked) + couplers * bytes_per_coupler;
}

double netlist_bytes(const Pops& pops, double table_bytes) {
  return pops.nodes() * bytes_per_star_processor + static_cast<double>(pops.couplers()) * bytes_per_star + table_bytes;
}

/// The number after a name in a file of lines `name number`, as the kernel writes them.
std::optional<double> named_number(const std::string& file, const std::string& wanted) {
  std::ifstream stream(file);
  for (std::string name; stream >> name;) {
    double number = 0;
    if (name == wanted && stream >> number) return number;
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// The memory that the machine can provide without swapping.
std::optional<double> unused_memory() {
  const auto kilobytes = named_number("/proc/meminfo", "MemAvailable:");
  return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

/// Below `ulimit -v`.
std::optional<double> unused_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const auto kilobytes = named_number("/proc/self/status", "VmSize:");
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - kilobytes.value_or(0) * 1024);
}

/// The number in the first of two files that has one: the name in version 2 of control groups, and in version 1.
std::optional<double> number_in(const std::filesystem::path& folder, const char* version_2, const char* version_1) {
  for (const char* const name : {version_2, version_1}) {
    double value = 0;
    if (std::ifstream(folder / name) >> value) return value;  // `max`: no limit
  }
  return std::nullopt;
}

/// Below the limits of this process's control group and its ancestors. File caches count as unused.
std::optional<double> unused_in_control_group() {
  std::optional<double> least;
  for (const std::filesystem::path& group : control_groups("memory")) {
    const auto limit = number_in(group, "memory.max", "memory.limit_in_bytes");
    const auto used = number_in(group, "memory.current", "memory.usage_in_bytes");
    if (!limit || !used) continue;
    const double files = named_number((group / "memory.stat").string(), "inactive_file").value_or(0);
    const double unused = std::max(0.0, *limit - *used + files);
    if (!least || unused < *least) least = unused;
  }
  return least;
}

std::string megabytes(double bytes) {
  return bytes < 10e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.0f} GB", bytes / 1e9);
}

}  // namespace

double needed_bytes(const NetworkSize& size) { return size.nodes * bytes_per_node + size.links * bytes_per_link; }

double run_bytes(const NetworkSize& size, double arrived, double waiting) {
  return bytes_of_program + needed_bytes(size) + arrived * bytes_per_packet + waiting * bytes_per_waiting_packet;
}

double router_bytes(double routers, double terminals, int channels, int slots) {
  const double more = channels > most_channels_in_a_word ? bytes_per_channel_of_many : 0;
  return routers * channels * (bytes_per_channel + more + slots * bytes_per_slot) +
         terminals * channels * bytes_per_channel_of_terminal;
}

double flight_bytes(double nodes, int ports, std::int32_t latency, int channels) {
  constexpr double counted = 2;  // of latency 1, in the bytes of nodes and channels
  double steps = counted;
  while (steps <= latency) steps *= 2;
  const double of_router = channels > most_channels_in_a_word ? bytes_per_step_of_many : bytes_per_step_of_router;
  return (steps - counted) * nodes *
         (channels == 0 ? bytes_per_step_of_node + ports * bytes_per_step_of_port : of_router);
}

double pops::run_bytes(const Pops& pops, double table_bytes, bool hardware) {
  return bytes_of_program + (hardware ? netlist_bytes(pops, table_bytes)
                                      : array_bytes(pops.nodes(), static_cast<double>(pops.couplers())));
}

std::optional<double> available_bytes() {
  std::optional<double> least = unused_memory();
  for (const auto& other : {unused_address_space(), unused_in_control_group()})
    if (other && (!least || *other < *least)) least = other;
  return least;
}

std::optional<ConfigError> network_error(const TopologyEntry& topology, const KeyValues& keys,
                                         const std::function<std::optional<double>()>& available) try {
  NetworkSize size = topology.size(keys);
  const double subnets = keys.has("subnets") ? static_cast<double>(keys.integer("subnets")) : 1;
  size.nodes *= subnets;
  size.links *= subnets;
  const double needed = topology.has_couplers() ? array_bytes(size.nodes, size.links) : needed_bytes(size);
  const auto bytes = needed > bytes_of_program ? available() : std::nullopt;
  if (bytes && needed > *bytes)
    return ConfigError(
        topology.sized_by,
        fmt::format("this network needs about {} of memory, and {} are available; choose a smaller {}",
                    megabytes(needed), megabytes(*bytes), topology.sized_by.empty() ? "one" : topology.sized_by));
  if (!size.refusal.empty()) return ConfigError(topology.sized_by, size.refusal);
  return std::nullopt;
} catch (const ConfigError& error) {
  return error;
}

std::optional<std::string> pops::netlist_error(const Pops& pops, double table_bytes, std::optional<double> available) {
  const double needed = netlist_bytes(pops, table_bytes);
  if (!available || needed <= *available) return std::nullopt;
  return fmt::format(
      "the netlist needs about {} of memory, and {} are available; choose a smaller network, or model: message",
      megabytes(needed), megabytes(*available));
}

}  // namespace starloom
