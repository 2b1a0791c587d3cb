// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/links/save_file.hpp>

#include <algorithm>
#include <iterator>

#include <starloom/waveforms/links/link_waves.hpp>

namespace starloom::links {
namespace {

using Format = SaveFile::Format;

class ViewWriter {
 public:
  ViewWriter(const NetworkGraph& graph, const Declaration& declaration, const std::string& dump,
             std::uint64_t from_time, std::uint64_t period)
      : graph_(graph), declaration_(declaration), file_(dump, from_time, period) {
    filters_.push_back({"waves.flit_kind.filter", {std::begin(flit_kind_names), std::end(flit_kind_names)}});
    for (const StateField& field : declaration.state)
      filters_.push_back({"waves." + field.name + ".filter", field.enumerators});
  }

  WaveView write(const std::vector<ShownNode>& shown) {
    file_.add("network.clk", 1, "clk", Format::binary);
    for (const NetworkClock& clock : graph_.clocks())
      file_.add("network." + clock_wave(clock), 1, clock_wave(clock), Format::binary);
    file_.add("network.step", 64, "step", Format::decimal);
    std::vector<ShownNode> nodes, parts;
    for (const ShownNode& node : shown) (node.state ? nodes : parts).push_back(node);
    nodes.resize(std::min(nodes.size(), most_groups));
    for (std::size_t i = 0; i < nodes.size(); ++i) write_node(nodes[i], i < open_groups);
    parts.resize(std::min(parts.size(), most_groups));
    if (!parts.empty()) write_parts(parts, nodes.size() < open_groups);
    filters_.erase(
        std::remove_if(filters_.begin(), filters_.end(), [](const EnumFilter& filter) { return filter.names.empty(); }),
        filters_.end());
    return {file_.text(), filters_};
  }

 private:
  void write_node(const ShownNode& shown, bool expanded) {
    const std::string node = graph_.node_name(shown.node);
    file_.open_group(node, expanded);
    for (std::size_t f = 0; f < declaration_.state.size(); ++f) {
      const StateField& field = declaration_.state[f];
      const bool named = !field.enumerators.empty();
      file_.add("network." + node + '.' + field.name, state_width(field), field.name, Format::decimal,
                named ? &filters_[1 + f] : nullptr);
    }
    for (const Port port : shown.links)
      add_packet(shown.node, port, graph_.out_port_name(shown.node, port) + " packet");
    for (const std::int32_t buffer : shown.buffers)
      add_buffer(shown.node, buffer, buffer_name(graph_, declaration_, shown.node, buffer));
    for (const Port port : shown.links) write_link(shown.node, port);
    file_.close_group();
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
    file_.close_group();
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
  SaveFile file_;
  std::vector<EnumFilter> filters_;  ///< of `kind`, then of each state field
};

}  // namespace

WaveView wave_view(const NetworkGraph& graph, const Declaration& declaration, const std::vector<ShownNode>& shown,
                   const std::string& dump, std::uint64_t from_time, std::uint64_t period) {
  return ViewWriter(graph, declaration, dump, from_time, period).write(shown);
}

}  // namespace starloom::links
