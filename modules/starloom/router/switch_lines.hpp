// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The lines of a switch with speed-ups (docs/router-speedups.md).
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

/// In-lines lead from the sub-ports of in-ports into the switch, out-lines from the switch to out-ports. A line takes
/// one flit in a round. The flits of an in-port take one of the lines of each out-port, always the same. Without
/// speed-ups, lines are ports.
template <int words>
class SwitchLines {
 public:
  using Set = ChannelSet<words>;

  SwitchLines(const RouterShape& shape, const Speedup& speedup)
      : input_(speedup.input),
        output_(speedup.output),
        ins_(shape.matched_ports() * input_),
        outs_(shape.matched_ports() * output_),
        channels_(static_cast<std::size_t>(ins_)),
        sharing_(static_cast<std::size_t>(output_)) {
    for (int channel = 0; channel < shape.matched_ports() * shape.channels; ++channel) {
      const int port_index = shape.port_index(channel);
      const int line = port_index * input_ + speedup.sub_port(shape.number(channel));
      in_lines_.push_back(static_cast<std::uint16_t>(line));
      channels_[static_cast<std::size_t>(line)].add(channel);
      sharing_[static_cast<std::size_t>(port_index % output_)].add(channel);
    }
  }

  int ins() const { return ins_; }
  int outs() const { return outs_; }
  int per_in_port() const { return input_; }
  int per_out_port() const { return output_; }
  /// The in-line of an input channel.
  int in_line(int channel) const { return in_lines_[static_cast<std::size_t>(channel)]; }
  /// The out-line of flits from an in-line to an out-port.
  int out_line(int in_line, int out_index) const { return out_index * output_ + in_line / input_ % output_; }
  /// The index of the out-port of an out-line.
  int out_index(int out_line) const { return out_line / output_; }
  /// The input channels of an in-line.
  const Set& channels(int in_line) const { return channels_[static_cast<std::size_t>(in_line)]; }
  /// The input channels that use the same out-lines as those of this in-line.
  const Set& sharing(int in_line) const { return sharing_[static_cast<std::size_t>(in_line / input_ % output_)]; }

 private:
  int input_, output_;
  int ins_, outs_;
  std::vector<std::uint16_t> in_lines_{};  ///< [input channel]
  std::vector<Set> channels_;              ///< [in-line]
  std::vector<Set> sharing_;               ///< [index of an in-port modulo `output_`]
};

}  // namespace starloom::router
