#include <starloom/waveforms/links/selection.hpp>

#include <algorithm>

#include <starloom/core/error.hpp>
#include <starloom/waveforms/scope/instance_glob.hpp>

namespace starloom::links {
namespace {

/// Marks what the globs choose.
class Chooser {
 public:
  Chooser(const Grid& topology, const Declaration& declaration, const std::vector<std::string>& globs)
      : topology_(topology),
        declaration_(declaration),
        globs_(globs),
        nodes_(static_cast<std::size_t>(topology.nodes())) {
    for (NodeId id = 0; id < topology.nodes(); ++id) nodes_[static_cast<std::size_t>(id)].node = id;
  }

  std::vector<ShownNode> choose() {
    for (ShownNode& shown : nodes_) choose_at(shown);
    globs_.require_matches([this](const std::string& glob) { return refusal(glob); });
    std::vector<ShownNode> chosen;
    for (ShownNode& shown : nodes_) {
      if (!shown.state && shown.buffers.empty() && shown.links.empty()) continue;
      std::sort(shown.links.begin(), shown.links.end());
      shown.links.erase(std::unique(shown.links.begin(), shown.links.end()), shown.links.end());
      chosen.push_back(std::move(shown));
    }
    return chosen;
  }

 private:
  void choose_at(ShownNode& shown) {
    const std::string name = topology_.node_name(shown.node);
    shown.state = matches(name);
    for (Port port = 0; port < topology_.ports(); ++port) {
      const NodeId neighbour = topology_.neighbour(shown.node, port);
      if (neighbour == no_node) continue;
      if (matches(topology_.link_name(shown.node, port)) || shown.state) shown.links.push_back(port);
      if (shown.state) nodes_[static_cast<std::size_t>(neighbour)].links.push_back(topology_.reverse(port));
      if (declaration_.buffers == BufferSide::none) continue;
      for (std::int32_t b = port * declaration_.channels; b < (port + 1) * declaration_.channels; ++b)
        if (matches(name + '.' + buffer_name(topology_, declaration_, b)) || shown.state) shown.buffers.push_back(b);
    }
  }

  bool matches(const std::string& name) { return globs_.matches(name); }

  std::string refusal(const std::string& glob) const {
    std::vector<std::string> nodes, links, buffers;
    for (const ShownNode& shown : nodes_) {
      nodes.push_back(topology_.node_name(shown.node));
      for (Port port = 0; port < topology_.ports(); ++port) {
        if (topology_.neighbour(shown.node, port) == no_node) continue;
        links.push_back(topology_.link_name(shown.node, port));
        if (declaration_.buffers == BufferSide::none) continue;
        for (std::int32_t b = port * declaration_.channels; b < (port + 1) * declaration_.channels; ++b)
          buffers.push_back(nodes.back() + '.' + buffer_name(topology_, declaration_, b));
      }
    }
    std::string kinds = "the nodes are " + nodes.front() + " to " + nodes.back();
    if (!links.empty()) kinds += ", a link is " + links.front();
    if (!buffers.empty()) kinds += ", a buffer is " + buffers.front();
    return no_match_text(glob, {nodes, links, buffers}, kinds);
  }

  const Grid& topology_;
  const Declaration& declaration_;
  GlobList globs_;
  std::vector<ShownNode> nodes_;  ///< [node]
};

}  // namespace

std::string buffer_name(const Grid& topology, const Declaration& declaration, std::int32_t buffer) {
  return buffer_name(topology.port_name(buffer / declaration.channels), buffer % declaration.channels);
}

std::vector<ShownNode> choose_instances(const Grid& topology, const Declaration& declaration,
                                        const std::vector<std::string>& globs) {
  return Chooser(topology, declaration, globs).choose();
}

}  // namespace starloom::links
