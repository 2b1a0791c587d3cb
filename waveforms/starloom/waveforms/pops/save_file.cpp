// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/pops/save_file.hpp>

#include <iterator>

#include <starloom/control/pops/controller.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/waveforms/pops/coupler_waves.hpp>

namespace starloom::pops {
namespace {

using Format = SaveFile::Format;

class ViewWriter {
 public:
  ViewWriter(const Pops& pops, const std::string& dump, std::uint64_t from_time, std::uint64_t period)
      : pops_(pops), file_(dump, from_time, period) {}

  WaveView write(const ShownParts& shown) {
    file_.add("network.clk", 1, "clk", Format::binary);
    file_.add("network.step", 64, "slot", Format::decimal);
    file_.add("network.slot_of_cycle", slot_of_cycle_width, "slot of cycle", Format::decimal);
    std::size_t groups = 0;
    for (auto first = shown.couplers.begin(); first != shown.couplers.end() && groups < most_groups; ++groups) {
      auto last = first;
      while (last != shown.couplers.end() && last->from == first->from) ++last;
      write_couplers({first, last}, groups < open_groups);
      first = last;
    }
    groups = 0;
    for (auto first = shown.processors.begin(); first != shown.processors.end() && groups < most_groups; ++groups) {
      auto last = first;
      while (last != shown.processors.end() && pops_.group_of(last->node) == pops_.group_of(first->node)) ++last;
      write_processors({first, last});
      first = last;
    }
    return {file_.text(), {states_, kinds_}};
  }

 private:
  /// Couplers of one source group.
  void write_couplers(const std::vector<ShownCoupler>& couplers, bool expanded) {
    const std::string row = pops_.row_name(couplers.front().from);
    file_.open_group(row, expanded);
    for (const auto& [from, to] : couplers) {
      const std::string name = pops_.coupler_name(to, from), path = "network." + name;
      const std::string label = name.substr(0, name.find("_from")).substr(name.find("to"));
      file_.add(path + ".state", coupler_state_width, label, Format::decimal, &states_);
      file_.add(path + ".packet", packet_width, label + " packet", Format::decimal);
    }
    file_.open_group(row + "_kinds", false);
    for (const auto& [from, to] : couplers)
      file_.add("network." + pops_.coupler_name(to, from) + ".kind", kind_width, pops_.coupler_name(to, from),
                Format::decimal, &kinds_);
    file_.close_group();
    file_.close_group();
  }

  /// Processors of one group.
  void write_processors(const std::vector<ShownProcessor>& processors) {
    const std::string first = pops_.node_name(processors.front().node);
    file_.open_group(first.substr(0, first.rfind('_')), false);
    for (const auto& [node, listens] : processors) {
      const std::string name = pops_.node_name(node), path = "network." + name;
      file_.open_group(name, true);
      if (listens) file_.add(path + ".listens", group_width, "listens to group", Format::decimal);
      for (std::int32_t slot = 0; slot < buffer_slots; ++slot)
        file_.add(path + ".buffer." + slot_name(slot), packet_width, "buffer " + slot_name(slot), Format::decimal);
      file_.add(path + ".buffer.occupancy", occupancy_width, "buffer", Format::analog);
      file_.close_group();
    }
    file_.close_group();
  }

  const Pops& pops_;
  SaveFile file_;
  const EnumFilter states_{"waves.coupler_state.filter",
                           {std::begin(coupler_state_names), std::end(coupler_state_names)}};
  const EnumFilter kinds_{"waves.coupler_kind.filter", {std::begin(message_kind_names), std::end(message_kind_names)}};
};

}  // namespace

WaveView wave_view(const Pops& pops, const ShownParts& shown, const std::string& dump, std::uint64_t from_time,
                   std::uint64_t period) {
  return ViewWriter(pops, dump, from_time, period).write(shown);
}

}  // namespace starloom::pops
