// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/links/save_file.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace starloom::links {
namespace {

using Format = SaveFile::Format;

/// A node with more links has a group for each port.
constexpr std::size_t most_ports_in_rows = 8;

template <class T>
bool contains(const std::vector<T>& list, T member) {
  return std::find(list.begin(), list.end(), member) != list.end();
}

class ViewWriter {
 public:
  ViewWriter(const NetworkGraph& graph, const Declaration& declaration, const std::string& dump,
             std::uint64_t from_time, std::uint64_t period, const OptionalVariables& optional)
      : graph_(graph), declaration_(declaration), optional_(optional), file_(dump, from_time, period) {
    filters_.push_back({"waves.flit_kind.filter", {std::begin(flit_kind_names), std::end(flit_kind_names)}});
    for (const StateField& field : declaration.state)
      if (field.values != nullptr && filter_of_.emplace(field.values->kind, filters_.size()).second)
        filters_.push_back({"waves." + field.values->kind + ".filter", field.values->names});
  }

  WaveView write(const std::vector<ShownNode>& shown) {
    file_.add("network.clk", 1, "clk", Format::binary);
    for (const NetworkClock& clock : graph_.clocks())
      file_.add("network." + clock_wave(clock), 1, clock_wave(clock), Format::binary);
    file_.add("network.step", 64, "step", Format::decimal);
    if (optional_.power) add_power("network");
    std::vector<ShownNode> nodes, parts;
    for (const ShownNode& node : shown) (node.state ? nodes : parts).push_back(node);
    nodes.resize(std::min(nodes.size(), most_groups));
    for (std::size_t i = 0; i < nodes.size(); ++i) write_node(nodes[i], i < open_groups);
    parts.resize(std::min(parts.size(), most_groups));
    if (!parts.empty()) write_parts(parts, nodes.size() < open_groups);
    return {file_.text(), filters_};
  }

 private:
  void write_node(const ShownNode& shown, bool expanded) {
    file_.open_group(graph_.node_name(shown.node), expanded);
    const bool in_rows = shown.links.size() <= most_ports_in_rows;
    if (optional_.faults != nullptr) add_alive(graph_.node_name(shown.node), alive_name);
    if (optional_.power && has_router(graph_, declaration_, shown.node))
      add_power("network." + graph_.node_name(shown.node));
    add_fields(shown, [in_rows](Port port) { return in_rows || port == no_port; });
    for (const Port port : shown.links)
      add_packet(shown.node, port, graph_.out_port_name(shown.node, port) + " packet");
    if (in_rows) add_buffers_and_links(shown, [](Port /*port*/) { return true; });
    for (Port port = 0; port <= graph_.ports() && !in_rows; ++port) write_port(shown, port);
    file_.close_group();
  }

  /// A group of one port, if the node has it; `graph.ports()` is the local port.
  void write_port(const ShownNode& shown, Port port) {
    const auto is_here = [port](Port other) { return other == port; };
    const bool has_fields = std::any_of(shown.fields.begin(), shown.fields.end(),
                                        [&](std::size_t field) { return is_here(declaration_.state[field].port); });
    if (!has_fields && !contains(shown.links, port) && !contains(shown.buffers, port * declaration_.channels)) return;
    const bool local = port == graph_.ports();
    file_.open_group(local ? std::string(local_port_name) : graph_.out_port_name(shown.node, port), false);
    add_fields(shown, is_here);
    add_buffers_and_links(shown, is_here);
    file_.close_group();
  }

  /// \tparam Chosen a function of a port: true if it is to be added.
  template <class Chosen>
  void add_fields(const ShownNode& shown, const Chosen& chosen) {
    for (const std::size_t number : shown.fields)
      if (const StateField& field = declaration_.state[number]; chosen(field.port))
        file_.add("network." + graph_.node_name(shown.node) + '.' + field.name, state_width(field), field.name,
                  Format::decimal, field.values == nullptr ? nullptr : &filters_[filter_of_.at(field.values->kind)]);
  }
  template <class Chosen>
  void add_buffers_and_links(const ShownNode& shown, const Chosen& chosen) {
    for (const std::int32_t buffer : shown.buffers)
      if (chosen(buffer / declaration_.channels))
        add_buffer(shown.node, buffer, buffer_name(graph_, declaration_, shown.node, buffer));
    for (const Port port : shown.links)
      if (chosen(port)) write_link(shown.node, port);
  }

  /// Links and buffers that are shown without their node.
  void write_parts(const std::vector<ShownNode>& parts, bool expanded) {
    file_.open_group("links_and_buffers", expanded);
    for (const ShownNode& shown : parts) {
      for (const Port port : shown.links) add_packet(shown.node, port, graph_.link_name(shown.node, port) + " packet");
      for (const std::int32_t buffer : shown.buffers)
        add_buffer(shown.node, buffer,
                   graph_.node_name(shown.node) + ' ' + buffer_name(graph_, declaration_, shown.node, buffer));
    }
    for (const ShownNode& shown : parts)
      for (const Port port : shown.links) write_link(shown.node, port);
    file_.close_group();
  }

  /// All variables of a link except its packet, which is above.
  void write_link(NodeId node, Port port) {
    const std::string link = graph_.link_name(node, port);
    file_.open_group(link, false);
    for (const auto& [name, width] : link_variables)
      if (name != "packet")
        file_.add("network." + link + '.' + std::string(name), width,
                  graph_.out_port_name(node, port) + ' ' + std::string(name), Format::decimal,
                  name == "kind" ? &filters_.front() : nullptr);
    if (optional_.faults != nullptr) add_alive(link, graph_.out_port_name(node, port) + ' ' + alive_name);
    for (const auto& [name, width] : replay_variables)
      if (optional_.repeats)
        file_.add("network." + link + '.' + std::string(name), width,
                  graph_.out_port_name(node, port) + ' ' + std::string(name),
                  width == 1 ? Format::binary : Format::analog);
    file_.close_group();
  }
  void add_alive(const std::string& instance, const std::string& label) {
    file_.add("network." + instance + '.' + alive_name, alive_width, label, Format::binary);
  }
  void add_power(const std::string& scope) {
    file_.add(scope + '.' + power_name, 1, std::string(power_name) + " in mW", Format::analog);
  }
  void add_packet(NodeId node, Port port, const std::string& label) {
    file_.add("network." + graph_.link_name(node, port) + ".packet", link_variables[0].width, label, Format::decimal);
  }
  void add_buffer(NodeId node, std::int32_t buffer, const std::string& label) {
    const std::string name = graph_.node_name(node) + '.' + buffer_name(graph_, declaration_, node, buffer);
    file_.add("network." + name + ".occupancy", occupancy_width, label, Format::analog);
    file_.add("network." + name + ".packet", front_width, label + " front", Format::decimal);
  }

  const NetworkGraph& graph_;
  const Declaration& declaration_;
  const OptionalVariables optional_;
  SaveFile file_;
  std::vector<EnumFilter> filters_;               ///< of `kind`, then of the state fields
  std::map<std::string, std::size_t> filter_of_;  ///< [ValueNames::kind] number among them
};

}  // namespace

WaveView wave_view(const NetworkGraph& graph, const Declaration& declaration, const std::vector<ShownNode>& shown,
                   const std::string& dump, std::uint64_t from_time, std::uint64_t period,
                   const OptionalVariables& optional) {
  return ViewWriter(graph, declaration, dump, from_time, period, optional).write(shown);
}

}  // namespace starloom::links
