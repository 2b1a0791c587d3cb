// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/network_graph_builder.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/topology/default_positions.hpp>
#include <starloom/topology/network_laws.hpp>

namespace starloom {
namespace {

/// The same table with more entries per node.
template <class T>
void restride(std::vector<T>& table, int from, int to, T nothing) {
  if (table.empty()) return;
  const auto before = static_cast<std::size_t>(from), after = static_cast<std::size_t>(to);
  std::vector<T> moved(table.size() / before * after, nothing);
  for (std::size_t row = 0; row < table.size() / before; ++row)
    std::copy_n(table.begin() + static_cast<std::ptrdiff_t>(row * before), std::min(before, after),
                moved.begin() + static_cast<std::ptrdiff_t>(row * after));
  table = std::move(moved);
}

/// The greatest entry of links; the table is dropped if all links have it.
std::int32_t greatest_entry(std::vector<std::int32_t>& table) {
  std::int32_t greatest = 0;
  bool same = true;
  for (const std::int32_t entry : table) {
    if (entry == 0) continue;  // no link
    same = same && (greatest == 0 || entry == greatest);
    greatest = std::max(greatest, entry);
  }
  if (same) table = {};
  return std::max(1, greatest);
}

/// The greatest latency of a side wire; the table of phits is dropped if links have no others than 1, and that of
/// periods.
std::int32_t greatest_wire_cycles(NetworkTables& tables) {
  std::int32_t greatest = 1, most_phits = 1;
  for (std::size_t link = 0; link < tables.out.size(); ++link) {
    const std::int32_t phits = tables.phits.empty() ? 1 : tables.phits[link];
    const std::size_t node = link / static_cast<std::size_t>(tables.ports);
    const std::int32_t period = tables.period.empty() ? 1 : tables.period[node];
    greatest = std::max(greatest, tables.latency[link] / period - (phits - 1));
    most_phits = std::max(most_phits, phits);
  }
  if (most_phits == 1) tables.phits = {};
  if (std::all_of(tables.period.begin(), tables.period.end(), [](std::int32_t period) { return period == 1; }))
    tables.period = {};
  return greatest;
}

/// An identifier as similar to a refused name as possible.
std::string mended(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (!is_identifier(std::string{'_', c})) c = '_';
  return is_identifier(text) ? text : "node_" + text;
}

/// [node, word of PortSet] the ports with an entry in a table of links.
std::vector<PortMask> connected_ports(const NetworkTables& tables, const std::vector<LinkEnd>& ends) {
  const std::size_t words = PortSet::words_for(tables.ports);
  std::vector<PortMask> masks(static_cast<std::size_t>(tables.nodes) * words);
  for (NodeId node = 0; node < tables.nodes; ++node)
    for (Port port = 0; port < tables.ports; ++port)
      if (ends[tables.index(node, port)].connected())
        masks[static_cast<std::size_t>(node) * words + PortSet::word_of(port)] |= PortSet::bit_of(port);
  return masks;
}

}  // namespace

NetworkGraphBuilder::NetworkGraphBuilder() : tables_(std::make_shared<NetworkTables>()) {
  tables_->port_names.resize(1);  // `numbered_ports`
}

NetworkGraphBuilder::NetworkGraphBuilder(const NetworkGraph& network)
    : tables_(std::make_shared<NetworkTables>(*network.tables_)) {
  NetworkTables& t = *tables_;
  needed_ports_ = t.ports;
  for (NodeId node = 0; node < t.nodes; ++node) roles_.push_back(network.role(node));
  for (std::vector<std::int32_t>* table : {&t.latency, &t.interval}) {
    if (!table->empty()) continue;
    const std::int32_t all = table == &t.latency ? t.greatest_latency : t.greatest_interval;
    for (const LinkEnd& to : t.out) table->push_back(to.connected() ? all : 0);
  }
}

PortNaming NetworkGraphBuilder::name_ports(std::vector<std::string> out, std::vector<std::string> in) {
  tables_->port_names.push_back({std::move(out), std::move(in)});
  return {static_cast<std::uint32_t>(tables_->port_names.size() - 1)};
}

NodeId NetworkGraphBuilder::add_node(NodeRole role, std::string_view name, std::optional<PaperPosition> position,
                                     PortNaming ports) {
  NetworkTables& t = *tables_;
  const NodeId node = t.nodes;
  const auto here = [&] { return "node " + std::to_string(node); };
  if (!is_identifier(name))
    throw InputError(here() + ": its name '" + escape(name) +
                     "' is not made of letters, digits and _ with no digit first; " + mended(name) + " would do");
  if (position && !(std::isfinite(position->x) && std::isfinite(position->y)))
    throw InputError(here() + " (" + std::string(name) + "): its place in pictures is not a pair of finite numbers");
  const NetworkTables::PortNames& names = t.port_names.at(ports.number);
  const std::size_t most = std::max(names.out.size(), names.in.size());
  if (most > max_ports)
    throw InputError(here() + " (" + std::string(name) + ") has " + std::to_string(most) +
                     " ports, but a node has at most " + std::to_string(max_ports) +
                     " on a side; spread its links over several switches");
  widen(node + 1, std::max(1, static_cast<int>(most)));
  ++t.nodes;
  t.names += name;
  t.name_end.push_back(t.names.size());
  t.port_naming.push_back(ports.number);
  t.positions.push_back(position.value_or(PaperPosition{}));
  roles_.push_back(role);
  if (!position) unplaced_.push_back(node);
  return node;
}

void NetworkGraphBuilder::add_link(LinkEnd from, LinkEnd to, LinkTiming timing) {
  NetworkTables& t = *tables_;
  from = with_port(Side::out, from);
  to = with_port(Side::in, to);
  if (!exists(Side::out, from)) refuse_end(Side::out, from, "a link");
  // Called only for a link that is refused: networks have millions of links.
  const auto link = [&] { return "the link from " + located(Side::out, from); };
  if (!exists(Side::in, to)) refuse_end(Side::in, to, link());
  if (from.node == to.node) throw InputError(link() + " leads back to its own node; links join two nodes");
  require_timing(from, timing);
  if (const LinkEnd other = behind(Side::out, from); other.connected())
    throw InputError(located(Side::out, from) + " already has a link to " + located(Side::in, other) + "; " +
                     free_port_advice(Side::out, from.node));
  if (const LinkEnd other = behind(Side::in, to); other.connected())
    throw InputError(link() + " enters " + located(Side::in, to) + ", where one from " + located(Side::out, other) +
                     " already enters; " + free_port_advice(Side::in, to.node));
  widen(t.nodes, std::max(from.port, to.port) + 1);
  fill_tables();
  const std::size_t out = t.index(from.node, from.port);
  t.out[out] = to;
  note_timing(out, timing);
  t.in[t.index(to.node, to.port)] = from;
  ++t.links;
}

void NetworkGraphBuilder::require_timing(LinkEnd from, LinkTiming timing) const {
  const auto refuse = [&](const std::string& text) {
    throw InputError("the link from " + located(Side::out, from) + " has " + text);
  };
  if (timing.latency < 1) refuse("a latency of " + std::to_string(timing.latency) + " steps; the minimum is 1");
  if (timing.latency > LinkTiming::most_latency)
    refuse("a latency of " + std::to_string(timing.latency) +
           " steps, those of all its phits and cycles of a slower clock included; the maximum is " +
           std::to_string(LinkTiming::most_latency));
  if (timing.interval < 1)
    refuse("an interval of " + std::to_string(timing.interval) + " steps; the minimum is 1: a flit in every step");
  const std::int32_t most_phits = std::min(timing.latency, timing.interval) / timing.period;
  if (timing.phits < 1 || timing.phits > most_phits)
    refuse("flits of " + std::to_string(timing.phits) + " phits; they have 1 to " + std::to_string(most_phits) +
           ", one per step of its latency and of its interval");
}

void NetworkGraphBuilder::note_timing(std::size_t link, LinkTiming timing) {
  NetworkTables& t = *tables_;
  t.latency[link] = timing.latency;
  t.interval[link] = timing.interval;
  if (t.phits.empty() && timing.phits == 1) return;
  t.phits.resize(t.out.size(), 1);
  t.phits[link] = timing.phits;
}

void NetworkGraphBuilder::set_timing(LinkEnd from, LinkTiming timing) {
  require_timing(from, timing);
  note_timing(tables_->index(from.node, from.port), timing);
}

void NetworkGraphBuilder::set_period(NodeId node, std::int32_t period) {
  tables_->period.resize(static_cast<std::size_t>(tables_->nodes), 1);
  tables_->period[static_cast<std::size_t>(node)] = period;
}

void NetworkGraphBuilder::set_crossing(LinkEnd from, const CrossingKeys& crossing) {
  tables_->crossing.resize(tables_->out.size());
  tables_->crossing[tables_->index(from.node, from.port)] = crossing;
}

LinkEnd NetworkGraphBuilder::with_port(Side side, LinkEnd end) const {
  if (end.port != lowest_free) return end;
  if (!exists(end.node)) return {end.node, 0};  // refused by the caller
  const Port port = free_port(side, end.node);
  if (port == no_port)
    throw InputError(located(end.node) + " cannot have another link: " + free_port_advice(side, end.node));
  return {end.node, port};
}

NetworkGraph NetworkGraphBuilder::build() {
  NetworkTables& t = *tables_;
  fill_tables();
  set_stride(needed_ports_);
  t.out_ports = connected_ports(t, t.out);
  t.in_ports = connected_ports(t, t.in);
  number_processors();
  require_laws(t);
  position_nodes(unplaced_, t);
  t.greatest_wire_cycles = greatest_wire_cycles(t);
  t.greatest_latency = greatest_entry(t.latency);
  t.greatest_interval = greatest_entry(t.interval);
  const auto trim = [](auto&... tables) { (tables.shrink_to_fit(), ...); };
  trim(t.out, t.in, t.latency, t.interval, t.phits, t.names, t.name_end, t.port_naming, t.positions);
  t.rows = std::make_shared<DistanceRows>(t);
  NetworkGraph graph(std::move(tables_));
  *this = NetworkGraphBuilder();
  return graph;
}

std::string NetworkGraphBuilder::located(NodeId node) const {
  return "node " + std::to_string(node) + " (" + std::string(tables_->name(node)) + ")";
}

std::string NetworkGraphBuilder::located(Side side, LinkEnd end) const {
  const std::vector<std::string>* names = named_ports(side, end.node);
  return (side == Side::out ? "out-port " : "in-port ") + std::to_string(end.port) +
         (names == nullptr ? "" : " (" + escape((*names)[static_cast<std::size_t>(end.port)]) + ")") + " of " +
         located(end.node);
}

const std::vector<std::string>* NetworkGraphBuilder::named_ports(Side side, NodeId node) const {
  if (tables_->port_naming[static_cast<std::size_t>(node)] == numbered_ports.number) return nullptr;
  const NetworkTables::PortNames& names = tables_->names_of_ports(node);
  return side == Side::out ? &names.out : &names.in;
}

int NetworkGraphBuilder::port_count(Side side, NodeId node) const {
  const std::vector<std::string>* names = named_ports(side, node);
  return names == nullptr ? max_ports : static_cast<int>(names->size());
}

Port NetworkGraphBuilder::free_port(Side side, NodeId node) const {
  const int count = port_count(side, node);
  Port port = 0;
  while (port < count && behind(side, {node, port}).connected()) ++port;
  return port < count ? port : no_port;
}

LinkEnd NetworkGraphBuilder::behind(Side side, LinkEnd end) const {
  const std::vector<LinkEnd>& ends = side == Side::out ? tables_->out : tables_->in;
  const std::size_t at = tables_->index(end.node, end.port);
  return end.port < tables_->ports && at < ends.size() ? ends[at] : LinkEnd{};
}

std::string NetworkGraphBuilder::free_port_advice(Side side, NodeId node) const {
  const Port port = free_port(side, node);
  const std::string ports = side == Side::out ? "out-port" : "in-port";
  if (port != no_port) return ports + " " + std::to_string(port) + " is free";
  return "all its " + std::to_string(port_count(side, node)) + " " + ports +
         "s are in use; spread its links over several nodes";
}

void NetworkGraphBuilder::refuse_end(Side side, LinkEnd end, const std::string& link) const {
  const bool leaves = side == Side::out;
  if (!exists(end.node)) {
    const std::string known =
        tables_->nodes == 0 ? "no node is defined" : "the nodes are 0 to " + std::to_string(tables_->nodes - 1);
    throw InputError(link + (leaves ? " from" : " leads to") + " node " + std::to_string(end.node) +
                     ", which does not exist; " + known);
  }
  const std::string ports = leaves ? "out-port" : "in-port";
  const int count = port_count(side, end.node);
  const std::string known = count == 0   ? "the node has no " + ports + "s"
                            : count == 1 ? "its only " + ports + " is 0"
                                         : "its " + ports + "s are 0 to " + std::to_string(count - 1);
  throw InputError(link + (leaves ? " from " : " leads to ") + ports + " " + std::to_string(end.port) + " of " +
                   located(end.node) + ", which does not exist; " + known);
}

void NetworkGraphBuilder::expect(NodeId nodes, int ports) {
  widen(nodes, ports);
  const auto count = static_cast<std::size_t>(nodes);
  tables_->name_end.reserve(count);
  tables_->port_naming.reserve(count);
  tables_->positions.reserve(count);
  roles_.reserve(count);
}

void NetworkGraphBuilder::widen(NodeId nodes, int ports) {
  NetworkTables& t = *tables_;
  needed_ports_ = std::max(needed_ports_, ports);
  if (!NetworkGraph::has_room(nodes, needed_ports_))
    throw InputError("a network has at most 2^31 - 1 ports, but " + std::to_string(nodes) + " nodes of " +
                     std::to_string(needed_ports_) + " ports have more; choose fewer nodes, or fewer ports per node");
  // Links that need one port more after the other move the tables only when these have grown by a quarter.
  if (t.ports < needed_ports_) set_stride(t.ports == 0 ? needed_ports_ : needed_ports_ + needed_ports_ / 4);
}

void NetworkGraphBuilder::set_stride(int stride) {
  NetworkTables& t = *tables_;
  if (stride == t.ports) return;
  restride(t.out, t.ports, stride, LinkEnd{});
  restride(t.in, t.ports, stride, LinkEnd{});
  restride(t.latency, t.ports, stride, 0);
  restride(t.interval, t.ports, stride, 0);
  if (!t.phits.empty()) restride(t.phits, t.ports, stride, 1);
  if (!t.crossing.empty()) restride(t.crossing, t.ports, stride, CrossingKeys{});
  t.ports = stride;
}

void NetworkGraphBuilder::fill_tables() {
  NetworkTables& t = *tables_;
  const std::size_t slots = t.index(t.nodes, 0);
  if (t.out.size() == slots) return;
  t.out.resize(slots);
  t.in.resize(slots);
  t.latency.resize(slots, 0);
  t.interval.resize(slots, 0);
  if (!t.phits.empty()) t.phits.resize(slots, 1);
}

void NetworkGraphBuilder::number_processors() {
  NetworkTables& t = *tables_;
  t.host.clear();
  if (std::find(roles_.begin(), roles_.end(), NodeRole::host) != roles_.end())
    for (const NodeRole role : roles_) t.host.push_back(role == NodeRole::host);
  t.processor.clear();
  t.processor_of.assign(static_cast<std::size_t>(t.nodes), -1);
  for (NodeId node = 0; node < t.nodes; ++node) {
    if (roles_[static_cast<std::size_t>(node)] == NodeRole::switch_node) continue;
    t.processor_of[static_cast<std::size_t>(node)] = static_cast<NodeId>(t.processor.size());
    t.processor.push_back(node);
  }
  t.processors = static_cast<NodeId>(t.processor.size());
  if (t.processors > 0 && t.processor.back() != t.processors - 1) return;
  t.processor = {};
  t.processor_of = {};
}

}  // namespace starloom
