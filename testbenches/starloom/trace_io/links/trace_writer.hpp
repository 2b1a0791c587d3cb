// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Writing `trace.csv` of a grid (docs/output.md).
#include <filesystem>
#include <string_view>

#include <starloom/core/links/trace.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/links/subnet_rows.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom::links {

inline constexpr std::string_view trace_header = "step,event,packet,flit,node,port,to";
/// For runs with virtual channels.
inline constexpr std::string_view channel_trace_header = "step,event,packet,flit,node,port,to,channel";

class TraceWriter final : public TraceSink {
 public:
  /// \throws OutputError
  explicit TraceWriter(const std::filesystem::path& file, TraceWindow window = {}, bool channels = false,
                       const SubnetRows& subnets = {});

  /// \throws OutputError
  void rows(const std::vector<TraceRow>& of_one_step) override {
    if (subnets_.several()) write(subnets_.to_file(of_one_step));
    else write(of_one_step);
  }
  /// Completes the file; no rows may follow. \throws OutputError
  void close() { out_.close(); }

 private:
  void write(const std::vector<TraceRow>& of_one_step);

  TextWriter out_;
  const TraceWindow window_;
  const bool channels_;
  const SubnetRows subnets_;
};

}  // namespace starloom::links
