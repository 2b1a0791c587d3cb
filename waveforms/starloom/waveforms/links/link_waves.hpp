// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Waves of a network of links: its links, buffers and controllers.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/engines/step_observer.hpp>
#include <starloom/topology/faults.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/waveforms/links/selection.hpp>
#include <starloom/waveforms/vcd/windowed_waves.hpp>

namespace starloom::links {

/// The names of FlitKind.
inline constexpr std::string_view flit_kind_names[] = {"head", "body", "tail", "single", "key", "token", "ack"};

/// The variables of a link, in order: name and bits. `packet` is 'z' while the link is empty; the others keep their
/// last values. For a control object without a packet, `packet` is 'x'.
struct LinkVariable {
  std::string_view name;
  int width;
};
inline constexpr LinkVariable link_variables[] = {{"packet", 32},      {"flit", 32},   {"kind", 3},
                                                  {"destination", 32}, {"channel", 8}, {"tag", 16}};
/// The widths of a buffer's variables: the number of its flits, and the packet at its front, 'z' while it is empty.
inline constexpr int occupancy_width = 32, front_width = 32;
/// With faults, nodes and links have this variable: 0 while the router or link is dead.
inline constexpr const char* alive_name = "alive";
inline constexpr int alive_width = 1;
/// Links that repeat corrupt flits have these: 1 if the flit on the link has entered it before, and the flits that the
/// sender keeps at the end of the step.
inline constexpr LinkVariable replay_variables[] = {{"repeated", 1}, {"replay", 32}};
/// Bits of a state field. GTKWave has names for the values of vectors only, so a named field is a vector.
inline int state_width(const StateField& field) {
  return field.values == nullptr ? field.width : std::max(field.width, 2);
}

/// The variable of a clock that has a name, beside `clk`.
inline std::string clock_wave(const NetworkClock& clock) { return "clk_" + clock.name; }

/// The mean power in mW of the last window of steps that has ended, of the network and of each selected node that has
/// a router; 0 at first.
inline constexpr const char* power_name = "power";

/// The variables of waves that not every experiment has.
struct OptionalVariables {
  /// Nodes and links have `alive`: those of step 0, which outlive the waves; null: they have not.
  const Faults* faults = nullptr;
  bool repeats = false;  ///< links repeat corrupt flits, and have the `replay_variables`
  bool power = false;    ///< the network and routers have `power`
};

/// Writes the state of the selected instances, and reads only touched nodes. A link has in step t the flit that
/// enters it in that step (or stays in its register); buffers and state fields have their values at the end of step
/// t.
class LinkWaves final : public StepObserver {
 public:
  /// \param shown the result of `choose_instances`.
  /// \throws OutputError: the file cannot be created.
  LinkWaves(const std::filesystem::path& vcd, const NetworkGraph& graph, const Declaration& declaration,
            const std::vector<ShownNode>& shown, WaveWindow window, double period_ns,
            const OptionalVariables& optional = {});

  bool observes(NodeId node) const override { return index_[static_cast<std::size_t>(node)] >= 0; }
  /// Never throws: an error of the file ends the waves, not the run, and is reported when they are closed.
  void show(Step from, Step to, const WakeCalendar::Bitmap& touched, const Engine& engine) override;
  /// The power in a window of steps that ends before step `to`; windows ascend.
  /// \param router mW of the router of a node
  void show_power(Step to, double network_mw, const std::function<double(NodeId)>& router);
  /// The run of `steps` steps is over: a window that ends with it counts at the end of its last step.
  void finish_power(Step steps);
  /// The file, to close it.
  WindowedWaves& file() { return file_; }

 private:
  using Variable = StepWaves::Variable;
  struct Watched {  ///< a node's variables, which are numbered consecutively
    ShownNode what;
    Variable alive = 0;  ///< with faults, if the node is selected
    bool has_power = false;
    Variable power = 0;
    Variable state = 0;    ///< the first field
    Variable buffers = 0;  ///< the first buffer
    Variable links = 0;    ///< the first variable of the first link
  };
  struct Power {
    Step from = 0;           ///< the step from which on it is shown
    std::vector<double> mw;  ///< of the network, then of the nodes that have a power
  };

  void declare(const NetworkGraph& graph, const Declaration& declaration, StepWaves& waves);
  void show_node(const Watched& node, const Engine& engine);
  /// Writes the powers that hold from `last` on, or from a step before.
  void write_powers(Step last);
  void set_power(const Power& power);
  /// \param port of a link that leaves the node; no_port: the router.
  bool is_dead(const Engine& engine, NodeId node, Port port) const;

  WindowedWaves file_;
  const OptionalVariables optional_;
  std::vector<Watched> nodes_;       ///< by node
  std::vector<std::int32_t> index_;  ///< [node] index in nodes_, if it is selected
  WakeCalendar::Bitmap watched_;
  std::vector<std::uint32_t> fields_;  ///< scratch: the state fields of one controller
  Variable power_ = 0;                 ///< of the network
  std::vector<Power> powers_;          ///< of steps that are not shown yet, ascending
};

}  // namespace starloom::links
